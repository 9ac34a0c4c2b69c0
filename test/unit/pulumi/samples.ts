import { Duration, JsonPatch, Size } from 'cdk8s';
import type * as core from 'virt8s';

/** The construct library, or the same names for Pulumi. */
export type Library = typeof core & { Duration: typeof Duration; JsonPatch: typeof JsonPatch; Size: typeof Size };

const vm = { name: 'web' };
const snapshot = { name: 'before-upgrade' };
const claim = { name: 'disk' };

/** Calls of methods of a construct, for either library. */
export const later: Record<string, (construct: never) => void> = {
  VmIngress: (ingress: core.VmIngress) => void ingress.addTarget(vm),
};

/** Feature gates that a construct needs. */
export const gates: Record<string, string[]> = {
  VirtualMachineBackup: ['IncrementalBackup'],
  VirtualMachineBackupTracker: ['IncrementalBackup'],
};

/** Arguments for each construct. */
export const samples: Record<string, (lib: Library) => unknown[]> = {
  VirtualMachine: ({ CloudInit, CloudUser, Cpu, Disk, RunStrategy, Size, VmNetwork }) => [
    {
      cpu: Cpu.topology({ sockets: 2, cores: 2 }),
      memory: Size.gibibytes(2),
      disks: [
        Disk.containerDisk('registry.example/tiny:1', { name: 'root' }),
        Disk.blank(Size.gibibytes(10)),
        Disk.http('https://images.example/debian.qcow2', Size.gibibytes(20)),
      ],
      cloudInit: CloudInit.noCloud({
        users: [CloudUser.named('me', { sshKeys: [`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)} me`] })],
        packages: ['nginx'],
        runcmd: ['systemctl enable --now nginx'],
      }),
      networks: [VmNetwork.masquerade(), VmNetwork.multus({ name: 'lan' }, { macAddress: '02:00:00:12:34:56' })],
      runStrategy: RunStrategy.RERUN_ON_FAILURE,
      hostname: 'web',
      metadata: { namespace: 'shop', labels: { tier: 'front' } },
    },
  ],
  LinuxServer: ({ Disk, Size }) => [
    { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/tiny:1')] },
  ],
  Windows11: ({ Disk, Size }) => [
    { memory: Size.gibibytes(8), disks: [Disk.blank(Size.gibibytes(64))], timezone: 'Europe/Prague' },
  ],
  WindowsServer: ({ Disk, Size, WindowsRelease }) => [
    { release: WindowsRelease.SERVER_2022, disks: [Disk.blank(Size.gibibytes(80))] },
  ],
  Appliance: ({ KernelBoot, Size }) => [
    {
      memory: Size.mebibytes(256),
      kernel: KernelBoot.container('registry.example/kernel:1', {
        kernelPath: '/boot/vmlinuz',
        initrdPath: '/boot/initrd',
      }),
    },
  ],
  VirtualMachineInstance: ({ Disk, Size }) => [
    { memory: Size.gibibytes(1), disks: [Disk.containerDisk('registry.example/tiny:1')] },
  ],
  VirtualMachineInstancePreset: ({ Cpu }) => [{ selector: { matchLabels: { size: 'small' } }, cpu: Cpu.cores(2) }],
  VirtualMachineReplicaSet: ({ Disk, Size }) => [
    { replicas: 3, memory: Size.gibibytes(1), disks: [Disk.containerDisk('registry.example/tiny:1')] },
  ],
  VirtualMachinePool: ({ Disk, Duration, PoolMaxUnavailable, Size }) => [
    {
      replicas: 3,
      memory: Size.gibibytes(1),
      disks: [Disk.containerDisk('registry.example/tiny:1')],
      maxUnavailable: PoolMaxUnavailable.percent(30),
      autohealing: { failingFor: Duration.minutes(5) },
    },
  ],
  Instancetype: ({ Size }) => [{ cpus: 2, memory: Size.gibibytes(4), metadata: { namespace: 'shop' } }],
  ClusterInstancetype: ({ Size }) => [{ cpus: 2, memory: Size.gibibytes(4) }],
  Preference: () => [{ annotations: { a: 'b' } }],
  ClusterPreference: () => [{ annotations: { a: 'b' } }],
  ImportedVirtualMachine: () => ['web', { namespace: 'shop' }],

  DataVolume: ({ DataVolumeSource, Size }) => [
    { source: DataVolumeSource.http('https://images.example/debian.qcow2'), size: Size.gibibytes(20) },
  ],
  DataSource: ({ ImageLocation }) => [{ image: ImageLocation.claim(claim, { namespace: 'golden' }) }],
  DataImportCron: ({ DataVolumeSource, Size }) => [
    {
      source: DataVolumeSource.registry('registry.example/debian:13'),
      size: Size.gibibytes(20),
      schedule: '0 3 * * 1',
      importsToKeep: 2,
      managedDataSource: { name: 'debian' },
    },
  ],
  StorageProfile: ({ AccessMode, VolumeMode }) => [
    {
      storageClassName: 'fast',
      claimPropertySets: [{ accessModes: [AccessMode.READ_WRITE_MANY], volumeMode: VolumeMode.BLOCK }],
    },
  ],

  VolumeCloneSource: ({ CloneOrigin }) => [{ source: CloneOrigin.claim(claim) }],
  VolumeImportSource: ({ DataVolumeSource }) => [
    { source: DataVolumeSource.http('https://images.example/debian.qcow2') },
  ],
  VolumeUploadSource: () => [{}],

  NetworkAttachment: ({ Cni }) => [{ config: Cni.bridge('br0', { vlan: 7 }) }],
  VmService: ({ VmPort, VmServiceType }) => [
    {
      target: vm,
      ports: [VmPort.HTTP, VmPort.tcp(8443, { name: 'admin', targetPort: 443 })],
      serviceType: VmServiceType.NODE_PORT,
    },
  ],
  VmIngress: () => [{ className: 'nginx' }],

  VirtualMachineSnapshot: ({ Duration }) => [{ source: vm, failureDeadline: Duration.minutes(2) }],
  VirtualMachineRestore: ({ JsonPatch }) => [
    { snapshot, target: vm, patches: [JsonPatch.replace('/spec/template/spec/hostname', 'restored')] },
  ],
  VirtualMachineClone: ({ CloneSource }) => [{ source: CloneSource.virtualMachine(vm), targetName: 'copy' }],
  VirtualMachineExport: ({ Duration, ExportSource }) => [{ source: ExportSource.claim(claim), ttl: Duration.hours(1) }],
  VirtualMachineBackup: ({ BackupSource }) => [{ source: BackupSource.virtualMachine(vm), claim }],
  VirtualMachineBackupTracker: () => [{ source: vm }],
  VirtualMachineInstanceMigration: () => [{ instance: vm, addedNodeSelector: { zone: 'b' } }],
  MigrationPolicy: ({ Size }) => [{ instanceLabels: { tier: 'front' }, bandwidthPerMigration: Size.mebibytes(64) }],
  SnapshotSchedule: () => [{ source: vm, schedule: '0 3 * * *', keep: 7 }],
  GuestAutoscaler: () => [
    {
      target: { name: 'web', apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool' },
      max: 5,
      cpuUsage: 0.7,
    },
  ],
  GuestDisruptionBudget: () => [{ target: vm, minAvailable: 1 }],

  KubeVirt: () => [{}],
  PlatformDashboard: () => [{}],
  PlatformDefinitions: () => [{}],
  VirtPlatform: ({ ComponentKind, ComponentPatch, Duration, PlatformCertificates, PlatformImages }) => [
    {
      images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
      definitions: false,
      certificates: PlatformCertificates.selfManaged({ leaf: { duration: Duration.hours(48) } }),
      customizeComponents: {
        patches: [
          ComponentPatch.merge(
            { kind: ComponentKind.DEPLOYMENT, name: 'virt-api' },
            { metadata: { annotations: { team: 'virt' } } },
          ),
        ],
        flags: { virtController: { 'vmi-controller-threads': '20' } },
      },
    },
  ],
};
