import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, DataVolumeSource, DataVolume, Disk } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const golden = new DataVolume(chart, 'golden', { metadata: { namespace: 'shop' }, source: DataVolumeSource.http('https://registry.example/os.qcow2'), size: Size.gibibytes(20) });
new VirtualMachine(chart, 'vm', { metadata: { namespace: 'shop' }, memory: Size.gibibytes(2), disks: [Disk.cloneOf(golden, { size: Size.gibibytes(10) })] });

export { app };
