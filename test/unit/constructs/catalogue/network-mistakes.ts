import type { Mistake } from './mistakes';

/** Mistakes of networks, cloud-init and the platform. */
export const networkMistakes: readonly Mistake[] = [
  {
    group: 'network',
    title: 'a traffic policy of a Service inside the cluster',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'the API server rejects it',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('web', { ports: [VmPort.HTTP], externalTrafficPolicy: TrafficPolicy.LOCAL });`,
    says: `externalTrafficPolicy (spec.externalTrafficPolicy): a Service of type ClusterIP has no externalTrafficPolicy: it belongs to NodePort or LoadBalancer (value: "Local")
  choose the type NodePort or LoadBalancer (VmServiceType), or leave it out [service-type]`,
  },
  {
    group: 'network',
    title: 'a session timeout without session affinity',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'the API server rejects it',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('web', { ports: [VmPort.HTTP], sessionTimeout: Duration.hours(1) });`,
    says: `a timeout requires sessionAffinity ClientIP (value: 3600)
  set sessionAffinity to ClientIP (SessionAffinity.CLIENT_IP), or leave the timeout out [service-affinity]`,
  },
  {
    group: 'network',
    title: 'an address of the other IP version',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'the API server rejects it',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('web', { ports: [VmPort.HTTP], clusterIp: '10.96.0.50', ipFamilies: [IpFamily.IPV6] });`,
    says: `the address 10.96.0.50 is an IPv4 address, and the first family is IPv6
  list IPv4 first, or leave one of the two out [service-family]`,
  },
  {
    group: 'network',
    title: 'another port of the guest behind a headless Service',
    tier: 'synth',
    kubevirt: 'never',
    there: 'clients connect to the wrong port',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('db', { headless: true, ports: [VmPort.tcp(5432, { targetPort: 6432 })] });`,
    says: `a headless Service does not translate ports: clients reach port 5432 of the guest, not 6432
  leave targetPort out, or use the port 6432 [service-headless]`,
  },
  {
    group: 'network',
    title: 'a cluster IP that is not an address',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'the API server rejects it',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('web', { ports: [VmPort.HTTP], clusterIp: '10.96.0.300' });`,
    says: `clusterIp (spec.clusterIP): "10.96.0.300" is not an IP address
  write an address of the cluster's Service network, or leave it out [service-address]`,
  },
  {
    group: 'network',
    title: 'a protocol of applications for a port',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'the API server rejects it',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.exposeViaService('web', { ports: [VmPort.of(VmProtocol.of('HTTP'), 80)] });`,
    says: `ports[0].protocol (spec.ports[0].protocol): "HTTP" is not supported (allowed: "TCP", "UDP", "SCTP")
  use one of the allowed values [service-value]`,
  },
  {
    group: 'network',
    title: 'the protocol of a port as an option, without type checks',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the Service opens a TCP port',
    code: `const options: object = { protocol: 'UDP' }; VmPort.tcp(53, options);`,
    says: `VmPort.tcp: options.protocol: VmPortOptions has no property "protocol"
  use VmPort.udp(…), or VmPort.of(VmProtocol.…, …) for another protocol [unknown-property]`,
  },
  {
    group: 'network',
    title: 'a subdomain whose Service has an address',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the DNS name of the guest does not resolve',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], subdomain: 'db' }); m.exposeViaService('db', { ports: [VmPort.SSH], metadata: { name: 'db' } });`,
    says: `subdomain (spec.template.spec.subdomain): Service "db" has an address of its own, so the guest gets no DNS name in this subdomain
  set headless: true of the Service [subdomain-service]`,
  },
  {
    group: 'network',
    title: 'a VLAN and a trunk',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the Pod does not start',
    code: `new NetworkAttachment(chart, 'lan', { config: Cni.bridge('br1', { vlan: 10, vlanTrunk: [20] }) });`,
    says: `config (spec.config): the plugin rejects "vlan" and "vlanTrunk" together
  keep one [attachment-vlan]`,
  },
  {
    group: 'network',
    title: 'NAT of a network without addresses',
    tier: 'synth',
    kubevirt: 'never',
    there: 'packets keep their source',
    code: `new NetworkAttachment(chart, 'lan', { config: Cni.bridge('br1', { ipMasquerade: true }) });`,
    says: `config (spec.config): "ipMasq" has no effect without "ipam"
  add ipam, such as CniIpam.hostLocal(…) [attachment-ipam]`,
  },
  {
    group: 'network',
    title: 'a bridged guest on macvlan',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest receives no answers',
    code: `const n = new NetworkAttachment(chart, 'lan', { metadata: { name: 'lan' }, config: Cni.macvlan('eth1') }); const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], networks: [VmNetwork.multus(n)] });`,
    says: `NetworkAttachmentDefinition "lan" uses macvlan: the card accepts only the address of the Pod, so a bridged guest receives no answers
  use a bridge of the nodes (Cni.bridge), MacvlanMode.PASSTHRU, or a binding plugin [attachment-binding]`,
  },
  {
    group: 'network',
    title: 'a misspelt key of a CNI plugin',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the plugin uses its default bridge',
    code: `new NetworkAttachment(chart, 'lan', { config: Cni.raw({ type: 'bridge', brigde: 'br1' }) });`,
    says: `config (spec.config): the plugin bridge does not read "brigde"
  did you mean "bridge"? [attachment-field]`,
  },
  {
    group: 'network',
    title: 'the same ACPI index twice',
    tier: 'synth',
    kubevirt: 'run',
    there: 'QEMU does not start',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], networks: [VmNetwork.masquerade({ acpiIndex: 1 }), VmNetwork.multus({ name: 'lan' }, { acpiIndex: 1 })] });`,
    says: `interface "default" also has the ACPI index 1: the guest does not start (value: 1)
  give each interface its own [acpi-index-unique]`,
  },
  {
    group: 'network',
    title: 'an emulated model of a virtual function',
    tier: 'synth',
    kubevirt: 'never',
    there: 'ignored',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], networks: [VmNetwork.masquerade(), VmNetwork.sriov({ name: 'fast' }, { model: NicModel.E1000 })] });`,
    says: `the guest has the virtual function itself, not a card of the model e1000
  leave it out [sriov-setting]`,
  },
  {
    group: 'cloud-init',
    title: 'a file whose owner is created later',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the file is not written',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.noCloud({ users: [CloudUser.named('app')], writeFiles: [{ path: '/srv/app.env', content: 'x', owner: 'app:app' }] }) });`,
    says: `write_files: cloud-init creates the owner of /srv/app.env after it writes the file, so it skips the file
  add defer: true to the file [cloud-file-owner]`,
  },
  {
    group: 'cloud-init',
    title: 'a file system on the disk of cloud-init',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the data disk stays empty',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.noCloud({ fsSetup: [{ device: '/dev/vdb', filesystem: 'ext4' }] }) });`,
    says: `fs_setup: /dev/vdb is the disk of cloud-init itself, "cloudinit"
  name another disk, by a serial: /dev/disk/by-id/virtio-SERIAL of a virtio disk, ata-QEMU_HARDDISK_SERIAL of a SATA disk [cloud-device]`,
  },
  {
    group: 'cloud-init',
    title: 'two files with one path',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the first content is lost',
    code: `CloudInit.noCloud({ writeFiles: [{ path: '/etc/motd', content: 'a' }, { path: '/etc/motd', content: 'b' }] });`,
    says: `CloudInit.noCloud: writeFiles[1].path: is the path of another file, whose content is lost
  merge the two files, or add append: true [cloud-file-unique]`,
  },
  {
    group: 'cloud-init',
    title: "keys of the image's user, which is not created",
    tier: 'construction',
    kubevirt: 'run',
    there: 'nobody can log in with them',
    code: `CloudInit.noCloud({ users: [CloudUser.named('ops')], ssh: { authorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHNb0o2m9JmTeVPvXo3cOXWxSjFkbpMFjJzJ4d6Vd5sE me'] } });`,
    says: `ssh.authorizedKeys: belong to the image's own user, which is not created: users does not contain it
  add it (defaultUser: true, or the item default in users), or give the keys to one of the users [cloud-user-default]`,
  },
  {
    group: 'cloud-init',
    title: 'several groups in one item',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the user is not created',
    code: `CloudInit.noCloud({ users: [CloudUser.named('ops', { groups: ['adm, sudo'] })] });`,
    says: `users[0].groups[0]: is several names in one, so useradd fails
  write an item for each [cloud-user-group]`,
  },
  {
    group: 'cloud-init',
    title: 'the name of the user in a rule of sudo',
    tier: 'construction',
    kubevirt: 'run',
    there: 'sudo works for nobody',
    code: `CloudInit.noCloud({ users: [CloudUser.named('ops', { sudoRules: ['ops ALL=(ALL) NOPASSWD:ALL'] })] });`,
    says: `is not a rule of sudoers: sudo works for nobody then (value: "ops ALL=(ALL) NOPASSWD:ALL")
  write it like ALL=(ALL) NOPASSWD:ALL, without the name of the user [cloud-user-sudo]`,
  },
  {
    group: 'cloud-init',
    title: 'a certificate authority as a path',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not trust it',
    code: `CloudInit.noCloud({ caCerts: { trusted: ['/etc/ssl/ca.pem'] } });`,
    says: `caCerts.trusted[0]: is not a certificate in PEM: the guest does not read files of this machine
  pass the content of the file: readFileSync('ca.pem', 'utf8') [cloud-ca-certificate]`,
  },
  {
    group: 'cloud-init',
    title: 'a static address behind masquerade',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest has no network',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.noCloud({ networkConfig: CloudNetwork.v2({ ethernets: { enp1s0: { addresses: ['192.168.1.10/24'] } } }) }) });`,
    says: `masquerade sends packets to 10.0.2.2 only, and the guest has 192.168.1.10 (allowed: "10.0.2.2")
  use dhcp4: true, or the address 10.0.2.2 [cloud-network-masquerade]`,
  },
  {
    group: 'platform',
    title: 'an i440fx machine type',
    tier: 'synth',
    kubevirt: 'run',
    there: 'every VM without a machine type is rejected',
    code: `new KubeVirt(chart, 'kv', { configuration: { machineType: 'pc-i440fx-9.0' } });`,
    says: `the machine type "pc-i440fx-9.0" is not allowed, so every VM without a machine type of its own is rejected (allowed: "q35*", "pc-q35*")
  use q35: i440fx machines are not supported [machine-type]`,
  },
  {
    group: 'platform',
    title: 'an unknown default interface',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the platform ignores its configuration',
    code: `new KubeVirt(chart, 'kv', { configuration: { defaultInterface: DefaultInterface.of('macvtap') } });`,
    says: `the platform ignores the whole configuration: invalid default-network-interface in config: macvtap (allowed: "bridge", "masquerade")
  correct the value [platform-configuration]`,
  },
  {
    group: 'platform',
    title: 'a CPU request in millions',
    tier: 'synth',
    kubevirt: 'run',
    there: 'no VM is scheduled',
    code: `new KubeVirt(chart, 'kv', { configuration: { cpuRequest: '100M' } });`,
    says: `100M are more CPUs than any node has
  write 100m, in thousandths of a CPU [platform-cpu-request]`,
  },
  {
    group: 'platform',
    title: 'one device under two names',
    tier: 'synth',
    kubevirt: 'never',
    there: 'nodes offer one of them',
    code: `new KubeVirt(chart, 'kv', { configuration: { permittedHostDevices: [PermittedHostDevice.pci('a.example/one', '10DE:1EB8'), PermittedHostDevice.pci('a.example/two', '10de:1eb8')] } });`,
    says: `the same devices are also selected for "a.example/one": nodes offer them under one name only
  keep one of the two [device-selector-unique]`,
  },
  {
    group: 'platform',
    title: 'a name for the instance of a VM',
    tier: 'synth',
    kubevirt: 'never',
    there: 'ignored',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], instanceMetadata: { name: 'other' } });`,
    says: `instanceMetadata (spec.template.metadata.name): "other" is ignored: the instance has the name of its VM, "vm"
  leave it out [template-metadata]`,
  },
  {
    group: 'platform',
    title: 'two migration policies for the same guests',
    tier: 'synth',
    kubevirt: 'never',
    there: 'one of them applies',
    code: `new MigrationPolicy(chart, 'a', { metadata: { name: 'a' }, instanceLabels: { tier: 'db' }, allowPostCopy: true }); new MigrationPolicy(chart, 'b', { metadata: { name: 'b' }, instanceLabels: { tier: 'db' }, allowAutoConverge: true });`,
    says: `selects the same guests and is the first by name, so this one never applies
  merge the two, or select other guests [policy-unique]`,
  },
  {
    group: 'windows',
    title: 'an image of another Windows release',
    tier: 'construction',
    kubevirt: 'run',
    there: 'Setup stops without drivers',
    code: `Sysprep.install({ release: WindowsRelease.WINDOWS_11, image: WindowsImage.named('Windows 10 Pro'), admin: WindowsAdmin.local('ops') });`,
    says: `Sysprep.install: image: is an image of Windows 10, and the release is Windows 11
  correct one of the two: the release selects the drivers [sysprep-release]`,
  },
];
