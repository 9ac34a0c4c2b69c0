import { Chart, App } from 'cdk8s';
import { VirtualMachineRestore } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachineRestore(chart, 'back', { snapshot: { name: 'monday' } });

export { app };
