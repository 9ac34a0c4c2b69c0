import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, VmNetwork } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ macAddress: '02:00:00:00:00:01' }), VmNetwork.multus({ name: 'lan' }, { macAddress: '02:00:00:00:00:01' })] });

export { app };
