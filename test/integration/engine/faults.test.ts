/** @needs guest */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { BLANK, eventually, TestEngine, tinyVm } from '../../support/engine';
import { PrivateImages } from '../../support/images';

const blank = { graceSeconds: 0, image: BLANK };

/** The VM reports cause and remedy, and starts automatically once the cause is gone. */
describe('a VM that cannot start', () => {
  const images = new PrivateImages();
  let engine: TestEngine;
  beforeAll(async () => void (engine = await TestEngine.start({ cache: images.cache })));
  afterAll(async () => {
    await engine.down();
    images.remove();
    expect(await engine.leftovers()).toEqual([]);
  });

  /** Waits until a condition of the VM and an event on it have a message that matches. */
  const reports = (name: string, pattern: RegExp): Promise<void> =>
    eventually(
      async () => {
        const vm = await engine.get('vm', name);
        const conditions = (vm.status?.conditions ?? []).map((c: { message?: string }) => c.message ?? '');
        expect(conditions.join('\n')).toMatch(pattern);
        const events = await engine.list(
          'events',
          '--field-selector',
          `involvedObject.kind=VirtualMachine,involvedObject.name=${name}`,
        );
        expect(events.map((event) => event.message).join('\n')).toMatch(pattern);
      },
      { everyMs: 500 },
    );

  const remove = (name: string): Promise<string> => engine.kubectl('delete', 'vm', name, '--timeout=5m');

  test('without its image names the image, and starts when it exists', async () => {
    await engine.mustApply(tinyVm('image', { graceSeconds: 0, image: 'localhost/virt8s/nothing:here' }));
    await reports('image', /localhost\/virt8s\/nothing:here/);
    expect((await engine.get('vm', 'image')).status.printableStatus).toMatch(/ErrImagePull|ImagePullBackOff/);
    images.name('localhost/virt8s/nothing:here', BLANK);
    await engine.vmBecomes('image', 'Running');
    const conditions: { type: string }[] = (await engine.get('vm', 'image')).status.conditions;
    expect(conditions.map(({ type }) => type)).not.toContain('Synchronized');
    await remove('image');
  });

  test('whose image contains no disk reports it, and starts with another image', async () => {
    await engine.mustApply(tinyVm('diskless', { graceSeconds: 0, image: 'localhost/virt8s/virt-launcher:dev' }));
    await reports('diskless', /disk "root": the image has no \/disk; /);
    await engine.mustApply(tinyVm('diskless', blank));
    await engine.vmBecomes('diskless', 'Running');
    await remove('diskless');
  });

  test('without its claim names the claim, and starts when it exists', async () => {
    const vm = JSON.parse(JSON.stringify(tinyVm('claim', blank)));
    const spec = vm.spec.template.spec;
    spec.domain.devices.disks.push({ name: 'data', disk: { bus: 'virtio' } });
    spec.volumes.push({ name: 'data', persistentVolumeClaim: { claimName: 'not-yet' } });
    await engine.mustApply(vm);
    await reports('claim', /"not-yet" does not exist .*; create it/);
    expect((await engine.get('vm', 'claim')).status.printableStatus).toBe('ErrorPvcNotFound');
    await engine.mustApply({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'not-yet', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '256Mi' } } },
    });
    await engine.vmBecomes('claim', 'Running');
    await remove('claim');
  });

  test('that requests more memory than the machine has reports how much there is, and starts when it requests less', async () => {
    await engine.mustApply(tinyVm('huge', { ...blank, memory: '900Gi' }));
    await reports('huge', /needs \S+Mi of memory .* has \d+Mi; lower spec\.domain\.memory\.guest/);
    expect((await engine.get('vm', 'huge')).status.printableStatus).toBe('ErrorUnschedulable');
    await engine.mustApply(tinyVm('huge', { ...blank, memory: '256Mi' }));
    await engine.vmBecomes('huge', 'Running');
    await remove('huge');
  });

  test('without KVM reports why it does not work, and starts when emulation is allowed', async () => {
    const allow = (useEmulation: boolean): Promise<string> =>
      engine.kubectl(
        'patch',
        'kubevirt',
        'kubevirt',
        '-n',
        'kubevirt',
        '--type=merge',
        '-p',
        JSON.stringify({ spec: { configuration: { developerConfiguration: { useEmulation } } } }),
      );
    const [node] = await engine.list('node');
    if (
      node.status.allocatable['devices.kubevirt.io/kvm'] !== '0' &&
      node.status.allocatable['devices.kubevirt.io/kvm']
    ) {
      throw new Error('this machine has a working KVM: this test needs one without');
    }
    await allow(false);
    await engine.mustApply(tinyVm('kvm', blank));
    await reports('kvm', /kvm[\s\S]*useEmulation/i);
    await allow(true);
    await engine.vmBecomes('kvm', 'Running');
    await remove('kvm');
  });
});

/** The port is tried before anything is made. */
test('an engine whose port is in use reports it in one line and changes nothing', async () => {
  const busy = createServer();
  const port = await new Promise<number>((done) =>
    busy.listen(0, '127.0.0.1', () => done((busy.address() as { port: number }).port)),
  );
  const stateDir = '/var/lib/virt8s-test-port-in-use';
  const engine = TestEngine.at(stateDir);
  const { code, stdout, stderr } = await engine.virt8s('up', '--port', String(port));
  busy.close();
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`port ${port} on 127.0.0.1 is in use; choose`)]);
  expect(stdout).toBe('');
  expect(existsSync(stateDir)).toBe(false);
  expect(await engine.leftovers()).toEqual([]);
});
