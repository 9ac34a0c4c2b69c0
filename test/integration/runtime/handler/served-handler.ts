import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { VirtualMachineInstance } from '../../../../src/api';
import { PodRuntime } from '../../../../src/runtime/handler/instance/pod-runtime';
import type { Pod } from '../../../../src/runtime/handler/kube-types';
import { PodVolumes } from '../../../../src/runtime/handler/paths/pod-volumes';
import { HandlerServer } from '../../../../src/runtime/handler/server/server';
import { ServingTls } from '../../../../src/runtime/kube';
import { writePems } from '../../../support/pki';
import type { TestCa } from '../../../support/pki';
import { TestLauncher } from './test-launcher';

export const UID = '11111111-2222-4333-8444-555555555555';
/** Path of the only guest. */
export const base = '/v1/namespaces/ns/virtualmachineinstances/web';

/** The handler's HTTPS server with one guest, whose launcher is a variable. */
export class ServedHandler {
  private constructor(
    public readonly dir: string,
    public readonly volumes: string,
    public readonly port: number,
    public readonly launcher: TestLauncher,
    private readonly cleanups: readonly (() => unknown)[],
  ) {}

  public static async start(ca: TestCa): Promise<ServedHandler> {
    const dir = mkdtempSync(join(tmpdir(), 'virt8s-server-'));
    const volumes = join(dir, 'pods', UID, 'volumes', 'kubernetes.io~empty-dir');
    for (const name of ['sockets', 'public', `private/${UID}`]) mkdirSync(join(volumes, name), { recursive: true });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { uid: UID }, spec: { containers: [] } } as Pod;
    const log = pino({ level: 'silent' });
    const hands = { procDir: '/proc', wake: () => {}, event: () => {}, now: Date.now, log };
    const runtime = new PodRuntime(pod, { volumes: new PodVolumes(dir), ...hands });
    const vmi = { metadata: { namespace: 'ns', name: 'web', uid: UID }, spec: {} } as VirtualMachineInstance;
    const own = await ca.issue([{ CN: ['kubevirt.io:system:node:virt-handler'] }], ['127.0.0.1']);
    const server = new HandlerServer({
      tls: new ServingTls(writePems(dir, { ...own, ca: ca.pem }), {}),
      find: (namespace, name) => (namespace === 'ns' && name === 'web' ? { vmi, runtime } : undefined),
      log,
    });
    const port = await server.listen(0, '127.0.0.1');
    const launcher = new TestLauncher(volumes);
    await launcher.start();
    return new ServedHandler(dir, volumes, port, launcher, [
      () => launcher.close(),
      () => server.close(),
      () => runtime.release(),
      () => rmSync(dir, { recursive: true, force: true }),
    ]);
  }

  public async close(): Promise<void> {
    for (const cleanup of this.cleanups) await cleanup();
  }
}
