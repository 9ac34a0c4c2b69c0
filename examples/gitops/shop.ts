import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  Cpu,
  Disk,
  EvictionStrategy,
  GuestDisruptionBudget,
  VirtualMachineReplicaSet,
  VmIngress,
  VmPort,
  VmProbe,
  VmTopology,
} from 'virt8s';
import type { Environment } from './environments';

/** The shop in one environment. */
export class Shop extends Chart {
  constructor(scope: Construct, name: string, environment: Environment) {
    const { host, image, replicas, sockets, memory, apart } = environment;
    super(scope, name, {
      namespace: `shop-${name}`,
      labels: { 'app.kubernetes.io/part-of': 'shop', 'shop.example/environment': name },
      disableResourceNameHashes: true,
    });

    const guests = new VirtualMachineReplicaSet(this, 'shop', {
      metadata: { name: 'shop' },
      replicas,
      cpu: Cpu.sockets(sockets),
      memory,
      disks: [Disk.containerDisk(image, { name: 'root' })],
      readiness: VmProbe.fromHttpGet('/healthz'),
      evictionStrategy: EvictionStrategy.NONE,
    });
    if (apart) guests.scheduling.spread({ topology: VmTopology.HOST });
    if (replicas > 1) {
      new GuestDisruptionBudget(this, 'budget', {
        metadata: { name: 'shop' },
        target: guests,
        minAvailable: replicas - 1,
      });
    }
    const service = guests.exposeViaService('http', { metadata: { name: 'shop' }, ports: [VmPort.HTTP] });
    const ingress = new VmIngress(this, 'ingress', { metadata: { name: 'shop' } });
    ingress.addService(service, { host, tls: { name: 'shop-tls' } });
  }
}
