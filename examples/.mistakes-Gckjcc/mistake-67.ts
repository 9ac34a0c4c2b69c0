import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'a', { metadata: { name: 'web' }, memory: Size.gibibytes(2) });
new VirtualMachine(chart, 'b', { metadata: { name: 'web' }, memory: Size.gibibytes(2) });

export { app };
