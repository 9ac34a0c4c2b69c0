import { App, Chart, Size } from 'cdk8s';
import {
  AccessCredential,
  CloudInit,
  CloudNetwork,
  Cni,
  Cpu,
  Disk,
  NetworkAttachment,
  VirtualMachine,
  VmNetwork,
  VmPort,
} from 'virt8s';

const app = new App();
const chart = new Chart(app, 'plant', { namespace: 'plant', disableResourceNameHashes: true });

// the bridge br1 of every node has an uplink to the switch; the guest does not see the VLAN's tag
const machines = new NetworkAttachment(chart, 'machines', {
  config: Cni.bridge('br1', { vlan: 100, macSpoofCheck: true }),
});

// the network configuration identifies the cards by their MAC addresses
const POD = '02:00:00:00:01:10';
const MACHINES = '02:00:00:00:01:11';
const gateway = new VirtualMachine(chart, 'gateway', {
  cpu: Cpu.cores(2),
  memory: Size.gibibytes(2),
  disks: [Disk.containerDisk(process.env.GUEST_IMAGE ?? 'quay.io/containerdisks/fedora:42', { name: 'root' })],
  networks: [
    VmNetwork.masquerade({ macAddress: POD, ports: [VmPort.SSH] }), // for people
    VmNetwork.multus(machines, { name: 'machines', macAddress: MACHINES }), // for machines
  ],
  cloudInit: CloudInit.noCloud({
    // a network configuration must contain every card
    networkConfig: CloudNetwork.v2({
      ethernets: {
        pod: { match: { macAddress: POD }, dhcp4: true },
        machines: {
          match: { macAddress: MACHINES },
          setName: 'machines0',
          addresses: ['192.0.2.10/24'],
          routes: [{ to: '198.51.100.0/24', via: '192.0.2.1' }],
          nameservers: { addresses: ['192.0.2.53'], search: ['plant.example'] },
        },
      },
    }),
  }),
  // public keys for the image's user `fedora`
  accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'plant-keys' })],
});
gateway.exposeViaService('ssh', { ports: [VmPort.SSH] });

app.synth();
