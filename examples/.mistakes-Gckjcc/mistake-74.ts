import { Chart, App, Size } from 'cdk8s';
import { Cpu, Instancetype, VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const type = new Instancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(2) });
new VirtualMachine(chart, 'vm', { instancetype: type, cpu: Cpu.cores(4) });

export { app };
