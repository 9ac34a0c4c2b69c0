import { Chart, App, Size } from 'cdk8s';
import { VirtualMachinePool, GuestDisruptionBudget, Disk } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const pool = new VirtualMachinePool(chart, 'web', { replicas: 2, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
new GuestDisruptionBudget(chart, 'budget', { target: pool, minAvailable: -1 });

export { app };
