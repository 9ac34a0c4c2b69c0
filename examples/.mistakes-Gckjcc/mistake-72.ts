import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, Cni, NetworkAttachment, VmNetwork } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new NetworkAttachment(chart, 'lan', { metadata: { name: 'lan', namespace: 'infra' }, config: Cni.bridge('br1') });
new VirtualMachine(chart, 'vm', { metadata: { namespace: 'shop' }, memory: Size.gibibytes(2), networks: [VmNetwork.multus({ name: 'lan' })] });

export { app };
