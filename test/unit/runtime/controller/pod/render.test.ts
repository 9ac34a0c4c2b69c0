import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import type { Volume } from '../../../../../src/api';
import type { volumeSources } from '../../../../../src/api/admission/volumes';
import type { ClusterConfig } from '../../../../../src/api/cluster-config';
import { renderAttachmentPod } from '../../../../../src/runtime/controller/pod';
import type { Pod } from '../../../../../src/runtime/controller/pod';
import type { ClaimInfo } from '../../../../../src/runtime/controller/pod/claims';
import { expectGolden } from '../../../../support/golden';
import fc from '../../../../support/fast-check';
import { configured, render, stored, withGates } from './fixtures';
import type { Change, More } from './fixtures';

const golden = (name: string, pod: Pod): void => {
  // parts of a Pod that are the same object are written out
  const written = JSON.parse(JSON.stringify(pod)) as object;
  expectGolden(join(__dirname, 'pods', `${name}.txt`), Yaml.stringify(written));
};

const withoutImageVolumes: ClusterConfig = configured({
  developerConfiguration: {
    disabledFeatureGates: ['ImageVolume'],
    featureGates: ['DockerSELinuxMCSWorkaround'],
  },
  selinuxLauncherType: 'virt_launcher.process',
});

/** A guest with all that makes volumes, mounts, arguments and labels of its Pod. */
const full: Change = ({ metadata, spec, status }) => {
  metadata.annotations = {
    'hooks.kubevirt.io/hookSidecars': JSON.stringify([
      { image: 'hook:1', args: ['--now'], pvc: { name: 'tools', volumePath: '/tools', sharedComputePath: '/shared' } },
      { image: 'hook:2', configMap: { name: 'script', key: 'run.sh', hookPath: '/usr/bin/onDefineDomain' } },
    ]),
  };
  status!.changedBlockTracking = { state: 'Enabled' } as never;
  spec.terminationGracePeriodSeconds = 60;
  spec.domain.memory = { guest: '1Gi', hugepages: { pageSize: '2Mi' } };
  spec.domain.firmware = { bootloader: { efi: { persistent: true } } };
  spec.domain.cpu = { cores: 2, model: 'Haswell', dedicatedCpuPlacement: true, realtime: {} };
  const { devices } = spec.domain;
  devices.tpm = { persistent: true };
  devices.filesystems = [{ name: 'share', virtiofs: {} }];
  devices.interfaces!.push({ name: 'fast', sriov: {} });
  spec.networks!.push({ name: 'fast', multus: { networkName: 'fabric/fast' } });
  spec.volumes!.push(
    { name: 'share', configMap: { name: 'share' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'answers', sysprep: { configMap: { name: 'answers' } } },
    { name: 'host', hostDisk: { path: '/srv/disks/a.img', type: 'DiskOrCreate' } },
  );
  spec.livenessProbe = { tcpSocket: { port: 22 } };
};

// the whole launcher Pod, above all what it may do on its node
test.each<[string, Change, More]>([
  ['launcher', () => {}, {}],
  ['launcher-with-everything', full, { claims: new Map([['data', { volumeMode: 'Block' }]]) }],
  ['launcher-without-image-volumes', () => {}, { config: withoutImageVolumes }],
])('the Pod %s is the reviewed one', (name, change, more) => golden(name, render(change, more)));

test('the Pod that brings plugged volumes is the reviewed one', () => {
  const launcherPod = render();
  launcherPod.metadata.uid = 'pod-uid';
  launcherPod.spec.nodeName = 'n1';
  launcherPod.spec.tolerations = [
    { key: 'zone', operator: 'Equal', value: 'b' },
    { operator: 'Exists', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'gpu', operator: 'Exists' },
  ];
  const pod = renderAttachmentPod({
    vmi: stored((v) => {
      v.status!.selinuxContext = 'system_u:object_r:container_file_t:s0:c1,c2';
      v.status!.volumeStatus = [
        { name: 'here', target: 'sda', phase: 'Ready', hotplugVolume: {} },
        { name: 'mounted', target: '', phase: 'MountedToPod', hotplugVolume: {} },
        { name: 'coming', target: '', phase: 'AttachedToNode', hotplugVolume: {} },
        { name: 'cold', target: 'vda', phase: 'Ready' },
      ] as never;
    }),
    config: configured({ selinuxLauncherType: 'virt_launcher.process' }),
    launcherImage: 'launcher:1',
    launcherPod,
    volumes: ['here', 'mounted', 'coming', 'cold', 'raw', 'gone'].map((name) => ({
      name,
      persistentVolumeClaim: { claimName: name, hotpluggable: true },
    })),
    claims: new Map<string, ClaimInfo>([
      ...['here', 'mounted', 'coming', 'cold'].map((name) => [name, { uid: `uid-${name}` }] as const),
      ['raw', { uid: 'uid-raw', volumeMode: 'Block' }],
    ]),
  });
  golden('attachment', pod);
});

describe('the launcher Pod of a guest without a hostDisk', () => {
  /** A source of each kind but hostDisk. */
  const sources: Record<Exclude<(typeof volumeSources)[number], 'hostDisk'>, Omit<Volume, 'name'>> = {
    containerDisk: { containerDisk: { image: 'disk:1' } },
    dataVolume: { dataVolume: { name: 'data' } },
    persistentVolumeClaim: { persistentVolumeClaim: { claimName: 'data' } },
    cloudInitNoCloud: { cloudInitNoCloud: { secretRef: { name: 's' }, networkDataSecretRef: { name: 's' } } },
    cloudInitConfigDrive: { cloudInitConfigDrive: { userData: '#cloud-config' } },
    sysprep: { sysprep: { configMap: { name: 'answers' } } },
    emptyDisk: { emptyDisk: { capacity: '1Gi' } },
    ephemeral: { ephemeral: { persistentVolumeClaim: { claimName: 'data' } } },
    configMap: { configMap: { name: 'c' } },
    secret: { secret: { secretName: 's' } },
    downwardAPI: { downwardAPI: { fields: [{ path: 'x', fieldRef: { fieldPath: 'metadata.name' } }] } },
    serviceAccount: { serviceAccount: { serviceAccountName: 'robot' } },
    downwardMetrics: { downwardMetrics: {} },
    memoryDump: { memoryDump: { claimName: 'dump', hotpluggable: true } },
    containerPath: { containerPath: { path: '/var/run/secrets', readOnly: true } },
  };
  /** Settings that change containers, volumes or what the Pod may do. */
  const settings: Change[] = [
    ({ spec }) => (spec.domain.devices.tpm = { persistent: true }),
    ({ spec }) => (spec.domain.firmware = { bootloader: { efi: { persistent: true } } }),
    ({ spec }) => (spec.domain.firmware = { kernelBoot: { container: { image: 'k:1', kernelPath: '/k' } } }),
    ({ spec }) => (spec.domain.memory = { guest: '1Gi', hugepages: { pageSize: '2Mi' } }),
    ({ spec }) => (spec.domain.cpu = { cores: 2, dedicatedCpuPlacement: true, realtime: {} }),
    ({ spec }) => (spec.domain.devices.gpus = [{ name: 'gpu', deviceName: 'vendor.example/gpu' }]),
    ({ spec }) => (spec.domain.devices.hostDevices = [{ name: 'usb', deviceName: 'vendor.example/usb' }]),
    ({ spec }) => (spec.domain.devices.downwardMetrics = {}),
    ({ spec }) => (spec.domain.devices.autoattachVSOCK = true),
    ({ spec }) => (spec.domain.launchSecurity = { sev: {} }),
    ({ spec }) => (spec.domain.devices.interfaces = [{ name: 'default', bridge: {} }]),
    ({ status }) => (status!.runtimeUser = 0),
    ({ metadata }) =>
      (metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': JSON.stringify([{ image: 'hook:1' }]) }),
  ];
  const configurations = [
    configured({}),
    withGates('Root', 'NUMA', 'GPU', 'HostDevices', 'DownwardMetrics', 'VSOCK', 'Sidecar', 'WorkloadEncryptionSEV'),
    withoutImageVolumes,
  ];

  test('reaches no directory or namespace of its node and has no further rights for any guest', () => {
    const guest = fc.record({
      names: fc.subarray(Object.keys(sources) as (keyof typeof sources)[]),
      shared: fc.boolean(),
      changes: fc.subarray(settings),
      config: fc.constantFrom(...configurations),
      volumeMode: fc.constantFrom('Block' as const, 'Filesystem' as const),
    });
    fc.assert(
      fc.property(guest, ({ names, shared, changes, config, volumeMode }) => {
        const volumes: Volume[] = names.map((name) => ({ name: name.toLowerCase(), ...sources[name] }));
        const given: Change = (vmi) => {
          vmi.spec.volumes = volumes;
          const { devices } = vmi.spec.domain;
          devices.disks = shared ? [] : volumes.map(({ name }) => ({ name, disk: { bus: 'virtio' } }));
          if (shared) devices.filesystems = volumes.map(({ name }) => ({ name, virtiofs: {} }));
          for (const change of changes) change(vmi);
        };
        const { spec } = render(given, { config, claims: new Map([['data', { volumeMode }]]) });
        expect(spec.volumes?.filter((volume) => 'hostPath' in volume)).toEqual([]);
        for (const name of ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers', 'shareProcessNamespace'])
          expect(spec).not.toHaveProperty(name);
        expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 107 });
        for (const { name, securityContext, volumeMounts } of [...spec.containers, ...(spec.initContainers ?? [])]) {
          const add = name === 'compute' ? { add: ['NET_BIND_SERVICE'] } : {};
          expect(securityContext?.capabilities).toEqual({ ...add, drop: ['ALL'] });
          expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, runAsNonRoot: true });
          expect(securityContext).not.toHaveProperty('privileged');
          expect(volumeMounts?.filter((mount) => mount.mountPropagation === 'Bidirectional') ?? []).toEqual([]);
        }
      }),
    );
  });
});
