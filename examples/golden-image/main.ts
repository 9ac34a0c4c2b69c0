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

// --- the platform team: an up-to-date image, with its instance type and preference
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

// VMs refer to this name of the newest import; its labels recommend an instance type and a preference
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

// the service accounts of team A may copy the image
const cloner = new kplus.Role(images, 'image-cloner');
cloner.allow(['create'], kplus.ApiResource.custom({ apiGroup: 'cdi.kubevirt.io', resourceType: 'datavolumes/source' }));
const clones = new kplus.RoleBinding(images, 'team-a-clones', { role: cloner });
clones.addSubjects(kplus.Group.fromName(images, 'team-a', 'system:serviceaccounts:team-a'));

// --- team A: VMs with copies of the image and the recommended size
const team = new Chart(app, 'team-a', { namespace: 'team-a', disableResourceNameHashes: true });
for (const name of ['build-1', 'build-2']) {
  new VirtualMachine(team, name, {
    metadata: { name },
    disks: [Disk.dataSource(image, { name: 'root', size: Size.gibibytes(30) })],
    inferInstancetype: { volume: 'root' },
    inferPreference: { volume: 'root' },
    cloudInit: CloudInit.noCloud({ packages: ['gcc', 'make', 'git'] }),
    // public keys for the image's user `fedora`
    accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'team-keys' })],
  });
}

app.synth();
