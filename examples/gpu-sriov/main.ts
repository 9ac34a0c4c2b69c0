import { App, Chart, Size } from 'cdk8s';
import {
  AccessCredential,
  CloudInit,
  Cni,
  Cpu,
  Disk,
  Gpu,
  HugepageSize,
  KubeVirt,
  NetworkAttachment,
  PermittedHostDevice,
  VirtualMachine,
  VmNetwork,
} from 'virt8s';

const app = new App();

// --- once per cluster: the devices that VMs may use
const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
new KubeVirt(platform, 'kubevirt', {
  configuration: {
    // virt-handler offers the devices, and labels nodes that support dedicated CPUs
    featureGates: ['HostDevices', 'CPUManager'],
    permittedHostDevices: [PermittedHostDevice.pci('nvidia.com/TU104GL_Tesla_T4', '10DE:1EB8')],
  },
});

// --- a VM with dedicated CPUs, huge pages, a GPU and a network card
const chart = new Chart(app, 'training', { namespace: 'training', disableResourceNameHashes: true });

// the SR-IOV device plugin offers this pool of virtual functions
const fabric = new NetworkAttachment(chart, 'fabric', {
  config: Cni.sriov('intel.com/sriov_fabric', { vlan: 300, spoofCheck: true, trust: false }),
});

new VirtualMachine(chart, 'trainer', {
  cpu: Cpu.cores(8, { model: 'host-passthrough', dedicated: true, isolateEmulatorThread: true, numaPassthrough: true }),
  memory: Size.gibibytes(32),
  memoryOptions: { hugepages: HugepageSize.ONE_GIBIBYTE },
  disks: [Disk.registry('quay.io/containerdisks/ubuntu:24.04', Size.gibibytes(200), { name: 'root' })],
  networks: [VmNetwork.masquerade(), VmNetwork.sriov(fabric, { name: 'fabric' })],
  devices: { gpus: [Gpu.device('nvidia.com/TU104GL_Tesla_T4')], blockMultiQueue: true, networkMultiQueue: true },
  cloudInit: CloudInit.noCloud({
    packages: ['ubuntu-drivers-common'],
    runcmd: ['ubuntu-drivers install --gpgpu', 'modprobe nvidia'],
  }),
  // public keys for the image's user `ubuntu`
  accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'training-keys' })],
  scheduling: { nodeSelector: { 'shop.example/accelerator': 'tesla-t4' } },
});

app.synth();
