import { join } from 'node:path';
import type { KubeObject, VirtualMachineInstance } from '../src/api';
import type { Node } from '../src/local/core-v1';
import { Informer, KubeClient, keyOf, loadKubeConfig, resources } from '../src/runtime/kube';
import { eventually, sleep, TestEngine, tinyVm } from '../test/support/engine';
import { type Figure, figure } from './figure';
import { cpuMs, pssMiB } from './memory';
import { SimulatedNodes } from './simulated-nodes';
import { writeConcurrently } from './writers';

const PROGRAMS = ['api-server', 'virt-controller', 'virt-handler', 'virt-api'] as const;
const WRITES = ['create', 'update', 'patch', 'delete'];
const WRITERS = 10;
const LIMIT_MS = 900_000;

/** VMs from their creation to Running on simulated nodes: time, writes, processor time and memory of each program. */
export async function benchFleet({ vms, nodes }: { vms: number; nodes: number }): Promise<Figure[]> {
  const engine = await TestEngine.start();
  const client = new KubeClient(loadKubeConfig(engine.kubeconfig), { userAgent: 'bench' });
  const handler = new KubeClient(loadKubeConfig(join(engine.stateDir, 'pki/virt-handler.kubeconfig')), {
    userAgent: 'simulated-handler',
  });
  const simulated = new SimulatedNodes(client, handler, nodes);
  try {
    const [own] = (await client.list<Node>(resources.nodes)).items;
    // its VMs would need real guests
    await engine.kubectl('cordon', own!.metadata.name!);
    await simulated.start(own!);
    return await measure(engine, client, vms, nodes);
  } finally {
    await simulated.stop();
    for (const each of [client, handler]) each.close();
    await engine.down();
  }
}

async function measure(engine: TestEngine, client: KubeClient, vms: number, nodes: number): Promise<Figure[]> {
  const created = new Map<string, number>();
  const took: number[] = [];
  const instances = new Informer<VirtualMachineInstance>(client, resources.virtualMachineInstances);
  const see = (vmi: VirtualMachineInstance): void => {
    const since = created.get(keyOf(vmi));
    if (vmi.status?.phase !== 'Running' || since === undefined) return;
    created.delete(keyOf(vmi));
    took.push(performance.now() - since);
  };
  instances.onChange({ add: see, update: see });
  await instances.start();
  const pids = PROGRAMS.map((name) => engine.componentPid(name));
  const memory = pids.map(pssMiB);
  const cpu = pids.map(cpuMs);
  const before = engine.audit().length;
  const started = performance.now();
  await writeConcurrently(vms, WRITERS, async (i) => {
    const vm = tinyVm(`vm-${i}`, { namespace: 'default' }) as KubeObject;
    created.set(keyOf(vm), performance.now());
    await client.create(resources.virtualMachines, vm);
  });
  const creating = (performance.now() - started) / 1000;
  await eventually(
    () => {
      if (took.length < vms) throw new Error(`${took.length} of ${vms} VMs run after ${LIMIT_MS / 1000} s`);
    },
    { limitMs: LIMIT_MS },
  );
  const seconds = (performance.now() - started) / 1000;
  await sleep(5_000);
  await instances.stop();
  const used = pids.map((pid, i) => cpuMs(pid) - cpu[i]!);
  const held = pids.map(pssMiB);
  const own = engine
    .audit()
    .slice(before)
    .filter(({ verb, userAgent }) => WRITES.includes(verb) && userAgent.startsWith('virt-'));
  const events = own.filter(({ resource }) => resource === 'events').length;
  const sorted = took.sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]! / 1000;
  const each = (values: readonly number[], digits: number, unit: string): string =>
    PROGRAMS.map((name, i) => `${name} ${values[i]!.toFixed(digits)} ${unit}`).join(', ');
  const perVm = (held[1]! - memory[1]!) * (1024 / vms);
  return [
    figure(
      'fleet-p95',
      at(0.95),
      's',
      60,
      `create to Running of ${vms} VMs on ${nodes} simulated nodes, by ${WRITERS} writers within ${creating.toFixed(0)} s; ` +
        `p50 ${at(0.5).toFixed(1)} s, all after ${seconds.toFixed(0)} s`,
    ),
    figure(
      'fleet-writes',
      (own.length - events) / vms + 1,
      'API writes per VM',
      6,
      `of virt-controller and virt-api, and the one of virt-handler; besides ${(events / vms).toFixed(1)} events`,
    ),
    figure('fleet-cpu', used[1]! / vms, 'ms CPU per VM', 15, `of virt-controller; all: ${each(used, 0, 'ms')}`),
    figure(
      'fleet-memory',
      perVm,
      'KiB per VM',
      64,
      `by which virt-controller grows: VM, VMI and Pod; before: ${each(memory, 0, 'MiB')}; after: ${each(held, 0, 'MiB')}`,
    ),
  ];
}
