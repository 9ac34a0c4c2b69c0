import { Chart, App, Size } from 'cdk8s';
import { VirtualMachineInstance, VirtualMachineSnapshot } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachineInstance(chart, 'job', { metadata: { name: 'job' }, memory: Size.gibibytes(2) });
new VirtualMachineSnapshot(chart, 'monday', { source: { name: 'job' } });

export { app };
