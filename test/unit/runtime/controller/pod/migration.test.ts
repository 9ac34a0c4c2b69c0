import type { VirtualMachineInstanceMigration } from '../../../../../src/api';
import { renderMigrationTargetPod } from '../../../../../src/runtime/controller/pod';
import type { MigrationInput, Pod } from '../../../../../src/runtime/controller/pod';
import { configured, container, inputOf, render, stored, volumeOf, withoutGates } from './fixtures';
import type { Change } from './fixtures';

const digest = `sha256:${'a'.repeat(64)}`;
const migration = (spec: object = {}): VirtualMachineInstanceMigration => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'move', namespace: 'web', uid: 'move-uid' },
  spec: { vmiName: 'fedora', ...spec },
});
const source = (change: (pod: Pod) => void = () => {}): Pod => {
  const pod = render();
  pod.status = { initContainerStatuses: [{ name: 'volumeroot', imageID: `docker.io/disk@${digest}` }] };
  change(pod);
  return pod;
};
const target = (change: Change = () => {}, more: Partial<MigrationInput> = {}): Pod =>
  renderMigrationTargetPod({
    ...inputOf(stored(change), more),
    migration: migration(),
    sourcePod: source(),
    sourceNodeLabels: { 'host-model-cpu.node.kubevirt.io/Penryn': 'true' },
    ...more,
  });

test('it is another Pod of the VMI, on another node, and names its migration', () => {
  const pod = target();
  expect(pod.metadata.name).toMatch(/^virt-launcher-fedora-.{5}$/);
  expect(pod.metadata.name).not.toBe(render().metadata.name);
  expect(target().metadata.name).toBe(pod.metadata.name);
  expect(pod.metadata.labels).toHaveProperty(['kubevirt.io/migrationJobUID'], 'move-uid');
  expect(pod.metadata.annotations).toHaveProperty(['kubevirt.io/migrationJobName'], 'move');
  expect(pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
    {
      labelSelector: { matchLabels: { 'kubevirt.io/created-by': 'vmi-uid' } },
      topologyKey: 'kubernetes.io/hostname',
    },
  ]);
});

describe('images', () => {
  test('are those that the source runs from', () => {
    const pod = target();
    expect(volumeOf(pod, 'root')?.image?.reference).toBe(`disk@${digest}`);
    // nothing is left to be learned from a container
    expect(container(pod, 'volumeroot')).toBeUndefined();
    expect(volumeOf(pod, 'launcher-volume')).toBeUndefined();
  });
  test.each([
    ['registry:5000/disk', `registry:5000/disk@${digest}`],
    ['registry:5000/disk:2', `registry:5000/disk@${digest}`],
    [`disk@sha256:${'b'.repeat(64)}`, `disk@${digest}`],
  ])('keep their registry: %s', (image, want) => {
    const pod = target((v) => (v.spec.volumes = [{ name: 'root', containerDisk: { image } }]));
    expect(volumeOf(pod, 'root')?.image?.reference).toBe(want);
  });
  test('are known from the volumes of a guest that has moved before', () => {
    const sourcePod = source((pod) => {
      pod.status = {};
      volumeOf(pod, 'root')!.image!.reference = `disk@${digest}`;
    });
    expect(
      volumeOf(
        target(() => {}, { sourcePod }),
        'root',
      )?.image?.reference,
    ).toBe(`disk@${digest}`);
  });
  test('of side containers too', () => {
    const config = withoutGates('ImageVolume');
    const sourcePod = source((pod) => (pod.status = { containerStatuses: [{ name: 'volumeroot', imageID: digest }] }));
    const pod = target(() => {}, { config, sourcePod });
    expect([container(pod, 'volumeroot')?.image, container(pod, 'volumeroot-init')?.image]).toEqual([
      `disk@${digest}`,
      `disk@${digest}`,
    ]);
  });
  test('of a source whose images are mounted another way than the cluster prefers by now', () => {
    const config = withoutGates('ImageVolume');
    expect(
      container(
        target(() => {}, { config }),
        'volumeroot',
      )?.image,
    ).toBe(`disk@${digest}`);
  });
  test('must be known', () => {
    const sourcePod = source((pod) => (pod.status = { initContainerStatuses: [{ name: 'volumeroot' }] }));
    expect(() => target(() => {}, { sourcePod })).toThrow(
      'image "disk:1" of the running guest: its container\'s status has no digest (imageID ""); ' +
        'wait until the node reports one',
    );
  });
});

describe('nodes', () => {
  const labels = {
    'host-model-cpu.node.kubevirt.io/Penryn': 'true',
    'host-model-required-features.node.kubevirt.io/vmx': 'true',
    'cpu-vendor.node.kubevirt.io/Intel': 'true',
    other: 'x',
  };
  const selector = (change?: Change, more?: Partial<MigrationInput>) => target(change, more).spec.nodeSelector;
  const ownCpu: Change = (v) => (v.spec.domain.cpu = { model: 'Haswell' });
  test('may be restricted by the migration, in addition to the VM’s requirements', () => {
    const chosen = migration({ addedNodeSelector: { rack: '7', 'kubernetes.io/arch': 'arm64' } });
    expect(selector(ownCpu, { migration: chosen })).toMatchObject({ rack: '7', 'kubernetes.io/arch': 'amd64' });
  });
  test('have a CPU of the same vendor', () => {
    expect(selector(ownCpu, { sourceNodeLabels: labels })).toHaveProperty(
      ['cpu-vendor.node.kubevirt.io/Intel'],
      'true',
    );
    expect(Object.keys(selector(ownCpu) ?? {}).join()).not.toContain('cpu-vendor');
  });
  test('have the CPU that the guest got from its node', () => {
    expect(selector(() => {}, { sourceNodeLabels: labels })).toMatchObject({
      'cpu-model-migration.node.kubevirt.io/Penryn': 'true',
      'cpu-feature.node.kubevirt.io/vmx': 'true',
    });
  });
  test('have the CPU that the guest got from its first node', () => {
    const sourcePod = source(
      (pod) => (pod.spec.nodeSelector = { 'cpu-model-migration.node.kubevirt.io/Nehalem': 'true' }),
    );
    const found = selector(() => {}, { sourcePod, sourceNodeLabels: labels });
    expect(found).toHaveProperty(['cpu-model-migration.node.kubevirt.io/Nehalem'], 'true');
    expect(found).not.toHaveProperty(['cpu-model-migration.node.kubevirt.io/Penryn']);
  });
  test('cannot be found if the guest’s CPU is unknown', () => {
    expect(() => target(() => {}, { sourceNodeLabels: {} })).toThrow(
      /no label host-model-cpu.node.kubevirt.io\/… names that model/,
    );
  });
  test('of another cluster come from the VMI', () => {
    const pod = target(
      (v) =>
        (v.status!.migrationState = {
          sourceState: { node: 'n1', nodeSelectors: labels, selinuxContext: 'u:r:t:s0:c3,c4' },
        }),
      { migration: migration({ receive: { migrationID: 'x' } }) },
    );
    expect(pod.spec.nodeSelector).toHaveProperty(['cpu-model-migration.node.kubevirt.io/Penryn'], 'true');
    expect(pod.spec.affinity?.podAntiAffinity).toBeUndefined();
    const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
    expect(terms?.[0].matchExpressions).toContainEqual({
      key: 'kubernetes.io/hostname',
      operator: 'NotIn',
      values: ['n1'],
    });
    expect(pod.spec.securityContext?.seLinuxOptions).toEqual({ level: 's0:c3,c4' });
  });
});

test.each<[string, string | undefined, object, object | undefined]>([
  ['of the source', 'system_u:object_r:container_file_t:s0:c1,c2', {}, { level: 's0:c1,c2' }],
  ['with the cluster’s type', 'u:r:t:s0:c1', { selinuxLauncherType: 'mine' }, { type: 'mine', level: 's0:c1' }],
  ['of a node without SELinux', 'none', {}, undefined],
  ['that nobody knows', undefined, {}, undefined],
  ['if the cluster disables it', 'u:r:t:s0:c1', { migrations: { matchSELinuxLevelOnMigration: false } }, undefined],
])('SELinux level %s', (_, selinuxContext, configuration, want) => {
  const pod = target(
    (v) => {
      v.spec.domain.cpu = { model: 'Haswell' };
      v.status!.selinuxContext = selinuxContext;
    },
    { config: configured(configuration) },
  );
  expect(pod.spec.securityContext?.seLinuxOptions).toEqual(want);
});

describe('a guest with numbered interfaces', () => {
  const status = JSON.stringify([{ interface: 'eth0' }, { interface: 'net1' }]);
  const change: Change = (v) => {
    v.spec.networks!.push({ name: 'second', multus: { networkName: 'own' } });
    v.spec.domain.devices.interfaces!.push({ name: 'second', bridge: {} });
  };
  const nameOf = (annotation: string, config = withoutGates('PodSecondaryInterfaceNamingUpgrade')) => {
    const sourcePod = source((pod) => (pod.metadata.annotations = { 'k8s.v1.cni.cncf.io/network-status': annotation }));
    const { annotations } = target(change, { sourcePod, config }).metadata;
    return (JSON.parse(annotations?.['k8s.v1.cni.cncf.io/networks'] ?? '') as { interface: string }[])[0].interface;
  };
  test('keeps them', () => expect(nameOf(status)).toBe('net1'));
  test('gets new ones where its launcher can rename them', () =>
    expect(nameOf(status, configured({}))).toMatch(/^pod/));
  test('is not one with hashed names, nor one of which nothing is known', () => {
    expect(nameOf('[{"interface":"pod1234"}]')).toMatch(/^pod/);
    expect(nameOf('{')).toMatch(/^pod/);
  });
});
