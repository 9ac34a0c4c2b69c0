import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { metadata: { name: 'a-name-'.repeat(12) }, memory: Size.gibibytes(2) });

export { app };
