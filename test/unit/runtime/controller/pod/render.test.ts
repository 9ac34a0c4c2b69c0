import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import type { ClusterConfig } from '../../../../../src/api/cluster-config';
import { renderAttachmentPod } from '../../../../../src/runtime/controller/pod';
import type { Pod } from '../../../../../src/runtime/controller/pod';
import type { ClaimInfo } from '../../../../../src/runtime/controller/pod/claims';
import { expectGolden } from '../../../../support/golden';
import { configured, render, stored } from './fixtures';
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
