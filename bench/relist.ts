import type { KubeObject } from '../src/api';
import { KubeClient, loadKubeConfig, resources } from '../src/runtime/kube';
import { eventually, sleep, TestEngine, tinyVm } from '../test/support/engine';
import { type Figure, figure } from './figure';
import { residentMiB } from './memory';
import { writeConcurrently } from './writers';

const WRITERS = 10;
const SETTLE_MS = 20_000;

/** Peak memory of a virt-controller that starts again and lists all VMs, compared to what it holds afterwards. */
export async function benchRelist(count: number): Promise<Figure[]> {
  const engine = await TestEngine.start();
  const client = new KubeClient(loadKubeConfig(engine.kubeconfig), { userAgent: 'bench' });
  try {
    await writeConcurrently(count, WRITERS, (i) =>
      client.create(
        resources.virtualMachines,
        tinyVm(`vm-${i}`, { namespace: 'default', runStrategy: 'Halted' }) as KubeObject,
      ),
    );
    await sleep(SETTLE_MS);
    const old = engine.componentPid('virt-controller');
    process.kill(old, 'SIGKILL');
    const pid = await eventually(() => {
      const now = engine.componentPid('virt-controller');
      if (now === old) throw new Error('virt-controller has not started again');
      return now;
    });
    await sleep(SETTLE_MS);
    const [peak, steady] = [residentMiB(pid, 'VmHWM'), residentMiB(pid, 'VmRSS')];
    return [
      figure(
        'relist',
        peak / steady,
        'x steady memory',
        1.5,
        `peak of a virt-controller that lists ${count} VMs at its start: ${peak.toFixed(0)} MiB, steady ${steady.toFixed(0)} MiB`,
      ),
    ];
  } finally {
    client.close();
    await engine.down();
  }
}
