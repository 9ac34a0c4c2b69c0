import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, VmIngress, VmPort } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2) });
const service = vm.exposeViaService('web', { ports: [VmPort.HTTP] });
new VmIngress(chart, 'in').addService(service, { host: 'web.example', port: 8080 });

export { app };
