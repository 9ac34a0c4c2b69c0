import { Chart, App, Size } from 'cdk8s';
import { Gpu, VirtualMachine, PermittedHostDevice, KubeVirt } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new KubeVirt(chart, 'kubevirt', { configuration: { permittedHostDevices: [PermittedHostDevice.pci('nvidia.com/A100', '10DE:20B0')] } });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), devices: { gpus: [Gpu.device('nvidia.com/H100')] } });

export { app };
