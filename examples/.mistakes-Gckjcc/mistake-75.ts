import { Chart, App, Size } from 'cdk8s';
import { Instancetype, Preference, VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const type = new Instancetype(chart, 'small', { cpus: 1, memory: Size.gibibytes(1) });
const preference = new Preference(chart, 'windows', { requirements: { cpus: 2, memory: Size.gibibytes(4) } });
new VirtualMachine(chart, 'vm', { instancetype: type, preference });

export { app };
