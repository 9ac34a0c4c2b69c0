import type { Mistake } from './mistakes';

/** Mistakes that were written from the documentation alone, and that only the run time would show. */
export const newcomerMistakes: readonly Mistake[] = [
  {
    group: 'types',
    title: 'a Promise instead of an image, without a type check',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the manifest contains an empty object',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk(Promise.resolve('registry.example/os:1') as any)] });`,
    says: `Disk.containerDisk: image: must be a string, not a Promise
  await it [type]`,
  },
  {
    group: 'types',
    title: 'a DataVolume in the list of disks, without a type check',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the manifest contains an unknown field',
    code: `const data = new DataVolume(chart, 'data', { source: DataVolumeSource.blank(), size: Size.gibibytes(9) }); new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [data as any] });`,
    says: `disks[0]: must be a Disk, not a DataVolume
  use Disk.dataVolume(…) [type]`,
  },
  {
    group: 'types',
    title: 'labels beside the metadata, without a type check',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'an unknown field; without a schema, nothing selects the object',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), labels: { team: 'a' } } as any);`,
    says: `labels: VirtualMachineProps has no property "labels", so the object does not get it
  write metadata: { labels: … } [unknown-property]`,
  },
  {
    group: 'types',
    title: 'a snapshot without its id, without a type check',
    tier: 'construction',
    kubevirt: 'never',
    there: 'a manifest names each object',
    code: `const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2) }); (vm as any).snapshot({ failureDeadline: Duration.minutes(9) });`,
    says: `VirtualMachine.snapshot: id: must be a string, not an object
  pass it before the options: snapshot('…', { … }) [type]`,
  },
  {
    group: 'types',
    title: 'an object inserted into a command',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest runs the command with the text [object Object]',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.noCloud({ runcmd: [\`curl \${{ host: 'a' } as any}\`] }) });`,
    says: `[object Object] is in the text: a variable of the program is an object
  insert one of its fields, or JSON.stringify(…) [text-undefined]`,
  },
  {
    group: 'guest',
    title: 'a fraction of a mebibyte as memory',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the error of cdk8s does not name the property',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(1.3), disks: [Disk.containerDisk('registry.example/os:1')] });`,
    says: `memory: 1363148.8 KiB is not a whole number of KiB
  round it: Size.mebibytes(1331) [size-whole]`,
  },
  {
    group: 'guest',
    title: 'an instance type of the namespace by its name alone',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the VM waits for one of the cluster',
    code: `new Instancetype(chart, 's', { metadata: { name: 'small' }, cpus: 1, memory: Size.gibibytes(1) }); new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, instancetype: { name: 'small' }, disks: [Disk.containerDisk('registry.example/os:1')] });`,
    says: `instancetype (spec.instancetype.name): "small" is VirtualMachineInstancetype "small" (docs/s), and this names a VirtualMachineClusterInstancetype
  write kind: VirtualMachineInstancetype (in code, pass the construct itself) [reference-kind]`,
  },
  {
    group: 'guest',
    title: 'a misspelt preference',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the VM waits for it',
    code: `new ClusterPreference(chart, 's', { metadata: { name: 'linux' } }); new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), preference: { name: 'linxu' }, disks: [Disk.containerDisk('registry.example/os:1')] });`,
    says: `preference (spec.preference.name): no VirtualMachineClusterPreference is called "linxu" (allowed: "linux")
  did you mean "linux"? [reference-name]`,
  },
  {
    group: 'guest',
    title: 'a time zone that does not exist for the clock',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], clock: Clock.timezone('Europe/Pargue') });`,
    says: `clock (spec.template.spec.domain.clock.timezone): "Europe/Pargue" is not a time zone
  write one like Europe/Berlin [clock-time-zone]`,
  },
  {
    group: 'guest',
    title: 'a GPU by its model',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the Pod is rejected',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.devices.addGpu(Gpu.device('A10'));`,
    says: `devices.gpus[0].deviceName (spec.template.spec.domain.devices.gpus[0].deviceName): "A10" is not the name of a resource: Kubernetes rejects the Pod
  write it like nvidia.com/GA102GL_A10 [device-resource-name]`,
  },
  {
    group: 'guest',
    title: 'an image whose tag is undefined',
    tier: 'construction',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk(\`registry.example/os:\${process.env['NOPE']}\`)] } as any)`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "registry.example/os:undefined" contains undefined: a variable of the program has no value
  set the variable, such as one of the environment, or give it a default [text-undefined]`,
  },
  {
    group: 'storage',
    title: 'native I/O beside a cache',
    tier: 'synth',
    kubevirt: 'run',
    there: 'QEMU does not start',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5), { io: DiskIo.NATIVE, cache: DiskCache.WRITE_BACK })] });`,
    says: `disks[0].cache (spec.template.spec.domain.devices.disks[0].cache): native I/O bypasses the cache of the host, and the cache is writeback: QEMU does not start (allowed: "none")
  write none, or use threads for io [disk-cache-native]`,
  },
  {
    group: 'storage',
    title: 'a cache for a shared disk',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.persistentVolumeClaim({ name: 's' }, { shareable: true, cache: DiskCache.WRITE_BACK })] });`,
    says: `disks[0].cache (spec.template.spec.domain.devices.disks[0].cache): a disk that several guests write to is not cached, and the cache is writeback: the guest does not start (allowed: "none")
  write none, or leave it out [disk-cache-shareable]`,
  },
  {
    group: 'storage',
    title: 'two disks on one DataVolume',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not start: its image is locked',
    code: `const g = new DataVolume(chart, 'g', { source: DataVolumeSource.blank(), size: Size.gibibytes(5) }); new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.dataVolume(g, { name: 'a' }), Disk.dataVolume(g, { name: 'b' })] });`,
    says: `disks[1] (spec.template.spec.volumes[1]): disk "a" is on the claim "docs-g", too: the guest does not start, since its image is locked
  give each disk a claim of its own [claim-once]`,
  },
  {
    group: 'storage',
    title: 'a misspelt claim',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the VM waits for it',
    code: `new ApiObject(chart, 'PersistentVolumeClaim-data-claim', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data-claim' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } } }); new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.persistentVolumeClaim({ name: 'data-clam' })] });`,
    says: `disks[0] (spec.template.spec.volumes[0].persistentVolumeClaim.claimName): no PersistentVolumeClaim is called "data-clam" (allowed: "data-claim")
  did you mean "data-claim"? [reference-name]`,
  },
  {
    group: 'storage',
    title: 'a copy of a DataVolume of another namespace by its name',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the DataVolume stays pending',
    code: `const a = new Chart(app, 'a', { namespace: 'images' }); new DataVolume(a, 'golden', { metadata: { name: 'golden' }, source: DataVolumeSource.http('https://x.example/a.qcow2'), size: Size.gibibytes(5) }); const b = new Chart(app, 'b', { namespace: 'shop' }); new VirtualMachine(b, 'vm', { memory: Size.gibibytes(2), disks: [Disk.cloneOf({ name: 'golden' })] });`,
    says: `disks[0].namespace (spec.dataVolumeTemplates[0].spec.source.pvc): PersistentVolumeClaim "golden" is in the namespace "images", and this copies one of "shop"
  write namespace: "images", or pass the construct, which knows its namespace [reference-namespace]`,
  },
  {
    group: 'storage',
    title: 'a storage class with capital letters',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the claim is rejected',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5), { storageClassName: 'Fast_SSD' })] });`,
    says: `disks[0].storageClassName (spec.dataVolumeTemplates[0].spec.storage.storageClassName): "Fast_SSD" cannot be the name of a StorageClass
  use lower case letters, digits, dashes and dots [storage-class-name]`,
  },
  {
    group: 'network',
    title: 'a port of the nodes for a Service inside the cluster',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'rejected by Kubernetes',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('web', { ports: [VmPort.tcp(80, { nodePort: 30080 })] });`,
    says: `ports[0].nodePort (spec.ports[0].nodePort): a Service of type ClusterIP has no port on the nodes
  choose type NodePort or LoadBalancer (VmServiceType), or leave the node port out [node-port-type]`,
  },
  {
    group: 'network',
    title: 'one port of the nodes for two Services',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'rejected by Kubernetes',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('web', { ports: [VmPort.tcp(80, { nodePort: 30080 })], serviceType: VmServiceType.NODE_PORT }); m.exposeViaService('api', { ports: [VmPort.tcp(8080, { nodePort: 30080 })], serviceType: VmServiceType.NODE_PORT });`,
    says: `ports[0].nodePort (spec.ports[0].nodePort): Service "docs-vm-web" has the node port 30080 already
  choose another, or leave it out [node-port-unique]`,
  },
  {
    group: 'network',
    title: 'two Ingresses with one host and path',
    tier: 'synth',
    kubevirt: 'never',
    there: 'one of them gets all requests',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); const n = new VirtualMachine(chart, 'n', { metadata: { name: 'n' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaIngress('web', { host: 'shop.example' }); n.exposeViaIngress('web2', { host: 'shop.example' });`,
    says: `spec.rules[0].http.paths[0].path: Ingress "docs-vm-web" has the same host and path
  give each its own host or path [ingress-route-unique]`,
  },
  {
    group: 'network',
    title: 'an attachment with a gateway of another network',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the Pod fails',
    code: `new NetworkAttachment(chart, 'n', { config: Cni.bridge('br1', { ipam: CniIpam.hostLocal('10.9.0.0/24', { gateway: '10.8.0.1' }) }) });`,
    says: `config (spec.config): "gateway" is 10.8.0.1, which is not in 10.9.0.0/24
  use an address of 10.9.0.0/24 [attachment-address]`,
  },
  {
    group: 'network',
    title: 'a bridge with a name that is too long for Linux',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the Pod fails',
    code: `new NetworkAttachment(chart, 'n', { config: Cni.bridge('production-bridge-1') });`,
    says: `config (spec.config): "production-bridge-1" cannot be the name of a bridge: Linux takes at most 15 characters, without spaces and slashes
  name a bridge that the nodes have [attachment-bridge]`,
  },
  {
    group: 'network',
    title: 'one static address for two VMs on one network',
    tier: 'synth',
    kubevirt: 'never',
    there: 'guests disturb each other',
    code: `const n = new NetworkAttachment(chart, 'n', { config: Cni.bridge('br1') }); for (const id of ['a', 'b']) new VirtualMachine(chart, id, { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], networks: [VmNetwork.multus(n)], cloudInit: CloudInit.noCloud({ networkConfig: { version: 2, ethernets: { eth0: { addresses: ['192.0.2.10/24'] } } } }) });`,
    says: `cloudInit (spec.template.spec.volumes[1].cloudInitNoCloud.networkData): VirtualMachine "docs-a" has the static address 192.0.2.10 on the same network
  give each guest its own [address-unique]`,
  },
  {
    group: 'cloud-init',
    title: 'a gateway outside of the network',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest reaches nothing',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.noCloud({ networkConfig: { version: 2, ethernets: { eth0: { addresses: ['192.0.2.10/24'], gateway4: '192.0.3.1' } } } }) });`,
    says: `CloudInit.noCloud: networkConfig.ethernets.eth0.gateway4: is not in 192.0.2.10/24: the guest cannot reach it (value: "192.0.3.1")
  name a gateway of that network, or correct the prefix length [cloud-network-gateway]`,
  },
  {
    group: 'cloud-init',
    title: 'a network device that matches no card',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest has no address',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], networks: [VmNetwork.masquerade({ macAddress: '02:00:00:00:00:01' })], cloudInit: CloudInit.noCloud({ networkConfig: { version: 2, ethernets: { lan: { match: { macaddress: '02:00:00:00:00:02' }, dhcp4: true } } } }) });`,
    says: `cloudInit (spec.template.spec.volumes[1].cloudInitNoCloud.networkData): no card of the guest has the address 02:00:00:00:00:02, so nothing of this device is applied (allowed: "02:00:00:00:00:01")
  match the macAddress of a network [cloud-network-card]`,
  },
  {
    group: 'cloud-init',
    title: 'a name server by its name',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest resolves no names',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.noCloud({ networkConfig: { version: 2, ethernets: { eth0: { dhcp4: true, nameservers: { addresses: ['dns.example'] } } } } }) });`,
    says: `CloudInit.noCloud: networkConfig.ethernets.eth0.nameservers.addresses[0]: is not an IP address: a name server is found before any name (value: "dns.example")
  write an address [cloud-network-address]`,
  },
  {
    group: 'cloud-init',
    title: 'a sudo rule without the colon of its tag',
    tier: 'construction',
    kubevirt: 'run',
    there: 'sudo works for nobody',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.raw('#cloud-config\\nusers:\\n  - name: ops\\n    sudo: ALL=(ALL) NOPASSWD ALL\\n') });`,
    says: `CloudInit.raw: userData: line 4: users[0].sudo: is not a rule of sudoers: sudo works for nobody then
  write it like ALL=(ALL) NOPASSWD:ALL [cloud-user-sudo]`,
  },
  {
    group: 'cloud-init',
    title: 'a shell without its path',
    tier: 'construction',
    kubevirt: 'run',
    there: 'nobody can log in',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.raw('#cloud-config\\nusers:\\n  - name: ops\\n    shell: bash\\n') });`,
    says: `CloudInit.raw: userData: line 4: users[0].shell: is not an absolute path: nobody can log in
  write it like /bin/bash [cloud-user-shell]`,
  },
  {
    group: 'protection',
    title: 'two budgets for one pool',
    tier: 'synth',
    kubevirt: 'run',
    there: 'no guest can be evicted',
    code: `const p = new VirtualMachinePool(chart, 'p', { replicas: 4, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); new GuestDisruptionBudget(chart, 'b', { target: p, minAvailable: 2 }); new GuestDisruptionBudget(chart, 'c', { target: p, minAvailable: 3 });`,
    says: `spec.selector: PodDisruptionBudget "docs-b" is for the guests of VirtualMachinePool "docs-p", too: Kubernetes evicts no Pod that has two
  keep one [budget-one-each]`,
  },
  {
    group: 'protection',
    title: 'two autoscalers for one pool',
    tier: 'synth',
    kubevirt: 'never',
    there: 'each undoes what the other does',
    code: `const p = new VirtualMachinePool(chart, 'p', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); p.autoscale('load', { min: 2, max: 10, cpuUsage: 0.7 }); p.autoscale('load2', { min: 2, max: 10, memoryUtilization: 70 } as any);`,
    says: `spec.scaleTargetRef.name: HorizontalPodAutoscaler "docs-p-load" scales VirtualMachinePool "docs-p", too: each undoes what the other does
  keep one, with both metrics [autoscaler-one]`,
  },
  {
    group: 'protection',
    title: 'a budget of as many guests as the autoscaler leaves',
    tier: 'synth',
    kubevirt: 'run',
    there: 'a drain never ends',
    code: `const p = new VirtualMachinePool(chart, 'p', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); p.autoscale('load', { min: 2, max: 10, cpuUsage: 0.7 }); new GuestDisruptionBudget(chart, 'b', { target: p, minAvailable: 2 });`,
    says: `minAvailable (spec.minAvailable): HorizontalPodAutoscaler "docs-p-load" may leave 2 guests, and 2 must stay: none can be evicted then, and no drain ends (value: 2)
  use less than 2, or a greater minimum [budget-replicas]`,
  },
  {
    group: 'protection',
    title: 'one node for a guest that must move',
    tier: 'synth',
    kubevirt: 'run',
    there: 'a drain never ends',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], evictionStrategy: EvictionStrategy.LIVE_MIGRATE, instanceSpec: { nodeSelector: { 'kubernetes.io/hostname': 'node-1' } } });`,
    says: `scheduling.nodeSelector.kubernetes.io/hostname (spec.template.spec.nodeSelector.kubernetes.io/hostname): the guest may run on one node only: with evictionStrategy LiveMigrate the guest cannot leave its node, so a drain never ends
  remove it, or evictionStrategy LiveMigrateIfPossible or None [migration-pinned]`,
  },
  {
    group: 'protection',
    title: 'a disk of one node where the platform moves all guests',
    tier: 'synth',
    kubevirt: 'run',
    there: 'a drain never ends',
    code: `new KubeVirt(chart, 'kv', { configuration: { evictionStrategy: EvictionStrategy.LIVE_MIGRATE } }); new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5), { accessModes: [AccessMode.READ_WRITE_ONCE] })] });`,
    says: `disks[0] (spec.template.spec.volumes[0]): disk "disk0" is on claim "vm-disk0", which is ReadWriteOnce: with evictionStrategy LiveMigrate the guest cannot leave its node, so a drain never ends (allowed: "ReadWriteMany")
  choose ReadWriteMany, or evictionStrategy LiveMigrateIfPossible or None [migration-claim]`,
  },
  {
    group: 'protection',
    title: 'a migration to nodes that the VM excludes',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the migration stays pending',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], instanceSpec: { nodeSelector: { rack: 'r1' } } }); m.migrate('go', { addedNodeSelector: { rack: 'r7' } });`,
    says: `spec.addedNodeSelector.rack: VirtualMachine "vm" runs on nodes with rack=r1 only: none fits (value: "r7"; allowed: "r1")
  leave it out, or change the nodeSelector of the VM [migration-selector]`,
  },
  {
    group: 'protection',
    title: 'a migration of a guest on a ReadWriteOnce disk',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'rejected',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5), { accessModes: [AccessMode.READ_WRITE_ONCE] })] }); m.migrate('go');`,
    says: `spec.vmiName: VirtualMachine "vm" cannot move: disk "disk0" is on claim "vm-disk0", which is ReadWriteOnce
  choose ReadWriteMany, or remove the migration [migration-stays]`,
  },
  {
    group: 'protection',
    title: 'an address for an interface that the clone does not have',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the clone fails',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5))] }); m.clone('c', { targetName: 'c', newMacAddresses: { eth0: '02:00:00:00:00:11' } });`,
    says: `newMacAddresses.eth0 (spec.newMacAddresses.eth0): VirtualMachine "vm" has no interface "eth0" (allowed: "default")
  use one of the allowed values [clone-interface]`,
  },
  {
    group: 'protection',
    title: 'post-copy without disruption',
    tier: 'synth',
    kubevirt: 'never',
    there: 'post-copy is never used',
    code: `new MigrationPolicy(chart, 'p', { instanceLabels: { a: 'b' }, allowPostCopy: true, allowWorkloadDisruption: false });`,
    says: `allowPostCopy (spec.allowPostCopy): post-copy disrupts the guest, and allowWorkloadDisruption is false: it is never used (value: true)
  leave allowWorkloadDisruption out, or set allowPostCopy: false [migration-post-copy]`,
  },
  {
    group: 'platform',
    title: 'a network for migrations in another namespace',
    tier: 'synth',
    kubevirt: 'run',
    there: 'virt-handler does not start',
    code: `const n = new NetworkAttachment(chart, 'n', { metadata: { name: 'mig', namespace: 'shop' }, config: Cni.bridge('br1') }); new KubeVirt(chart, 'kv', { metadata: { namespace: 'kubevirt' }, configuration: { migrations: { network: 'mig' } } });`,
    says: `configuration.migrations.network (spec.configuration.migrations.network): NetworkAttachmentDefinition "mig" is in the namespace "shop", and migrations find it in "kubevirt"
  declare it in "kubevirt" [migration-network]`,
  },
  {
    group: 'platform',
    title: 'a class for the state of VMs with capital letters',
    tier: 'synth',
    kubevirt: 'run',
    there: 'VMs with a TPM wait',
    code: `new KubeVirt(chart, 'kv', { configuration: { vmStateStorageClass: 'Fast_X' } });`,
    says: `configuration.vmStateStorageClass (spec.configuration.vmStateStorageClass): "Fast_X" cannot be the name of a StorageClass
  use lower case letters, digits, dashes and dots [state-storage-class]`,
  },
];
