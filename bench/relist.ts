import { readFileSync, writeFileSync } from 'node:fs';
import type { KubeObject } from '../src/api';
import { KubeClient, loadKubeConfig, resources } from '../src/runtime/kube';
import { eventually, sleep, TestEngine, tinyVm } from '../test/support/engine';
import { type Figure, figure } from './figure';
import { writeConcurrently } from './writers';

const WRITERS = 10;
const SETTLE_MS = 20_000;

/** MiB in a field of `/proc/PID/status`. */
const memory = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
};

/** Peak memory of virt-controller while it lists all VMs again, compared to what it holds afterwards. */
export async function benchRelist(count: number): Promise<Figure[]> {
  const engine = await TestEngine.start();
  const client = new KubeClient(loadKubeConfig(engine.kubeconfig), { userAgent: 'bench' });
  try {
    await writeConcurrently(count, WRITERS, (i) =>
      client.create(resources.virtualMachines, tinyVm(`vm-${i}`, { runStrategy: 'Halted' }) as KubeObject),
    );
    await sleep(SETTLE_MS);
    const pid = engine.componentPid('virt-controller');
    const steady = memory(pid, 'VmRSS');
    const lists = (): number =>
      engine
        .audit()
        .filter(
          ({ verb, resource, userAgent }) =>
            verb === 'list' && resource === 'virtualmachines' && userAgent.startsWith('virt-controller'),
        ).length;
    const before = lists();
    // resets the peak
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    process.kill(engine.componentPid('api-server'), 'SIGKILL');
    await eventually(120_000, () => {
      if (lists() === before) throw new Error('virt-controller has not listed the VMs again');
    });
    await sleep(SETTLE_MS);
    const peak = memory(pid, 'VmHWM');
    return [
      figure(
        'relist',
        peak / steady,
        'x steady memory',
        1.5,
        `peak of virt-controller while it lists ${count} VMs again: ${peak.toFixed(0)} MiB, steady ${steady.toFixed(0)} MiB`,
      ),
    ];
  } finally {
    client.close();
    await engine.down();
  }
}
