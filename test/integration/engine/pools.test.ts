/** @needs guest */
import { eventually, httpGet, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';

/** Serves what the first guest on this disk wrote to it. */
const MARK = `#!/bin/sh
[ "$(head -c 4 /dev/vdc)" = mark ] || { printf mark; cat /proc/sys/kernel/random/boot_id; } >/dev/vdc
sync
head -c 40 /dev/vdc >/var/www/mark
`;

/** A pool of tiny guests, each with its own disk. */
function poolOf(name: string, spec: object, memory = '200Mi'): object {
  const { spec: machine } = JSON.parse(JSON.stringify(tinyVm(name, { memory, graceSeconds: 1, userData: MARK })));
  const { domain, volumes } = machine.template.spec;
  machine.template.spec.readinessProbe = { httpGet: { port: 80 }, periodSeconds: 1, timeoutSeconds: 15 };
  domain.devices.disks.push({ name: 'data', disk: { bus: 'virtio' } });
  volumes.push({ name: 'data', dataVolume: { name: `${name}-data` } });
  const storage = { resources: { requests: { storage: '64Mi' } } };
  machine.dataVolumeTemplates = [{ metadata: { name: `${name}-data` }, spec: { source: { blank: {} }, storage } }];
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      virtualMachineTemplate: { metadata: { labels: { app: name } }, spec: machine },
      ...spec,
    },
  };
}

const inOrder = { selectionPolicy: { sortPolicy: 'DescendingOrder' } };
const kept = { scaleInStrategy: { proactive: { ...inOrder, statePreservation: 'Offline' } } };
const oneByOne = { maxUnavailable: 1, updateStrategy: { proactive: inOrder } };

describe('a pool of VMs', () => {
  let engine: SuiteEngine;

  beforeAll(async () => void (engine = await SuiteEngine.begin()));
  afterAll(async () => {
    expect(await engine.end()).toEqual([]);
  });

  const names = async (kind: string, pool: string): Promise<string[]> =>
    (await engine.list(kind)).map(({ metadata }) => metadata.name as string).filter((each) => each.startsWith(pool));
  /** Waits at a rate that leaves the processors to the guests. */
  const whenever = <T>(attempt: () => Promise<T>): Promise<T> => eventually(attempt, { everyMs: 500 });
  const becomes = async (pool: string, replicas: number): Promise<void> => {
    const wanted = { replicas, readyReplicas: replicas };
    const attempt = async () => expect((await engine.get('vmpool', pool)).status).toMatchObject(wanted);
    await whenever(attempt).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await engine.kubectl('get', 'vm,vmi,dv,events')}`);
    });
  };
  const bootOf = (vm: string): Promise<string> => whenever(async () => (await engine.guest(vm)).boot_id);
  const markOf = (vm: string): Promise<string> =>
    whenever(async () => {
      const mark = await httpGet(await engine.podIp(vm), '/mark');
      // the file is empty until the guest has read its disk
      expect(mark).toMatch(/^mark[0-9a-f-]{36}$/m);
      return mark;
    });
  const uid = async (kind: string, name: string): Promise<string> => (await engine.get(kind, name)).metadata.uid;

  test('runs numbered VMs with a disk each, and replaces one that is deleted', async () => {
    await engine.mustApply(poolOf('web', { replicas: 2, ...kept, ...oneByOne }));
    await becomes('web', 2);
    expect(await names('vm', 'web')).toEqual(['web-0', 'web-1']);
    expect(await names('pvc', 'web')).toEqual(['web-data-0', 'web-data-1']);
    const { spec } = await engine.get('vmi', 'web-1');
    expect(spec.volumes).toContainEqual({ name: 'data', dataVolume: { name: 'web-data-1' } });
    expect((await engine.get('pvc', 'web-data-0')).status.phase).toBe('Bound');
    expect(await engine.kubectl('get', 'vmpool', 'web')).toMatch(/DESIRED +CURRENT +READY.*\nweb +2 +2 +2 /);
  });

  test('removes the VM with the highest number, and keeps its disk for its return', async () => {
    const [disk, boot] = [await uid('pvc', 'web-data-1'), await bootOf('web-0')];
    const mark = await markOf('web-1');
    await engine.kubectl('scale', 'vmpool', 'web', '--replicas=1');
    await whenever(async () => expect(await names('vm', 'web')).toEqual(['web-0']));
    await becomes('web', 1);
    // a kill of the controller while it creates VMs again
    await engine.kubectl('scale', 'vmpool', 'web', '--replicas=2');
    process.kill(engine.componentPid('virt-controller'), 'SIGKILL');
    await becomes('web', 2);
    expect(await names('vm', 'web')).toEqual(['web-0', 'web-1']);
    expect(await uid('pvc', 'web-data-1')).toBe(disk);
    expect(await markOf('web-1')).toBe(mark);
    expect(await bootOf('web-0')).toBe(boot);
    const { metadata } = await engine.get('dv', 'web-data-1');
    expect(metadata.ownerReferences).toEqual([expect.objectContaining({ uid: await uid('vm', 'web-1') })]);
  });

  test('restarts one guest after the other when its template changes', async () => {
    const before = await Promise.all(['web-0', 'web-1'].map((name) => engine.get('vm', name)));
    const boots = await Promise.all(['web-0', 'web-1'].map(bootOf));
    await engine.mustApply(poolOf('web', { replicas: 2, ...kept, ...oneByOne }, '210Mi'));
    const unready = new Set<number>();
    await whenever(async () => {
      const vmis = await engine.list('vmi');
      const up = vmis.filter(({ status }) =>
        status?.conditions?.some((c: { type: string; status: string }) => c.type === 'Ready' && c.status === 'True'),
      );
      unready.add(2 - up.length);
      expect(up.map(({ spec }) => spec.domain.memory.guest)).toEqual(['210Mi', '210Mi']);
    });
    expect([...unready].sort()).toEqual([0, 1]);
    for (const [i, { metadata }] of before.entries()) {
      expect(await uid('vm', metadata.name)).toBe(metadata.uid);
      expect(await bootOf(metadata.name)).not.toBe(boots[i]);
    }
  });

  test('replaces a VM that cannot start, and reports what it did', async () => {
    const broken = JSON.parse(
      JSON.stringify(poolOf('sick', { replicas: 1, autohealing: { minFailingToStartDuration: '1s' } })),
    );
    broken.spec.virtualMachineTemplate.spec.template.spec.volumes[0].containerDisk.image = 'localhost/virt8s/absent:1';
    await engine.mustApply(broken);
    const first = await whenever(() => uid('vm', 'sick-0'));
    await whenever(async () => expect(await uid('vm', 'sick-0')).not.toBe(first));
    const message = expect.stringMatching(/^Deleted VM sick-0: it does not start \((Err|ImagePull)/);
    await whenever(async () => {
      const events = await engine.list('events', '--field-selector', 'involvedObject.name=sick');
      expect(events).toContainEqual(expect.objectContaining({ message }));
    });
    await engine.kubectl('delete', 'vmpool', 'sick', '--timeout=5m');
    await whenever(async () => expect(await names('vm,pvc', 'sick')).toEqual([]));
  });

  test('reports why it cannot create a VM', async () => {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'vms' } };
    await engine.mustApply({ ...quota, spec: { hard: { 'count/virtualmachines.kubevirt.io': '2' } } });
    await engine.kubectl('scale', 'vmpool', 'web', '--replicas=3');
    await whenever(async () => {
      const { status } = await engine.get('vmpool', 'web');
      expect(status.conditions).toEqual([
        expect.objectContaining({
          type: 'ReplicaFailure',
          reason: 'FailedScaleOut',
          message: expect.stringContaining('exceeded quota'),
        }),
      ]);
    });
    await engine.kubectl('scale', 'vmpool', 'web', '--replicas=2');
    await whenever(async () => expect((await engine.get('vmpool', 'web')).status.conditions).toEqual([]));
  });

  test('releases a VM that loses its label, and leaves nothing but that when it is deleted', async () => {
    const boot = await bootOf('web-0');
    await engine.kubectl('patch', 'vmpool', 'web', '--type=merge', '-p', '{"spec":{"paused":true}}');
    await engine.kubectl('label', 'vm', 'web-0', 'app-');
    await whenever(async () => {
      const { metadata } = await engine.get('vm', 'web-0');
      expect([metadata.ownerReferences ?? [], metadata.finalizers]).toEqual([
        [],
        ['kubevirt.io/virtualMachineControllerFinalize'],
      ]);
    });
    await engine.kubectl('delete', 'vmpool', 'web', '--cascade=foreground', '--timeout=5m');
    expect(await names('vm', 'web')).toEqual(['web-0']);
    expect(await bootOf('web-0')).toBe(boot);
    await engine.kubectl('delete', 'vm', 'web-0', '--timeout=5m');
    await whenever(async () => expect(await names('pvc,dv,pods', 'web')).toEqual([]));
  });
});
