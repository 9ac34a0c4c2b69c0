import type { KubeObject } from '../src/api/meta';
import { KubeClient, loadKubeConfig, resources } from '../src/runtime/kube';
import { sleep, TestEngine, tinyVm } from '../test/support/engine';
import { type Figure, figure } from './figure';
import { cpuMs, pssMiB } from './memory';
import { writeConcurrently } from './writers';

type Instance = KubeObject & { readonly spec: object };

const programs = ['engine', 'api-server', 'virt-controller', 'virt-handler', 'virt-api'] as const;
/** Concurrent requests for instances. kubectl sends one at a time and needs three times as long as the server for each. */
const WRITERS = 10;

/** CPU of the engine for `count` VMs created with kubectl, and time until `count` instances that fit nowhere have their Pods. */
export async function benchScale(count: number): Promise<Figure[]> {
  const engine = await TestEngine.start();
  try {
    const pids = programs.map((name) => engine.componentPid(name));
    const cpu = (): number[] => pids.map(cpuMs);
    const usedSince = (before: number[]): number[] => cpu().map((ms, i) => ms - before[i]!);
    const list = (values: number[], unit: string): string =>
      programs.map((name, i) => `${name} ${values[i]!.toFixed(0)} ${unit}`).join(', ');

    const beforeVms = cpu();
    const vms = Array.from({ length: count }, (_, i) =>
      tinyVm(`vm-${i}`, { namespace: 'default', runStrategy: 'Halted' }),
    );
    await createWithKubectl(engine, vms);
    await sleep(3_000);
    const vmCpu = usedSince(beforeVms);

    const instances = Array.from({ length: count }, (_, i) => nowhere(`vmi-${i}`));
    const beforeInstances = cpu();
    const started = performance.now();
    const creating = createConcurrently(engine, instances);
    let pods = 0;
    while (pods < count && performance.now() - started < 120_000) {
      await sleep(250);
      pods = await countPods(engine);
    }
    const seconds = (performance.now() - started) / 1000;
    await creating;
    await sleep(3_000);
    const podCpu = usedSince(beforeInstances);
    const memory = pids.map(pssMiB);
    return [
      figure(
        'vm-engine-cpu',
        (vmCpu[0]! + vmCpu[1]!) / count,
        'ms CPU',
        15,
        `engine and API server for each of ${count} stopped VMs that kubectl creates; all: ${list(vmCpu, 'ms')}`,
      ),
      figure(
        'pods-exist',
        seconds,
        's',
        8,
        `from the first of ${count} VMIs that fit no node, by ${WRITERS} writers, to ${pods} Pods; CPU: ${list(podCpu, 'ms')}; PSS: ${list(memory, 'MiB')}`,
      ),
    ];
  } finally {
    await engine.down();
  }
}

/** An instance that fits no node: it gets a Pod, which never starts. */
export function nowhere(name: string): Instance {
  const { spec } = tinyVm(name) as { spec: { template: { spec: object } } };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default' },
    spec: { ...spec.template.spec, nodeSelector: { 'virt8s.dev/bench': 'nowhere' } },
  };
}

/** Number of Pods. A page of one costs the server little. */
async function countPods(engine: TestEngine): Promise<number> {
  const text = await engine.kubectl('get', '--raw', '/api/v1/namespaces/default/pods?limit=1');
  const { items, metadata } = JSON.parse(text) as { items: unknown[]; metadata: { remainingItemCount?: number } };
  return items.length + (metadata.remainingItemCount ?? 0);
}

async function createConcurrently(engine: TestEngine, objects: readonly Instance[]): Promise<void> {
  const client = new KubeClient(loadKubeConfig(engine.kubeconfig), { userAgent: 'bench' });
  await writeConcurrently(objects.length, WRITERS, (i) =>
    client.create(resources.virtualMachineInstances, objects[i]!),
  );
}

async function createWithKubectl(engine: TestEngine, objects: readonly object[]): Promise<void> {
  const { code, stderr } = await engine.run(
    'kubectl',
    ['create', '-f', '-'],
    objects.map((object) => JSON.stringify(object)).join('\n'),
  );
  if (code !== 0) throw new Error(`kubectl create: ${stderr.trim()}`);
}
