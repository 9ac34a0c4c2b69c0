import { Chart, App, Size } from 'cdk8s';
import { HugepageSize, VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.mebibytes(1500), memoryOptions: { hugepages: HugepageSize.ONE_GIBIBYTE } });

export { app };
