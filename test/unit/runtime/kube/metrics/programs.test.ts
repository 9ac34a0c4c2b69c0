import { spawnSync } from 'node:child_process';
import pino from 'pino';
import { metricTable } from '../../../../../src/api/metrics';
import type { Reporter } from '../../../../../src/api/metrics';
import { ApiMetrics } from '../../../../../src/runtime/api-server/metrics';
import { ControllerMetrics } from '../../../../../src/runtime/controller/metrics';
import type { ObservedController } from '../../../../../src/runtime/controller/metrics';
import { HandlerMetrics } from '../../../../../src/runtime/handler/metrics';
import type { Informer } from '../../../../../src/runtime/kube';
import type { ProgramMetrics } from '../../../../../src/runtime/kube/metrics';
import { declaredIn, metricsText } from '../../../../support/metrics';
import { config, running, vm } from '../../controller/fixtures';

const log = pino({ level: 'silent' });

function cache<T>(...objects: T[]): Informer<never> {
  return { list: () => objects, get: () => undefined, onChange: () => undefined } as unknown as Informer<never>;
}

function controller(isLeader = true): ProgramMetrics {
  const metrics = new ControllerMetrics(log);
  const caches = { vms: cache(vm()), vmis: cache(running()), claims: cache(), pods: cache() };
  metrics.observe({
    caches: caches as unknown as ObservedController['caches'],
    config: () => config,
    isLeader: () => isLeader,
    isReady: () => true,
    snapshots: () => [],
  });
  return metrics.program;
}

function handler(): ProgramMetrics {
  const metrics = new HandlerMetrics('n1', log);
  const stats = { cpu: { time: 1e9 }, vcpus: [], nics: [], disks: [], filesystems: [] };
  metrics.observe({ synced: true, statsTargets: [{ podUid: 'p', vmi: running(), read: async () => stats }] });
  return metrics.program;
}

function api(): ProgramMetrics {
  const metrics = new ApiMetrics(log);
  metrics.observe(() => true);
  metrics.connections.add({ subresource: 'vnc', namespace: 'web', name: 'db' });
  return metrics.program;
}

const programs: [Exclude<Reporter, 'all' | 'virt-operator'>, () => ProgramMetrics][] = [
  ['virt-controller', controller],
  ['virt-handler', handler],
  ['virt-api', api],
];

test.each(programs)(
  '%s reports its metrics of the table, except for those that have no data',
  async (program, make) => {
    const reported = declaredIn(await metricsText(make()));
    const own = Object.entries(metricTable).filter(([, { program: of }]) => of === program);
    expect(own.filter(([name, { withoutData }]) => reported.has(name) === Boolean(withoutData))).toEqual([]);
    expect([...reported].filter(([name]) => name.startsWith('kubevirt_rest_client_'))).toHaveLength(3);
    // no metric that another program reports
    const shared = Object.entries(metricTable).filter(([, { program: of }]) => of === 'all' || of === program);
    expect([...reported.keys()].filter((name) => !shared.some(([known]) => known === name))).toEqual([]);
  },
);

test.each(programs)('Prometheus can read the metrics of %s', async (_, make) => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: await metricsText(make()),
    encoding: 'utf8',
  });
  // 3: names that break its conventions, such as counters of times in KubeVirt's names
  expect([0, 3]).toContain(status);
  expect(stderr).not.toMatch(/error while linting/);
});

test('a virt-controller that does not lead reports no objects, even if its caches contain some', async () => {
  const text = await metricsText(controller(false));
  expect(text).toContain('kubevirt_virt_controller_leading_status 0\n');
  expect(text).toContain('kubevirt_virt_controller_ready_status 1\n');
  expect(text).not.toMatch(/^kubevirt_vmi?_info\{/m);
  expect(await metricsText(controller(true))).toMatch(/^kubevirt_vm_info\{/m);
});
