import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventually, TestEngine, tinyVm } from '../../support/engine';
import { guestDisk } from '../../support/guest-disk';
import { TestCa } from '../../support/pki';
import { WebServer } from '../../support/web-server';

const IMMEDIATE = { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' };
const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

describe('VirtualMachineExports', () => {
  let engine: TestEngine;
  let server: WebServer;
  let host: string;
  let folder: string;

  beforeAll(async () => {
    const ca = await TestCa.create('images');
    server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
    folder = mkdtempSync(join(tmpdir(), 'virt8s-exports-'));
    guestDisk('tiny', join(server.root, 'tiny.qcow2'));
    engine = await TestEngine.start();
    const [node] = await engine.list('nodes');
    host = node.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
    await engine.mustApply([
      dataVolume('disk', { http: { url: server.url('tiny.qcow2', host) } }),
      dataVolume('device', { http: { url: server.url('tiny.qcow2', host) } }, { storage: { volumeMode: 'Block' } }),
    ]);
    for (const name of ['disk', 'device']) await filled(name);
  });
  afterAll(async () => {
    await engine.down();
    server.stop();
    rmSync(folder, { recursive: true });
    expect(await engine.leftovers()).toEqual([]);
  });

  const dataVolume = (name: string, source: object, more: { contentType?: string; storage?: object } = {}) => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name, namespace: 'default', annotations: IMMEDIATE },
    spec: {
      source,
      storage: { resources: { requests: { storage: '64Mi' } }, ...more.storage },
      ...(more.contentType && { contentType: more.contentType }),
    },
  });
  const filled = (name: string): Promise<void> =>
    eventually(90_000, async () => expect((await engine.get('dv', name)).status?.phase).toBe('Succeeded'));

  /** Folder or file of a claim, which is mounted only for the engine. */
  const inClaim = async (name: string, path: string): Promise<string> => {
    const { spec } = await engine.get('pv', (await engine.get('pvc', name)).spec.volumeName);
    return `/proc/${engine.componentPid('engine')}/root${spec.local.path}/${path}`;
  };
  const file = (name: string): string => join(folder, name);
  const virt8s = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await engine.virt8s(...args);
    if (code !== 0) throw new Error(`virt8s ${args.join(' ')}: ${stderr}`);
    return stdout + stderr;
  };
  const exported = (name: string, kind: string, of: string, more: object = {}) => ({
    apiVersion: 'export.kubevirt.io/v1',
    kind: 'VirtualMachineExport',
    metadata: { name, namespace: 'default' },
    spec: { source: { apiGroup: kind === 'VirtualMachine' ? 'kubevirt.io' : '', kind, name: of }, ...more },
  });
  const becomes = (name: string, phase: string, reason: string): Promise<{ status: { conditions: object[] } }> =>
    eventually(60_000, async () => {
      const found = await engine.get('vmexport', name);
      const ready = found.status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
      expect({ phase: found.status?.phase, reason: ready?.reason }).toEqual({ phase, reason });
      return found;
    });

  test('download the disk of a claim as gzip and raw, with the bytes of the claim', async () => {
    const disk = sha256(readFileSync(await inClaim('disk', 'disk.img')));
    await virt8s('vmexport', 'create', 'both', '--pvc', 'disk');
    const said = await virt8s('vmexport', 'download', 'both', '--output', file('disk.gz'));
    expect(said).toContain(`sha256:${disk}`);
    expect(sha256(gunzipSync(readFileSync(file('disk.gz'))))).toBe(disk);
    await virt8s('vmexport', 'download', 'both', '--format', 'raw', '--output', file('disk.img'), '--delete-vme');
    expect(sha256(readFileSync(file('disk.img')))).toBe(disk);
    // holes stay holes
    expect(statSync(file('disk.img')).blocks * 512).toBeLessThan(statSync(file('disk.img')).size);
    expect(await engine.list('vmexport')).toEqual([]);
  });
});
