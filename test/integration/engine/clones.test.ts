/** @needs guest @tier all */
import { join } from 'node:path';
import { eventually, httpGet, TestEngine, tinyVm } from '../../support/engine';
import { guestDisk } from '../../support/guest-disk';
import { TestCa } from '../../support/pki';
import { WebServer } from '../../support/web-server';

const IMMEDIATE = { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' };

describe('clones', () => {
  let engine: TestEngine;
  let server: WebServer;

  beforeAll(async () => {
    const ca = await TestCa.create('authority');
    server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
    guestDisk('tiny', join(server.root, 'tiny.qcow2'));
    engine = await TestEngine.start();
    const [node] = await engine.list('nodes');
    const host = node.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
    for (const [name, volumeMode] of [
      ['golden', 'Filesystem'],
      ['golden-block', 'Block'],
    ] as const) {
      await engine.mustApply(dataVolume(name, { http: { url: server.url('tiny.qcow2', host) } }, { volumeMode }));
    }
    await engine.kubectl('create', 'namespace', 'team');
    await succeeds('golden');
    await succeeds('golden-block');
  });
  afterAll(async () => {
    await engine.down();
    server.stop();
    expect(await engine.leftovers()).toEqual([]);
  });

  const dataVolume = (name: string, source: object, storage: object = {}, namespace = 'default') => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name, namespace, annotations: IMMEDIATE },
    spec: { source, storage: { resources: { requests: { storage: '64Mi' } }, ...storage } },
  });
  const size = (storage: string): object => ({ resources: { requests: { storage } } });
  const pvc = (name: string, namespace = 'default'): object => ({ pvc: { name, namespace } });
  const succeeds = (name: string, namespace = 'default'): Promise<void> =>
    eventually(async () => {
      const { status } = await engine.get('dv', name, namespace);
      if (status?.phase !== 'Succeeded') throw new Error(`${name}: ${JSON.stringify(status)}`);
    });
  const waitsBecause = (name: string, reason: string, message: RegExp, namespace = 'default'): Promise<void> =>
    eventually(async () => {
      const { status } = await engine.get('dv', name, namespace);
      expect(status?.conditions).toContainEqual(
        expect.objectContaining({ status: 'False', reason, message: expect.stringMatching(message) }),
      );
    });
  const clonedBy = async (name: string, namespace = 'default'): Promise<string> =>
    (await engine.get('pvc', name, namespace)).metadata.annotations['cdi.kubevirt.io/cloneType'];
  /** Runs a VM on the claim until its guest answers. Answers the size of the disk. */
  const boots = async (claim: string, namespace = 'default'): Promise<number> => {
    const name = `vm-${claim}`;
    const vm = tinyVm(name, { graceSeconds: 0 }) as {
      metadata: { namespace?: string };
      spec: { template: { spec: { volumes: object[] } } };
    };
    vm.metadata.namespace = namespace;
    vm.spec.template.spec.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: claim } }];
    await engine.mustApply(vm);
    await eventually(async () => {
      const [pod] = await engine.list('pods', '-n', namespace, '-l', `vm.kubevirt.io/name=${name}`);
      await httpGet(pod.status.podIP, '/cgi-bin/status');
    });
    const [pod] = await engine.list('pods', '-n', namespace, '-l', `vm.kubevirt.io/name=${name}`);
    const file = '/var/run/kubevirt-private/vmi-disks/root/disk.img';
    const device = '$(printf %d:%d 0x$(stat -Lc %t /dev/root) 0x$(stat -Lc %T /dev/root))';
    const sectors = `$(cat /sys/dev/block/${device}/size)`;
    const script = `if [ -f ${file} ]; then stat -c %s ${file}; else echo $((${sectors} * 512)); fi`;
    const run = ['-n', namespace, pod.metadata.name, '-c', 'compute', '--', 'sh', '-c', script];
    const bytes = await engine.kubectl('exec', ...run);
    await engine.kubectl('delete', 'vm', name, '-n', namespace, '--timeout=5m');
    return Number(bytes);
  };
  const MIB = 1 << 20;
  const workPods = async (): Promise<string[]> =>
    engine
      .audit()
      .filter(({ verb, resource, name }) => verb === 'create' && resource === 'pods' && name.startsWith('importer-'))
      .map(({ name }) => name);

  test('of the same size are made by the storage, without a Pod', async () => {
    const before = (await workPods()).length;
    await engine.mustApply(dataVolume('same', pvc('golden')));
    await succeeds('same');
    expect(await clonedBy('same')).toBe('csi-clone');
    expect((await workPods()).slice(before)).toEqual([]);
    expect(await boots('same')).toBe(await boots('golden'));
  });

  test.each([
    ['Filesystem', 'Filesystem', 'golden', 'csi-clone'],
    ['Block', 'Block', 'golden-block', 'csi-clone'],
    ['Filesystem', 'Block', 'golden', 'copy'],
    ['Block', 'Filesystem', 'golden-block', 'copy'],
  ])('from %s to a larger %s have a larger disk, from which a guest boots', async (from, to, source, strategy) => {
    const name = `${from}-${to}`.toLowerCase();
    await engine.mustApply(dataVolume(name, pvc(source), { ...size('128Mi'), volumeMode: to }));
    await succeeds(name);
    expect(await clonedBy(name)).toBe(strategy);
    const bytes = await boots(name);
    expect(bytes).toBeGreaterThan(100 * MIB);
    expect(bytes).toBeLessThanOrEqual(128 * MIB);
    const events = await engine.list('events', `--field-selector=involvedObject.name=${name},type=Warning`);
    // the scheduler may see the Pod of a copy before its claim
    const reasons = events.map(({ reason }) => reason).filter((reason) => reason !== 'Unschedulable');
    expect(reasons).toEqual(from === to ? [] : ['IncompatibleVolumeModes', 'IncompatibleVolumeModes']);
  });

  test('into a smaller claim are refused with the size that is needed', async () => {
    await engine.mustApply(dataVolume('small', pvc('golden'), size('32Mi')));
    await waitsBecause('small', 'CloneValidationFailed', /request at least \d+ bytes/);
    await engine.kubectl('delete', 'dv', 'small', '--timeout=5m');
  });

  test('wait for a source that does not exist, and without a size have its size', async () => {
    await engine.mustApply(dataVolume('early', pvc('late'), { resources: undefined }));
    await waitsBecause('early', 'CloneWithoutSource', /default\/late does not exist/);
    await engine.mustApply(dataVolume('late', pvc('golden'), size('96Mi')));
    await succeeds('early');
    const [early, late] = await Promise.all([engine.get('pvc', 'early'), engine.get('pvc', 'late')]);
    expect(early.status.capacity.storage).toBe(late.status.capacity.storage);
  });

  test('wait for a VM that uses the source', async () => {
    const vm = tinyVm('writer', { graceSeconds: 0 }) as { spec: { template: { spec: { volumes: object[] } } } };
    vm.spec.template.spec.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'same' } }];
    await engine.mustApply(vm);
    await engine.guest('writer');
    await engine.mustApply(dataVolume('patient', pvc('same')));
    await waitsBecause('patient', 'CloneSourceInUse', /virt-launcher-writer-.* uses .*; stop it/);
    await engine.kubectl('delete', 'vm', 'writer', '--timeout=5m');
    await succeeds('patient');
  });

  test('of a snapshot have its content, also after the disk has changed', async () => {
    const snapshot = (name: string, claim: string) => ({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: { name, namespace: 'default' },
      spec: { source: { persistentVolumeClaimName: claim } },
    });
    // before there is anything to copy
    await engine.mustApply(dataVolume('restored', { snapshot: { name: 'nightly', namespace: 'default' } }));
    await engine.mustApply(snapshot('nightly', 'absent'));
    await eventually(async () => {
      const { status } = await engine.get('volumesnapshot', 'nightly');
      expect(status).toMatchObject({
        readyToUse: false,
        error: { message: expect.stringMatching(/"absent" does not/) },
      });
    });
    await engine.kubectl('delete', 'volumesnapshot', 'nightly', '--timeout=5m');

    // while a guest runs from it
    const vm = tinyVm('serving', { graceSeconds: 0 }) as { spec: { template: { spec: { volumes: object[] } } } };
    vm.spec.template.spec.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'same' } }];
    await engine.mustApply(vm);
    await engine.guest('serving');
    await engine.mustApply(snapshot('nightly', 'same'));
    await engine.kubectl('wait', 'volumesnapshot/nightly', '--for=jsonpath={.status.readyToUse}=true', '--timeout=5m');
    const { status } = await engine.get('volumesnapshot', 'nightly');
    const content = await engine.get('volumesnapshotcontent', status.boundVolumeSnapshotContentName);
    expect(Number(status.restoreSize)).toBe(content.status.restoreSize);
    expect(Math.floor(content.status.creationTime / 1e9)).toBe(Date.parse(status.creationTime) / 1000);
    await engine.kubectl('delete', 'vm', 'serving', '--timeout=5m');
    await succeeds('restored');
    expect(await clonedBy('restored')).toBe('snapshot');
    expect(await boots('restored')).toBe(await boots('same'));

    await engine.kubectl('delete', 'volumesnapshot', 'nightly', '--timeout=5m');
    expect(await engine.list('volumesnapshotcontents')).toEqual([]);
  });

  test('of a DataSource are made of what it names', async () => {
    await engine.mustApply({
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataSource',
      metadata: { name: 'tiny', namespace: 'default' },
      spec: { source: pvc('golden') },
    });
    const { spec, ...dv } = dataVolume('of-data-source', {});
    const { source: _source, ...rest } = spec;
    await engine.mustApply({ ...dv, spec: { ...rest, sourceRef: { kind: 'DataSource', name: 'tiny' } } });
    await succeeds('of-data-source');
  });

  describe('from another namespace', () => {
    const as = (user: string, object: object): Promise<{ code: number; stderr: string }> =>
      engine.run('kubectl', ['--as', user, 'create', '-f', '-'], JSON.stringify(object));

    beforeAll(async () => {
      for (const user of ['reader', 'stranger']) {
        await engine.kubectl('create', 'rolebinding', user, '-n', 'team', '--clusterrole=admin', `--user=${user}`);
      }
      const verbs = ['--verb=create', '--resource=datavolumes.cdi.kubevirt.io/source'];
      await engine.kubectl('create', 'role', 'cloner', ...verbs);
      await engine.kubectl('create', 'rolebinding', 'cloner', '--role=cloner', '--user=reader');
    });

    test('are refused to a user who may not read it', async () => {
      const { code, stderr } = await as('stranger', dataVolume('stolen', pvc('golden'), {}, 'team'));
      expect(code).toBe(1);
      expect(stderr).toMatch(/stranger.*insufficient permissions in clone source namespace default/i);
    });

    test('are made for a user who may, by the storage and by a Pod', async () => {
      for (const [name, volumeMode] of [
        ['shared', 'Filesystem'],
        ['shared-block', 'Block'],
      ] as const) {
        expect(await as('reader', dataVolume(name, pvc('golden'), { volumeMode }, 'team'))).toMatchObject({ code: 0 });
        await succeeds(name, 'team');
        await boots(name, 'team');
      }
    });

    test('are not made for a claim that only names it, until its ServiceAccount may read it', async () => {
      const metadata = { name: 'direct', namespace: 'team' };
      const objects = [
        {
          apiVersion: 'cdi.kubevirt.io/v1beta1',
          kind: 'VolumeCloneSource',
          metadata: { ...metadata, annotations: { 'cdi.kubevirt.io/dataSourceNamespace': 'default' } },
          spec: { source: { kind: 'PersistentVolumeClaim', name: 'golden' } },
        },
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { ...metadata, annotations: IMMEDIATE },
          spec: {
            accessModes: ['ReadWriteOnce'],
            ...size('128Mi'),
            dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeCloneSource', name: 'direct' },
          },
        },
      ];
      for (const object of objects) expect(await as('stranger', object)).toMatchObject({ code: 0 });
      await eventually(async () => {
        const [event] = await engine.list('events', '-n', 'team', '--field-selector=reason=CloneNotAuthorized');
        expect(event).toMatchObject({
          involvedObject: { name: 'direct' },
          message: expect.stringMatching(/ServiceAccount "default"/),
        });
      }).catch(async (error: unknown) => {
        throw new Error(`${String(error)}: ${JSON.stringify(await engine.list('events', '-n', 'team'))}`);
      });
      expect((await engine.get('pvc', 'direct', 'team')).status.phase).toBe('Pending');
      await engine.kubectl('create', 'rolebinding', 'team', '--role=cloner', '--serviceaccount=team:default');
      await eventually(async () => {
        expect((await engine.get('pvc', 'direct', 'team')).status.phase).toBe('Bound');
      });
    });
  });

  test('are not made by a VM of a user who may not read the source', async () => {
    const [template] = [dataVolume('vm-disk', pvc('golden'), {}, 'team')];
    const vm = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'thief', namespace: 'other-team' },
      spec: {
        runStrategy: 'Halted',
        dataVolumeTemplates: [{ metadata: { name: 'vm-disk' }, spec: template.spec }],
        template: {
          spec: {
            domain: { memory: { guest: '64Mi' }, devices: {} },
            volumes: [{ name: 'disk', dataVolume: { name: 'vm-disk' } }],
          },
        },
      },
    };
    await engine.kubectl('create', 'namespace', 'other-team');
    await engine.mustApply(vm);
    await eventually(async () => {
      const events = await engine.list('events', '-n', 'other-team', '--field-selector=reason=CloneNotAuthorized');
      expect(events.map(({ involvedObject }) => involvedObject.name)).toContain('vm-disk');
    });
    const { metadata, status } = await engine.get('dv', 'vm-disk', 'other-team');
    expect(metadata.annotations).not.toHaveProperty(['cdi.kubevirt.io/storage.clone.token']);
    expect(status.phase).not.toBe('Succeeded');
    await engine.kubectl('delete', 'namespace', 'other-team', '--timeout=5m');
  });

  test('leave nothing in the namespace of the source, also if they are deleted while they are made', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `aborted-${index}`);
    const [copy] = [{ volumeMode: 'Block' }];
    await engine.mustApply(names.map((name) => dataVolume(name, pvc('golden'), copy, 'team')));
    const primes = async (): Promise<string[]> =>
      (await engine.list('pvc', '-A')).map(({ metadata }) => metadata.name).filter((name) => name.startsWith('prime-'));
    await eventually(async () => expect(await primes()).not.toEqual([]));
    process.kill(engine.componentPid('virt-controller'), 'SIGKILL');
    await engine.kubectl('delete', 'dv', '-n', 'team', '--all', '--timeout=5m');
    await engine.kubectl('delete', 'pvc', '-n', 'team', '--all', '--timeout=5m');
    // claims of the same names do not keep what served the first ones
    await engine.mustApply(names.map((name) => dataVolume(name, pvc('golden'), {}, 'team')));
    for (const name of names) await succeeds(name, 'team');
    await eventually(async () => expect(await primes()).toEqual([]));
    await engine.kubectl('delete', 'dv', '-n', 'team', '--all', '--timeout=5m');
    await eventually(async () => {
      expect(await primes()).toEqual([]);
      expect(await engine.list('pods', '-A', '-l', 'app=containerized-data-importer')).toEqual([]);
      expect(await engine.list('volumeclonesources', '-n', 'default')).toEqual([]);
      const volumes = await engine.list('pv');
      expect(volumes.filter(({ spec }) => spec.claimRef.namespace === 'team')).toEqual([]);
    });
  });

  test('and other disks get another namespace by a transfer, with their volume', async () => {
    const move = (name: string, kind: string, source: object, target: object) => ({
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'ObjectTransfer',
      metadata: { name },
      spec: { source: { kind, ...source }, target },
    });
    const completes = (name: string): Promise<void> =>
      eventually(async () => {
        const { status } = await engine.get('objecttransfer', name);
        if (status?.phase !== 'Complete') throw new Error(`${name}: ${JSON.stringify(status)}`);
      });
    await engine.mustApply(dataVolume('mover', pvc('golden')));
    await succeeds('mover');
    const { spec } = await engine.get('pvc', 'mover');
    const nowhere = { namespace: 'nowhere', name: 'moved' };
    await engine.mustApply(move('lost', 'DataVolume', { namespace: 'default', name: 'mover' }, nowhere));
    await eventually(async () => {
      const { status } = await engine.get('objecttransfer', 'lost');
      expect(status.conditions[0].message).toMatch(/namespaces "nowhere" not found/);
    });
    expect((await engine.get('dv', 'mover')).status.phase).toBe('Succeeded');
    await engine.kubectl('create', 'namespace', 'nowhere');
    await completes('lost');
    expect((await engine.get('pvc', 'moved', 'nowhere')).spec.volumeName).toBe(spec.volumeName);
    await engine.kubectl('delete', 'objecttransfer', 'lost', '--timeout=5m');
    // a claim without a DataVolume
    await engine.kubectl('delete', 'dv', 'moved', '-n', 'nowhere', '--cascade=orphan', '--timeout=5m');
    await engine.mustApply(
      move('back', 'PersistentVolumeClaim', { namespace: 'nowhere', name: 'moved' }, { namespace: 'team' }),
    );
    await completes('back');
    expect(await engine.list('pvc', '-n', 'nowhere')).toEqual([]);
    await boots('moved', 'team');
    const [volume] = (await engine.list('pv')).filter(({ metadata }) => metadata.name === spec.volumeName);
    expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Delete');
    await engine.kubectl('delete', 'pvc', 'moved', '-n', 'team', '--timeout=5m');
    await eventually(async () => {
      expect((await engine.list('pv')).map(({ metadata }) => metadata.name)).not.toContain(spec.volumeName);
    });
  });

  test('survive the death of the components', async () => {
    await engine.mustApply(dataVolume('tough', pvc('golden'), { volumeMode: 'Block' }));
    for (const component of ['virt-controller', 'api-server', 'engine'] as const) {
      process.kill(engine.componentPid(component), 'SIGKILL');
      await eventually(() => engine.virt8s('up').then(({ code, stderr }) => code && Promise.reject(stderr)));
    }
    await succeeds('tough');
    await boots('tough');
  });
});
