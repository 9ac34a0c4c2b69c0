import { Chart, App } from 'cdk8s';
import { VirtualMachine, Disk } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { disks: [Disk.containerDisk('registry.example/os:1')] });

export { app };
