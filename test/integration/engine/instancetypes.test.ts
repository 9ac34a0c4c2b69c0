/** @needs guest */
import { BLANK, eventually, httpGet, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';

const api = 'instancetype.kubevirt.io/v1beta1';
const instancetype = (name: string, guest: number, memory: string): object => ({
  apiVersion: api,
  kind: 'VirtualMachineClusterInstancetype',
  metadata: { name },
  spec: { cpu: { guest }, memory: { guest: memory } },
});
const preference = {
  apiVersion: api,
  kind: 'VirtualMachineClusterPreference',
  metadata: { name: 'cores' },
  spec: { cpu: { preferredCPUTopology: 'cores' }, devices: { preferredDiskBus: 'virtio' } },
};
const report =
  '#cloud-config\nruncmd:\n' +
  '  - sh -c "echo cpus $(nproc) memory $(sed -n s/MemTotal:\\\\s*//p /proc/meminfo) > /var/www/index.html"\n';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests change any field
function sized(name: string, type: string, change: (vm: any) => void = () => {}): object {
  const image = name === 'sized' ? undefined : BLANK;
  const vm = JSON.parse(JSON.stringify(tinyVm(name, { userData: report, graceSeconds: 0, image })));
  delete vm.spec.template.spec.domain.memory;
  vm.spec.instancetype = { name: type };
  change(vm);
  return vm;
}

/** VMs that get their size and their devices' defaults by reference, on the real engine. */
describe('a VM with an instance type and a preference', () => {
  let engine: SuiteEngine;
  beforeAll(async () => void (engine = await SuiteEngine.begin()));
  afterAll(async () => {
    const kinds = 'virtualmachineclusterinstancetypes,virtualmachineclusterpreferences';
    await engine.kubectl('delete', kinds, '--all', '--timeout=5m');
    expect(await engine.end()).toEqual([]);
  });

  test('keeps a copy of both, and boots with the CPUs, memory and disks of the copy', async () => {
    await engine.mustApply([instancetype('duo', 2, '300Mi'), preference]);
    await engine.mustApply(
      sized('sized', 'duo', ({ spec }) => {
        spec.runStrategy = 'Halted';
        spec.preference = { name: 'cores' };
        // disks without a bus
        spec.template.spec.domain.devices.disks = [];
      }),
    );
    const { uid, generation } = (await engine.get('virtualmachineclusterinstancetype', 'duo')).metadata;
    const kept = await eventually(async () => {
      const { status } = await engine.get('vm', 'sized');
      expect(status.instancetypeRef).toEqual({
        name: 'duo',
        controllerRevisionRef: { name: `sized-duo-v1beta1-${uid}-${generation}` },
      });
      return [status.instancetypeRef, status.preferenceRef].map(
        ({ controllerRevisionRef }) => controllerRevisionRef.name,
      );
    });
    const revisions = await engine.list('controllerrevisions');
    expect(revisions.map(({ metadata }) => metadata.name).sort()).toEqual(kept.sort());

    // what the type becomes later is not the VM's
    await engine.mustApply(instancetype('duo', 4, '400Mi'));
    expect((await engine.virt8s('start', 'sized')).code).toBe(0);
    await engine.vmBecomes('sized', 'Running');
    const { metadata, spec } = await engine.get('vmi', 'sized');
    expect(spec.domain.cpu).toMatchObject({ cores: 2, sockets: 1, threads: 1 });
    expect(spec.domain.devices.disks.map(({ disk }: { disk: { bus: string } }) => disk.bus)).toEqual([
      'virtio',
      'virtio',
    ]);
    expect(metadata.annotations['kubevirt.io/cluster-instancetype-name']).toBe('duo');
    const page = await eventually(async () => {
      const text = await httpGet(await engine.podIp('sized'));
      expect(text).toMatch(/^cpus \d+ memory \d+/);
      return text;
    });
    const [, cpus, kilobytes] = /^cpus (\d+) memory (\d+)/.exec(page)!.map(Number);
    expect(cpus).toBe(2);
    expect(kilobytes).toBeGreaterThan(200 * 1024);
    expect(kilobytes).toBeLessThan(300 * 1024);
    await engine.kubectl('delete', 'vm', 'sized', '--timeout=5m');
    await eventually(async () => expect(await engine.list('controllerrevisions')).toEqual([]));
  });

  test('reports an instance type that does not exist yet, and starts when it does', async () => {
    await engine.mustApply(sized('waits', 'later'));
    await eventually(async () => {
      const { status } = await engine.get('vm', 'waits');
      const failure = status.conditions.find(({ type }: { type: string }) => type === 'Failure');
      expect(failure.reason).toBe('FailedFindInstancetype');
      expect(failure.message).toMatch(/"later" not found; create it/);
    });
    const events = await engine.kubectl('get', 'events', '--field-selector', 'involvedObject.name=waits');
    expect(events).toMatch(/Warning\s+FailedFindInstancetype/);
    await engine.mustApply(instancetype('later', 1, '256Mi'));
    await engine.vmBecomes('waits', 'Running');
    const { status } = await engine.get('vm', 'waits');
    expect(status.conditions.map(({ type }: { type: string }) => type)).not.toContain('Failure');
    await engine.kubectl('delete', 'vm', 'waits', '--timeout=5m');
  });

  test('is rejected when it sets what its instance type sets, by the names of the fields', async () => {
    await engine.mustApply(instancetype('full', 2, '300Mi'));
    const { code, stderr } = await engine.apply(
      sized('clash', 'full', ({ spec }) => (spec.template.spec.domain.memory = { guest: '1Gi' })),
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain('spec.template.spec.domain.memory.guest conflicts with selected instance type');
    expect(stderr).toContain('remove the field from the VM');
  });

  test('is shown with all fields of both by expand-spec', async () => {
    await engine.mustApply(instancetype('shown', 2, '300Mi'));
    await engine.mustApply(sized('shown', 'shown', ({ spec }) => (spec.runStrategy = 'Halted')));
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${engine.namespace}`;
    const expanded = JSON.parse(await engine.kubectl('get', '--raw', `${path}/virtualmachines/shown/expand-spec`));
    expect(expanded.spec.instancetype).toBeUndefined();
    expect(expanded.spec.template.spec.domain).toMatchObject({ cpu: { sockets: 2 }, memory: { guest: '300Mi' } });
    const { stderr } = await engine.run('kubectl', ['replace', '--raw', `${path}/expand-vm-spec`, '-f', '-'], '{}');
    expect(stderr).toContain('Object is not a valid VirtualMachine');
    await engine.kubectl('delete', 'vm', 'shown');
  });
});
