import { eventually, httpGet, sleep, TestEngine, tinyVm } from '../test/support/engine';
import { GUEST_SHELL, inGuest } from '../test/support/guest-shell';
import { type Figure, figure, median } from './figure';

/** Measures on an engine of its own. */
async function withEngine(measure: (engine: TestEngine) => Promise<Figure>): Promise<Figure[]> {
  const engine = await TestEngine.start();
  try {
    return [await measure(engine)];
  } finally {
    await engine.down();
  }
}

/** A DataVolume that is filled without a consumer. */
export const boundAtOnce = (
  name: string,
  source: object,
  volumeMode: 'Block' | 'Filesystem',
  storage: string,
): object => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: {
    name,
    namespace: 'default',
    annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' },
  },
  spec: { source, storage: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage } } } },
});

const claim = (name: string, volumeMode: 'Block' | 'Filesystem'): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage: '256Mi' } } },
});

/** Time from the request that attaches a bound claim until the guest has its device. */
export const benchHotplug = (rounds: number): Promise<Figure[]> =>
  withEngine(async (engine) => {
    await engine.mustApply([tinyVm('plug', { userData: GUEST_SHELL, graceSeconds: 0 }), claim('data', 'Filesystem')]);
    await engine.vmBecomes('plug', 'Running');
    await engine.guest('plug');
    const hasDevice = async (): Promise<boolean> => (await inGuest(engine, 'plug', 'ls /dev/sda')) === '/dev/sda';
    const request = async (verb: string, body: object): Promise<void> => {
      const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachines/plug/${verb}`;
      const { code, stderr } = await engine.run('kubectl', ['replace', '--raw', path, '-f', '-'], JSON.stringify(body));
      if (code !== 0) throw new Error(stderr);
    };
    const attach = {
      name: 'data',
      disk: { name: 'data', disk: { bus: 'scsi' } },
      volumeSource: { persistentVolumeClaim: { claimName: 'data', hotpluggable: true } },
    };
    const seconds: number[] = [];
    // the first one binds the claim, and does not count
    for (let round = 0; round <= rounds; round++) {
      const start = process.hrtime.bigint();
      await request('addvolume', attach);
      for (const limit = Date.now() + 60_000; !(await hasDevice());) {
        if (Date.now() > limit) throw new Error('the guest has no device after a minute');
        await sleep(10);
      }
      if (round > 0) seconds.push(Number(process.hrtime.bigint() - start) / 1e9);
      await request('removevolume', { name: 'data' });
      await eventually(async () => {
        const { status } = await engine.get('vmi', 'plug');
        if (status.volumeStatus.some(({ name }: { name: string }) => name === 'data'))
          throw new Error('still attached');
      });
      await eventually(async () => {
        if ((await engine.list('pods', '-l', 'kubevirt.io=hotplug-disk')).length > 0) throw new Error('a Pod is left');
      });
    }
    const method = `median of ${rounds} attachments of a claim, from the start of kubectl to the device in the guest; slowest ${Math.max(...seconds).toFixed(2)} s`;
    return figure('hotplug', median(seconds), 's', 1, method);
  });

const AGENT = '#!/bin/sh\nagent\n';

/** Time for which the file systems of a guest are frozen, by the guest's own clock, while its disks are taken. */
export const benchSnapshot = (rounds: number): Promise<Figure[]> =>
  withEngine(async (engine) => {
    const vm = tinyVm('db', { userData: AGENT }) as {
      spec: { template: { spec: { domain: { devices: { disks: object[] } }; volumes: object[] } } };
    };
    const { domain, volumes } = vm.spec.template.spec;
    domain.devices.disks.push({ name: 'data', disk: { bus: 'virtio' } });
    volumes.push({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
    await engine.mustApply([claim('data', 'Block'), vm]);
    await eventually(async () => {
      const { status } = await engine.get('vmi', 'db');
      if (!status.conditions.some(({ type }: { type: string }) => type === 'AgentConnected'))
        throw new Error('no agent');
    });
    for (let round = 0; round < rounds; round++) {
      await engine.mustApply({
        apiVersion: 'snapshot.kubevirt.io/v1beta1',
        kind: 'VirtualMachineSnapshot',
        metadata: { name: `round-${round}`, namespace: 'default' },
        spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' } },
      });
      await eventually(async () => {
        const { status } = await engine.get('vmsnapshot', `round-${round}`);
        if (!status?.readyToUse) throw new Error(`round ${round}: ${JSON.stringify(status)}`);
      });
    }
    const lines = (await httpGet(await engine.podIp('db'), '/freezes')).trim().split('\n');
    const times = lines.map((line) => Number(line.split(' ')[1]) * 1000);
    const pauses = Array.from({ length: rounds }, (_, i) => times[2 * i + 1]! - times[2 * i]!);
    const method = `median of ${rounds} snapshots with an agent; longest ${Math.max(...pauses).toFixed(0)} ms`;
    return figure('snapshot freeze', median(pauses), 'ms', 100, method);
  });

const QUIET_SECONDS = 60;

/** Requests of the controller for finished DataVolumes, beyond those that it makes without any. */
export const benchFinished = (count: number): Promise<Figure[]> =>
  withEngine(async (engine) => {
    const names = Array.from({ length: count }, (_, i) => `done-${i}`);
    const before = await controllerRequests(engine);
    await engine.mustApply(names.map((name) => boundAtOnce(name, { blank: {} }, 'Filesystem', '8Mi')));
    await eventually(
      async () => {
        const done = (await engine.list('datavolumes')).filter(({ status }) => status?.phase === 'Succeeded');
        if (done.length < count) throw new Error(`${done.length} of ${count} DataVolumes have finished`);
      },
      { everyMs: 2_000, limitMs: 1_200_000 },
    );
    const after = await controllerRequests(engine);
    const kinds = [...new Set(after)].join(', ') || 'none';
    const method = `by the controller for ${count} finished DataVolumes in ${QUIET_SECONDS} s, without its lease; ${before.length} without them; ${kinds}`;
    return figure('finished data volumes', Math.max(after.length - before.length, 0), 'requests', 0, method);
  });

/** Requests of the controller, without those for its lease, in a minute in which nothing happens. */
async function controllerRequests(engine: TestEngine): Promise<string[]> {
  await sleep(15_000);
  const before = engine.audit().length;
  await sleep(QUIET_SECONDS * 1000);
  return engine
    .audit()
    .slice(before)
    .filter(({ userAgent, resource }) => userAgent.startsWith('virt-controller/') && !resource.startsWith('leases'))
    .map(({ verb, resource }) => `${verb} ${resource}`);
}
