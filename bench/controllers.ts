import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { KubeObject, VirtualMachineInstance } from '../src/api';
import { clusterConfig } from '../src/api/cluster-config';
import { errorText } from '../src/api/error-text';
import { mutateVirtualMachineInstance } from '../src/api/mutate';
import { KubeClient, loadKubeConfig, resources } from '../src/runtime/kube';
import { sleep } from '../test/support/engine';
import { cpuMs, pssMiB, residentMiB } from './memory';
import { nowhere } from './scale';
import { writeConcurrently } from './writers';

const USAGE = `Compares programs that create the Pods of instances, one after the other on the same API server.

  npx tsx bench/controllers.ts --kubeconfig FILE [--count 500] NAME=COMMAND…

The cluster must have the definitions, a namespace "kubevirt" with a KubeVirt object, and no virt-controller. The instances fit
no node, and are complete, as virt-api would store them: nothing but the controller and the API server works.
The namespace "default" loses its instances and Pods.`;

const NAMESPACE = 'default';
const WRITERS = 10;
const LIMIT_MS = 300_000;
/** Time in which a controller lists everything and gets its lease. */
const START_MS = 15_000;
/** Time for what follows after the last Pod exists. */
const SETTLE_MS = 5_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { kubeconfig: { type: 'string' }, count: { type: 'string', default: '500' } },
    allowPositionals: true,
  });
  const count = Number(values.count);
  const isValid = count >= 1 && positionals.length > 0 && positionals.every((each) => /^[^=]+=./.test(each));
  if (!values.kubeconfig || !isValid) throw new Error(USAGE);
  const client = new KubeClient(loadKubeConfig(values.kubeconfig), { userAgent: 'bench' });
  const rows: Record<string, object> = {};
  for (const each of positionals) {
    const [name = '', ...command] = each.split('=');
    await clean(client);
    rows[name] = await measure(client, command.join('='), count);
  }
  await clean(client);
  client.close();
  console.table(rows);
}

async function measure(client: KubeClient, command: string, count: number): Promise<object> {
  const controller = spawn('sh', ['-c', `exec ${command}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((done) => controller.once('exit', done));
  const pid = controller.pid!;
  try {
    await sleep(START_MS);
    const cpu = cpuMs(pid);
    const started = performance.now();
    const creating = writeConcurrently(count, WRITERS, (i) =>
      client.create(resources.virtualMachineInstances, complete(nowhere(`vmi-${i}`))),
    );
    // reported below
    creating.catch(() => undefined);
    let pods = 0;
    while (pods < count && performance.now() - started < LIMIT_MS) {
      await sleep(100);
      pods = await countPods(client);
    }
    const seconds = (performance.now() - started) / 1000;
    await creating;
    if (pods < count) throw new Error(`only ${pods} of ${count} Pods exist after ${LIMIT_MS / 1000} s: ${command}`);
    const untilPods = cpuMs(pid) - cpu;
    await sleep(SETTLE_MS);
    return {
      's until Pods': seconds.toFixed(1),
      'CPU s until Pods': (untilPods / 1000).toFixed(2),
      'CPU s 5 s later': ((cpuMs(pid) - cpu) / 1000).toFixed(2),
      'PSS MiB': pssMiB(pid).toFixed(0),
      'peak RSS MiB': residentMiB(pid, 'VmHWM').toFixed(0),
    };
  } finally {
    controller.kill();
    await ended;
  }
}

/** As virt-api would store it. */
function complete(instance: object): KubeObject {
  return mutateVirtualMachineInstance(instance as VirtualMachineInstance, clusterConfig()) as KubeObject;
}

async function countPods(client: KubeClient): Promise<number> {
  const page = await client.request<{ items: unknown[]; metadata: { remainingItemCount?: number } }>(
    'GET',
    `/api/v1/namespaces/${NAMESPACE}/pods?limit=1`,
  );
  return page.items.length + (page.metadata.remainingItemCount ?? 0);
}

/** Deletes all instances and Pods with their finalizers, and the lease of the last controller. */
async function clean(client: KubeClient): Promise<void> {
  for (const resource of [resources.virtualMachineInstances, resources.pods]) {
    const { items } = await client.list(resource, { namespace: NAMESPACE });
    await writeConcurrently(items.length, WRITERS, async (i) => {
      const { name = '', finalizers = [] } = items[i]!.metadata;
      const ref = { name, namespace: NAMESPACE };
      if (finalizers.length > 0) await client.patch(resource, ref, { metadata: { finalizers: null } }, 'merge');
      await client.delete(resource, ref, { gracePeriodSeconds: 0 }).catch(() => undefined);
    });
  }
  await client.delete(resources.leases, { name: 'virt-controller', namespace: 'kubevirt' }, {}).catch(() => undefined);
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
