import { ApiObject, Chart, App, Size } from 'cdk8s';
import { VirtualMachine } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'database', { memory: Size.gibibytes(2) });
new ApiObject(chart, 'svc', { apiVersion: 'v1', kind: 'Service', spec: { selector: { 'vm.kubevirt.io/name': 'docs-databse' }, ports: [{ port: 5432 }] } });

export { app };
