import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, VmNetwork, VmPort } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ ports: [VmPort.tcp(99999)] })] });

export { app };
