import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, Cni, NetworkAttachment, VmNetwork } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
const lan = new NetworkAttachment(chart, 'lan', { config: Cni.bridge('br1') });
const networks = [VmNetwork.multus(lan, { macAddress: '02:00:00:00:00:01' })];
new VirtualMachine(chart, 'a', { memory: Size.gibibytes(2), networks });
new VirtualMachine(chart, 'b', { memory: Size.gibibytes(2), networks });

export { app };
