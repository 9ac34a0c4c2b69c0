import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, Disk } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const disks = [Disk.persistentVolumeClaim({ name: 'data' })];
new VirtualMachine(chart, 'a', { memory: Size.gibibytes(2), disks });
new VirtualMachine(chart, 'b', { memory: Size.gibibytes(2), disks });

export { app };
