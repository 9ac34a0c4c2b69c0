/** @needs guest */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, httpGet, TestEngine, tinyVm } from '../../support/engine';
import { guestDisk } from '../../support/guest-disk';
import { pushImage } from '../local/images/push';
import { Registry } from '../package/registry';

const cdi = 'cdi.kubevirt.io/v1beta1';

describe('an image that is imported regularly', () => {
  let engine: TestEngine;
  let registry: Registry;
  const image = join(tmpdir(), `virt8s-golden-${process.pid}.qcow2`);

  beforeAll(async () => {
    guestDisk('tiny', image);
    engine = await TestEngine.start();
    const [node] = await engine.list('nodes');
    const host = node.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
    registry = await Registry.start(host);
    await push('first');
    for (const namespace of ['images', 'team']) await engine.kubectl('create', 'namespace', namespace);
    const config = { apiVersion: cdi, kind: 'CDIConfig', metadata: { name: 'config' } };
    await engine.mustApply({ ...config, spec: { insecureRegistries: [registry.host] } });
  });
  afterAll(async () => {
    await engine.down();
    registry.stop();
    rmSync(image, { force: true });
    expect(await engine.leftovers()).toEqual([]);
  });

  /** Pushes the disk under the same tag, in an image with another digest. */
  const push = (version: string): Promise<{ digest: string }> =>
    pushImage(registry.host, 'disks/tiny', [
      [
        { path: 'disk/', type: 'dir' },
        { path: 'disk/tiny.qcow2', content: readFileSync(image) },
        { path: 'version', content: version },
      ],
    ]);
  const cron = (): Promise<{ status?: Record<string, never> }> => engine.get('dataimportcron', 'tiny', 'images');
  const isUpToDate = (digest: string): Promise<string> =>
    eventually(async () => {
      const { status } = await cron();
      const { currentImports = [], lastImportedPVC, conditions = [] } = (status ?? {}) as Record<string, never>;
      const all = JSON.stringify(status);
      if (!all?.includes(digest)) throw new Error(`not ${digest}: ${all}`);
      expect(conditions).toContainEqual(expect.objectContaining({ type: 'UpToDate', status: 'True' }));
      expect(currentImports).toEqual([expect.objectContaining({ Digest: digest })]);
      const { spec, status: of } = await engine.get('datasource', 'tiny', 'images');
      expect(spec.source.pvc).toEqual(lastImportedPVC);
      expect(of.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
      return spec.source.pvc.name as string;
    });

  test('is a DataSource, from which VMs of another namespace start with the size that it recommends', async () => {
    await engine.mustApply([
      {
        apiVersion: 'instancetype.kubevirt.io/v1beta1',
        kind: 'VirtualMachineClusterInstancetype',
        metadata: { name: 'small' },
        spec: { cpu: { guest: 1 }, memory: { guest: '200Mi' } },
      },
      {
        apiVersion: cdi,
        kind: 'DataImportCron',
        metadata: {
          name: 'tiny',
          namespace: 'images',
          labels: { 'instancetype.kubevirt.io/default-instancetype': 'small' },
        },
        spec: {
          schedule: '@every 3s',
          managedDataSource: 'tiny',
          importsToKeep: 1,
          template: {
            spec: {
              source: { registry: { url: `docker://${registry.host}/disks/tiny:1` } },
              storage: { resources: { requests: { storage: '64Mi' } } },
            },
          },
        },
      },
    ]);
    await isUpToDate((await registry.digestOf('disks/tiny', '1'))!);
    const verbs = ['--verb=create', '--resource=datavolumes.cdi.kubevirt.io/source'];
    await engine.kubectl('create', 'role', 'cloner', '-n', 'images', ...verbs);
    const team = ['--group=system:serviceaccounts:team'];
    await engine.kubectl('create', 'rolebinding', 'team', '-n', 'images', '--role=cloner', ...team);

    const vm = JSON.parse(JSON.stringify(tinyVm('build')));
    vm.metadata.namespace = 'team';
    delete vm.spec.template.spec.domain.memory;
    delete vm.spec.template.spec.domain.resources;
    vm.spec.instancetype = { inferFromVolume: 'root' };
    vm.spec.template.spec.volumes = [{ name: 'root', dataVolume: { name: 'build' } }];
    const sourceRef = { kind: 'DataSource', namespace: 'images', name: 'tiny' };
    vm.spec.dataVolumeTemplates = [{ metadata: { name: 'build' }, spec: { sourceRef, storage: {} } }];
    await engine.mustApply(vm);
    const address = await eventually(async () => {
      const [pod] = await engine.list('pods', '-n', 'team', '-l', 'vm.kubevirt.io/name=build');
      await httpGet(pod.status.podIP, '/cgi-bin/status');
      return pod.status.podIP as string;
    }).catch(async (error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(await engine.list('vm,dv,events', '-n', 'team'))}`);
    });
    expect(address).toBeTruthy();
    const vmi = await engine.get('vmi', 'build', 'team');
    expect(vmi.spec.domain.memory.guest).toBe('200Mi');
    await engine.kubectl('delete', 'vm', 'build', '-n', 'team', '--timeout=5m');
  });

  test('follows its tag, and the old import is removed', async () => {
    const before = (await engine.get('datasource', 'tiny', 'images')).spec.source.pvc.name;
    const { digest } = await push('second');
    expect(await isUpToDate(digest)).not.toBe(before);
    await eventually(async () => {
      const names = (await engine.list('dv,pvc', '-n', 'images')).map(({ metadata }) => metadata.name);
      expect(new Set(names).size).toBe(1);
    });
  });

  test('is kept as a VolumeSnapshot if the profile of its class requires it, and copied from there', async () => {
    const patch = '{"spec":{"dataImportCronSourceFormat":"snapshot"}}';
    await engine.kubectl('patch', 'storageprofile', 'local', '--type=merge', '-p', patch);
    const { digest } = await push('third');
    await eventually(async () => {
      const { status } = await cron();
      expect(status).toMatchObject({ sourceFormat: 'snapshot', currentImports: [{ Digest: digest }] });
      const { spec, status: of } = await engine.get('datasource', 'tiny', 'images');
      expect(of.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
      const kept = await engine.list('volumesnapshot', '-n', 'images');
      expect(kept.map(({ metadata: { name, namespace } }) => ({ name, namespace }))).toEqual([spec.source.snapshot]);
      expect(await engine.list('dv,pvc', '-n', 'images')).toEqual([]);
    });
    await engine.mustApply({
      apiVersion: cdi,
      kind: 'DataVolume',
      metadata: {
        name: 'copy',
        namespace: 'images',
        annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' },
      },
      spec: { sourceRef: { kind: 'DataSource', name: 'tiny' }, storage: {} },
    });
    await eventually(async () =>
      expect((await engine.get('dv', 'copy', 'images')).status).toMatchObject({ phase: 'Succeeded' }),
    );
    await engine.kubectl('delete', 'dv', 'copy', '-n', 'images', '--timeout=5m');
  });

  test('reports a registry that does not answer, and keeps its DataSource', async () => {
    registry.stop();
    await eventually(async () => {
      const [event] = await engine.list('events', '-n', 'images', '--field-selector=reason=SourceUnreachable');
      expect(event).toMatchObject({ type: 'Warning', involvedObject: { kind: 'DataImportCron', name: 'tiny' } });
    });
    const { status } = await engine.get('datasource', 'tiny', 'images');
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    await engine.kubectl('delete', 'dataimportcron', 'tiny', '-n', 'images', '--timeout=5m');
    await eventually(async () => expect(await engine.list('pods', '-n', 'images')).toEqual([]));
    expect(await engine.list('datasource', '-n', 'images')).toHaveLength(1);
  });
});
