import { App, Chart, Duration, Size } from 'cdk8s';
import {
  AccessCredential,
  AccessMode,
  CloudInit,
  Cpu,
  Disk,
  EvictionStrategy,
  LinuxServer,
  MigrationPolicy,
  SnapshotSchedule,
  VolumeMode,
} from 'virt8s';

const app = new App();
const chart = new Chart(app, 'ledger', { namespace: 'ledger', disableResourceNameHashes: true });

// a drain migrates the guest, so both nodes must be able to mount its disk
const ledger = new LinuxServer(chart, 'vm', {
  metadata: { name: 'ledger' },
  cpu: Cpu.sockets(4),
  memory: Size.gibibytes(16),
  disks: [
    Disk.registry('quay.io/containerdisks/debian:13', Size.gibibytes(100), {
      name: 'root',
      accessModes: [AccessMode.READ_WRITE_MANY],
      volumeMode: VolumeMode.BLOCK,
    }),
  ],
  // the guest agent freezes the file systems while a snapshot is taken
  cloudInit: CloudInit.noCloud({ packages: ['qemu-guest-agent'] }),
  accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'admin-keys' })],
  evictionStrategy: EvictionStrategy.LIVE_MIGRATE,
  instanceMetadata: { labels: { 'shop.example/tier': 'critical' } },
});

// guests of this tier migrate with a limited bandwidth; a migration that would pause the guest fails instead
new MigrationPolicy(chart, 'critical', {
  metadata: { name: 'critical' },
  instanceLabels: { 'shop.example/tier': 'critical' },
  bandwidthPerMigration: Size.mebibytes(256),
  completionTimeoutPerGib: Duration.minutes(5),
  allowAutoConverge: false,
  allowPostCopy: false,
  allowWorkloadDisruption: false,
});

// every six hours; snapshots are kept for a week, and the newest one always
new SnapshotSchedule(chart, 'schedule', {
  source: ledger,
  schedule: '0 */6 * * *',
  maxAge: Duration.days(7),
  image: process.env.JOB_IMAGE,
});

// taken once, when it is applied; a VirtualMachineRestore restores it
ledger.snapshot('before-upgrade', { metadata: { name: 'ledger-before-2-0' }, failureDeadline: Duration.minutes(10) });

app.synth();
