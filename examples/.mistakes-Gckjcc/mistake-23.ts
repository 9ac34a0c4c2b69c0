import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, Disk } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.http('registry.example/os.qcow2', Size.gibibytes(10))] });

export { app };
