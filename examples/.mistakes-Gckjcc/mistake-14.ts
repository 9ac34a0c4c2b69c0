import { Chart, App, Size } from 'cdk8s';
import { Cpu, VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), cpu: Cpu.cores(1.5) });

export { app };
