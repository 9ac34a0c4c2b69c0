import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), instanceSpec: { domain: { devices: { sound: { model: 'ich9' } } } } });

export { app };
