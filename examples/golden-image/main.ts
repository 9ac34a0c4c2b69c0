import { App, Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  AccessCredential,
  CloudInit,
  ClusterInstancetype,
  ClusterPreference,
  DataImportCron,
  DataSource,
  DataVolumeSource,
  Disk,
  DiskBus,
  VirtualMachine,
} from 'virt8s';

const app = new App();

// --- the platform team: one image that is always new, and what fits it
const images = new Chart(app, 'golden-images', { namespace: 'golden-images', disableResourceNameHashes: true });

const small = new ClusterInstancetype(images, 'small', {
  metadata: { name: 'small' },
  cpus: 2,
  memory: Size.gibibytes(4),
});
const fedora = new ClusterPreference(images, 'fedora', {
  metadata: { name: 'fedora' },
  devices: { diskBus: DiskBus.VIRTIO, rng: true },
  firmware: { efi: true, secureBoot: false },
  requirements: { memory: Size.gibibytes(2) },
});

// the name that VMs know: the newest import is behind it, and its labels say what fits
const image = new DataSource(images, 'fedora-42', {
  metadata: { name: 'fedora-42' },
  defaultInstancetype: small,
  defaultPreference: fedora,
});
new DataImportCron(images, 'import', {
  metadata: { name: 'fedora-42' },
  source: DataVolumeSource.registry('quay.io/containerdisks/fedora:42'),
  size: Size.gibibytes(10),
  schedule: '30 2 * * 1',
  importsToKeep: 2,
  managedDataSource: image,
});

// who may copy the image: the VMs of team A
const cloner = new kplus.Role(images, 'image-cloner');
cloner.allow(['create'], kplus.ApiResource.custom({ apiGroup: 'cdi.kubevirt.io', resourceType: 'datavolumes/source' }));
const clones = new kplus.RoleBinding(images, 'team-a-clones', { role: cloner });
clones.addSubjects(kplus.Group.fromName(images, 'team-a', 'system:serviceaccounts:team-a'));

// --- team A: VMs that start as copies of it, of its size
const team = new Chart(app, 'team-a', { namespace: 'team-a', disableResourceNameHashes: true });
for (const name of ['build-1', 'build-2']) {
  new VirtualMachine(team, name, {
    metadata: { name },
    disks: [Disk.dataSource(image, { name: 'root', size: Size.gibibytes(30) })],
    inferInstancetype: { volume: 'root' },
    inferPreference: { volume: 'root' },
    cloudInit: CloudInit.noCloud({ packages: ['gcc', 'make', 'git'] }),
    // public keys that log in as the image's user `fedora`
    accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'team-keys' })],
  });
}

app.synth();
