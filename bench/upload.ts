import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, TestEngine } from '../test/support/engine';
import { TestCa } from '../test/support/pki';
import { WebServer } from '../test/support/web-server';
import { type Figure, figure, median } from './figure';
import { MIB, since, writeDisk } from './import';
import { boundAtOnce } from './storage';

/** Uploads of a raw disk with curl: through CDI's endpoint into a claim, and to nginx, which only stores it. They alternate. */
export async function benchUpload(sizeMiB: number, rounds: number): Promise<Figure[]> {
  const ca = await TestCa.create('authority');
  const server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
  const engine = await TestEngine.start();
  try {
    const disk = join(server.root, 'disk.raw');
    writeDisk(disk, sizeMiB, sizeMiB / 2);
    mkdirSync(join(server.root, 'put'));
    writeFileSync(join(server.root, 'ca.pem'), ca.pem);
    const seconds: Record<'ours' | 'stored', number[]> = { ours: [], stored: [] };
    for (let round = 0; round < rounds; round++) {
      seconds.ours.push(await upload(engine, `upload-${round}`, disk, sizeMiB, server.root));
      const stored = join(server.root, 'put', 'disk.raw');
      seconds.stored.push(
        timed(() => {
          curl('--cacert', join(server.root, 'ca.pem'), '-T', disk, server.tlsUrl('put/disk.raw'));
          execFileSync('sync', [stored]);
        }),
      );
      if (statSync(stored).size !== sizeMiB * MIB) throw new Error('nginx stored another size');
      rmSync(stored);
    }
    const [ours, stored] = [median(seconds.ours), median(seconds.stored)];
    const method = `median of ${rounds} uploads of ${sizeMiB} MiB over TLS: ${ours.toFixed(2)} s until the claim is complete; ${stored.toFixed(2)} s to nginx`;
    return [figure('upload', ours / stored, 'ratio', 1.2, method)];
  } finally {
    await engine.down();
    server.stop();
  }
}

/** Seconds of one upload into a claim of its own. */
async function upload(
  engine: TestEngine,
  name: string,
  disk: string,
  sizeMiB: number,
  folder: string,
): Promise<number> {
  await engine.mustApply(boundAtOnce(name, { upload: {} }, 'Block', `${sizeMiB}Mi`));
  const becomes = (phase: string): Promise<void> =>
    eventually(async () => {
      const { status } = await engine.get('dv', name);
      if (status?.phase !== phase) throw new Error(`${name}: ${JSON.stringify(status)}`);
    });
  await becomes('UploadReady');
  const { status: proxy } = await engine.get('cdiconfig', 'config');
  writeFileSync(join(folder, 'proxy.pem'), proxy.uploadProxyCA);
  const request = {
    apiVersion: 'upload.cdi.kubevirt.io/v1beta1',
    kind: 'UploadTokenRequest',
    metadata: { name, namespace: 'default' },
    spec: { pvcName: name },
  };
  const { stdout } = await engine.run('kubectl', ['create', '-o', 'json', '-f', '-'], JSON.stringify(request));
  const { status } = JSON.parse(stdout) as { status: { token: string } };
  const header = `Authorization: Bearer ${status.token}`;
  const url = `${proxy.uploadProxyURL}/v1beta1/upload`;
  const took = timed(() => curl('--cacert', join(folder, 'proxy.pem'), '-H', header, '-T', disk, '-X', 'POST', url));
  await becomes('Succeeded');
  await engine.kubectl('delete', 'dv', name);
  return took;
}

const curl = (...args: string[]): void =>
  void execFileSync('curl', ['--silent', '--show-error', '--fail', '-H', 'Expect:', ...args]);

function timed(action: () => void): number {
  const start = process.hrtime.bigint();
  action();
  return since(start);
}
