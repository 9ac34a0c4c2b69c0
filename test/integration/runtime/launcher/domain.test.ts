import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LibvirtClient } from '../../../../src/runtime/launcher/libvirt/client';
import { LibvirtError } from '../../../../src/runtime/launcher/libvirt/errors';
import { cases } from '../../../unit/runtime/launcher/domain/cases';
import { unpackedImage } from './image';
import { LAUNCHER, LauncherPod } from './pod';

let pod: LauncherPod;
let client: LibvirtClient;

beforeAll(async () => {
  pod = new LauncherPod();
  await pod.start();
  await pod.until('libvirtd', () => pod.files('libvirt').includes('libvirt-sock'));
  client = await LibvirtClient.open(pod.path('libvirt/libvirt-sock'));
});

afterAll(async () => {
  client?.close();
  await pod?.destroy();
});

/** Folder in which libvirt caches the capabilities of QEMU. */
const CAPABILITIES = 'private/libvirt/qemu/cache/capabilities';

/** Features that the image's libvirt or QEMU lacks, in any notation; documented in docs/render.md. */
const REFUSED: Record<string, RegExp> = {
  sev: /'sev' launch security is not supported with this QEMU binary/,
  'sev-devices': /'sev' launch security is not supported with this QEMU binary/,
  snp: /'sev-snp' launch security is not supported with this QEMU binary/,
  tdx: /Element launchSecurity failed to validate content/,
};
/** Elements that upstream writes too and libvirt reads, although its schema lacks them (docs/render.md). */
const BEYOND_SCHEMA: Record<string, string> = {
  'block-claims': 'the name of a block device',
  'host-devices': 'a PCI device without mode',
  hotplugged: 'the size of a claim',
  virtiofs: 'an empty directory beside a socket',
};
const amd64 = cases.filter(({ architecture }) => architecture === 'amd64');

test.each(amd64.filter(({ name }) => !(name in REFUSED)))(
  'libvirt takes the golden domain $name',
  async ({ name, emulated }) => {
    const dom = await client.define(emulated(), !(name in BEYOND_SCHEMA));
    expect(await client.xml(dom)).toContain('</domain>');
    await client.undefine(dom);
  },
);

test.each(amd64.filter(({ name }) => name in REFUSED))('libvirt refuses $name as documented', async (refused) => {
  await expect(client.define(refused.emulated(), true)).rejects.toThrow(REFUSED[refused.name]!);
});

test('the schema of libvirt rejects unknown elements', async () => {
  const xml = amd64[0]!.emulated().replace('<devices>', '<devices><teleporter/>');
  await expect(client.define(xml, true)).rejects.toThrow(LibvirtError);
});

// As virt-xml-validate does, but with the schema of the image's libvirt: the machine's own may be older.
test('domains of every architecture follow the schema of libvirt', () => {
  const directory = mkdtempSync(join(tmpdir(), 'virt8s-domains-'));
  try {
    const files = cases
      .filter(({ name }) => name !== 'tdx' && !(name in BEYOND_SCHEMA)) // tdx is newer than the schema
      .map(({ name, render }) => {
        const file = join(directory, `${name}.xml`);
        writeFileSync(file, render());
        return file;
      });
    const schema = join(unpackedImage(LAUNCHER), 'usr/share/libvirt/schemas/domain.rng');
    const { status, stderr } = spawnSync('xmllint', ['--noout', '--relaxng', schema, ...files], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line && !line.endsWith(' validates'))).toEqual([]);
    expect(status).toBe(0);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('capabilities of QEMU are part of the image: libvirt does not query them', async () => {
  await client.domainCapabilities('/usr/bin/qemu-system-x86_64', 'x86_64', 'q35', 'qemu');
  const [name, ...others] = pod.files(CAPABILITIES);
  expect(others).toEqual([]);
  // libvirt writes down what it asked; what is there is older than its supervisor
  const writtenAt = (file: string): bigint => statSync(pod.path(file), { bigint: true }).mtimeNs;
  const isOlder = writtenAt(`${CAPABILITIES}/${name}`) <= writtenAt('private/supervise/libvirtd/supervise/lock');
  expect(isOlder).toBe(true);
});
