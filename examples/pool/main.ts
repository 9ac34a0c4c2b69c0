import { App, Chart, Duration, Size } from 'cdk8s';
import {
  CloudInit,
  CloudPartition,
  Cpu,
  Disk,
  EvictionStrategy,
  GuestDisruptionBudget,
  PoolMaxUnavailable,
  PoolOrder,
  PoolScaleInStrategy,
  PoolStatePreservation,
  PoolUpdateStrategy,
  VirtualMachinePool,
  VmPort,
  VmProbe,
  VmTopology,
} from 'virt8s';

const app = new App();
const chart = new Chart(app, 'workers', { namespace: 'render', disableResourceNameHashes: true });

const workers = new VirtualMachinePool(chart, 'workers', {
  replicas: 3,
  cpu: Cpu.sockets(2),
  memory: Size.gibibytes(4),
  // the root disk is new at each start; each worker has its own persistent scratch disk
  disks: [
    Disk.containerDisk(process.env.GUEST_IMAGE ?? 'quay.io/containerdisks/fedora:42', { name: 'root' }),
    Disk.blank(Size.gibibytes(50), { name: 'scratch', serial: 'scratch' }),
  ],
  cloudInit: CloudInit.noCloud({
    fsSetup: [
      { device: '/dev/disk/by-id/virtio-scratch', filesystem: 'xfs', label: 'scratch', partition: CloudPartition.AUTO },
    ],
    mounts: [{ device: 'LABEL=scratch', path: '/srv/scratch', filesystem: 'xfs' }],
    packages: ['nginx', 'qemu-guest-agent'],
    runcmd: ['systemctl enable --now nginx'],
  }),
  readiness: VmProbe.fromHttpGet('/', { initialDelay: Duration.seconds(30), period: Duration.seconds(10) }),
  // a drain shuts a worker down instead of migrating it
  evictionStrategy: EvictionStrategy.NONE,
  // one at a time, the oldest first
  updateStrategy: PoolUpdateStrategy.proactive({ order: PoolOrder.OLDEST }),
  maxUnavailable: PoolMaxUnavailable.count(1),
  // the worker with the highest number is removed first; its scratch disk is kept for its return
  scaleInStrategy: PoolScaleInStrategy.proactive({
    selection: { order: PoolOrder.DESCENDING },
    statePreservation: PoolStatePreservation.OFFLINE,
  }),
  // a worker that failed to start three times in ten minutes is replaced
  autohealing: { failedStarts: 3, failingFor: Duration.minutes(10) },
});
workers.scheduling.spread({ topology: VmTopology.HOST, maxSkew: 1, bestEffort: true });

// one Service for all workers
workers.exposeViaService('http', { ports: [VmPort.HTTP] });
// at least two workers remain during a drain
new GuestDisruptionBudget(chart, 'budget', { target: workers, minAvailable: 2 });

app.synth();
