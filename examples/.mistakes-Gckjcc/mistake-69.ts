import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, VmPort } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [] });
vm.exposeViaService('web', { ports: [VmPort.HTTP] });

export { app };
