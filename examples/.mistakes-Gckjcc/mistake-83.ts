import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, VirtualMachineSnapshot } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'database', { metadata: { name: 'database' }, memory: Size.gibibytes(2) });
new VirtualMachineSnapshot(chart, 'monday', { source: { name: 'databse' } });

export { app };
