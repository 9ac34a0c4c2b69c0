import { App, Chart, Size } from 'cdk8s';
import {
  CloudInit,
  ClusterInstancetype,
  ClusterPreference,
  Disk,
  DiskBus,
  HugepageSize,
  HyperV,
  Instancetype,
  NicModel,
  Preference,
  PreferredTopology,
  Tpm,
  VirtualMachine,
  VmPort,
} from 'virt8s';

// any cloud image; the tests boot a small one
const image = process.env.GUEST_IMAGE ?? 'quay.io/containerdisks/fedora:42';

const app = new App();

// --- the platform team: sizes and preferences for all teams
const catalogue = new Chart(app, 'catalogue', { disableResourceNameHashes: true });

const LABEL = 'shop.example/series';
/** name, vCPUs, memory */
const general: [string, number, Size][] = [
  ['g1.nano', 1, Size.mebibytes(512)],
  ['g1.small', 1, Size.gibibytes(2)],
  ['g1.medium', 2, Size.gibibytes(4)],
  ['g1.large', 4, Size.gibibytes(16)],
];
const [nano] = general.map(
  ([name, cpus, memory]) =>
    new ClusterInstancetype(catalogue, name, { metadata: { name, labels: { [LABEL]: 'general' } }, cpus, memory }),
);
// for guests that need low latency
new ClusterInstancetype(catalogue, 'dedicated', {
  metadata: { name: 'd1.large', labels: { [LABEL]: 'dedicated' } },
  cpus: 4,
  memory: Size.gibibytes(16),
  dedicatedCpus: true,
  isolateEmulatorThread: true,
  hugepages: HugepageSize.ONE_GIBIBYTE,
});

const linux = new ClusterPreference(catalogue, 'linux', {
  metadata: { name: 'linux' },
  topology: PreferredTopology.SOCKETS, // sockets can be added while the guest runs
  devices: { diskBus: DiskBus.VIRTIO, interfaceModel: NicModel.VIRTIO, rng: true },
});
new ClusterPreference(catalogue, 'windows-11', {
  metadata: { name: 'windows-11' },
  topology: PreferredTopology.CORES, // client editions of Windows limit the number of sockets
  devices: { diskBus: DiskBus.SATA, interfaceModel: NicModel.E1000E, tpm: Tpm.PERSISTENT },
  firmware: { efi: true, secureBoot: true, persistent: true },
  features: { acpi: true, apic: true, smm: true },
  hyperv: HyperV.windows(),
  requirements: { cpus: 2, memory: Size.gibibytes(4) },
});

// --- a team: VMs that refer to the catalogue, and an instance type of the team
const team = new Chart(app, 'team', { disableResourceNameHashes: true });

const web = new VirtualMachine(team, 'web', {
  metadata: { name: 'web' },
  instancetype: nano,
  preference: linux,
  disks: [Disk.containerDisk(image, { name: 'root' })],
  cloudInit: CloudInit.noCloud({
    writeFiles: [{ path: '/var/www/index.html', content: 'sized by g1.nano\n' }],
    runcmd: ['echo "$(nproc) vCPU" >> /var/www/index.html'],
  }),
});
web.exposeViaService('web', { ports: [VmPort.HTTP], metadata: { name: 'web' } });

new VirtualMachine(team, 'build', {
  metadata: { name: 'build' },
  instancetype: new Instancetype(team, 'build-size', {
    metadata: { name: 'build' },
    cpus: 2,
    memory: Size.gibibytes(1),
    maxMemory: Size.gibibytes(4),
  }),
  preference: new Preference(team, 'build-preference', {
    metadata: { name: 'build' },
    topology: PreferredTopology.CORES,
    devices: { diskBus: DiskBus.VIRTIO, rng: true },
  }),
  disks: [Disk.containerDisk(image, { name: 'root' })],
});

app.synth();
