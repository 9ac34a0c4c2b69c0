/** A mistake that users make, and which check reports it. */
export interface Mistake {
  readonly group: string;
  readonly title: string;
  /** First check that reports the mistake: the compiler, the call or `new` that receives the value, or synth. */
  readonly tier: 'compiler' | 'construction' | 'synth';
  /** With KubeVirt's own tools, the same YAML is refused when applied, fails when it runs, or is never reported. */
  readonly kubevirt: 'apply' | 'run' | 'never';
  /** Consequence with KubeVirt's own tools. */
  readonly there: string;
  /** Program as a user writes it, without imports, `app` and `chart`. */
  readonly code: string;
  /** Part of the message. */
  readonly says: string;
}

export const mistakes: readonly Mistake[] = [
  {
    group: 'types',
    title: 'memory as a plain number',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'the number is read as bytes; the guest does not boot',
    code: `new VirtualMachine(chart, 'vm', { memory: 2048 });`,
    says: `Type 'number' is not assignable to type 'Size'.`,
  },
  {
    group: 'types',
    title: 'memory as a string',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'a wrong unit is refused; `2G` is decimal',
    code: `new VirtualMachine(chart, 'vm', { memory: '2 GB' });`,
    says: `Type 'string' is not assignable to type 'Size'.`,
  },
  {
    group: 'types',
    title: 'a disk bus as a string',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'refused',
    code: `Disk.containerDisk('registry.example/os:1', { bus: 'virtoi' });`,
    says: `Type 'string' is not assignable to type 'Choice'.`,
  },
  {
    group: 'types',
    title: 'a run strategy as a string',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), runStrategy: 'Allways' });`,
    says: `Type 'string' is not assignable to type 'Choice'.`,
  },
  {
    group: 'types',
    title: 'a misspelt property',
    tier: 'compiler',
    kubevirt: 'never',
    there: 'the unknown field is silently dropped',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), evictionStratgy: EvictionStrategy.NONE });`,
    says: `Object literal may only specify known properties, but 'evictionStratgy' does not exist in type 'VirtualMachineProps'. Did you mean to write 'evictionStrategy'?`,
  },
  {
    group: 'types',
    title: 'a disk without its source',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [{ name: 'root' }] });`,
    says: `Object literal may only specify known properties, but 'name' does not exist in type 'Disk'. Did you mean to write '_name'?`,
  },
  {
    group: 'types',
    title: 'an import without a size',
    tier: 'compiler',
    kubevirt: 'run',
    there: 'the claim stays pending',
    code: `Disk.http('https://registry.example/os.qcow2');`,
    says: 'Expected 2-3 arguments, but got 1.',
  },
  {
    group: 'types',
    title: 'an instance type without memory',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'refused',
    code: `new Instancetype(chart, 'small', { cpus: 2 });`,
    says: `Argument of type '{ cpus: number; }' is not assignable to parameter of type 'InstancetypeProps'.`,
  },
  {
    group: 'types',
    title: 'a restore without a target',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachineRestore(chart, 'back', { snapshot: { name: 'monday' } });`,
    says: `Argument of type '{ snapshot: { name: string; }; }' is not assignable to parameter of type 'VirtualMachineRestoreProps'.`,
  },
  {
    group: 'types',
    title: 'a password in the props of a user',
    tier: 'compiler',
    kubevirt: 'run',
    there: 'everyone who can read VMs can read the password',
    code: `CloudUser.named('me', { password: 'secret' });`,
    says: `Object literal may only specify known properties, and 'password' does not exist in type 'CloudUserOptions'.`,
  },
  {
    group: 'types',
    title: 'a Service without ports',
    tier: 'compiler',
    kubevirt: 'apply',
    there: 'refused by Kubernetes',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2) }).exposeViaService('web', {});`,
    says: `Argument of type '{}' is not assignable to parameter of type 'ExposeViaServiceOptions'.`,
  },
  {
    group: 'types',
    title: 'a grace period as a number',
    tier: 'compiler',
    kubevirt: 'never',
    there: '5 is read as seconds where 5 minutes were intended',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), terminationGracePeriod: 5 });`,
    says: `Type 'number' is not assignable to type 'Duration'.`,
  },
  {
    group: 'types',
    title: 'a platform without images',
    tier: 'compiler',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtPlatform(chart, 'platform', {});`,
    says: `Argument of type '{}' is not assignable to parameter of type 'VirtPlatformProps'.`,
  },
  {
    group: 'cpu',
    title: 'zero CPU cores',
    tier: 'construction',
    kubevirt: 'run',
    there: 'libvirt rejects the domain',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), cpu: Cpu.cores(0) });`,
    says: `cpu.cores (spec.template.spec.domain.cpu.cores): '0': must be greater than 0
  use 1 or more, or leave it out [cpu-positive]`,
  },
  {
    group: 'cpu',
    title: 'half a CPU core',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), cpu: Cpu.cores(1.5) });`,
    says: `cpu.cores (spec.template.spec.domain.cpu.cores): must be of type integer, not number (value: 1.5)
  write an integer here [schema-type]`,
  },
  {
    group: 'cpu',
    title: 'a quantity with an unknown unit',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), requests: { cpu: '500mm' } });`,
    says: `requests.cpu (spec.template.spec.domain.resources.requests.cpu): "500mm" is not a quantity
  write a number with an optional unit (m, k, M, G, T, P, E or Ki, Mi, Gi, Ti, Pi, Ei), like 512Mi [schema-quantity]`,
  },
  {
    group: 'memory',
    title: '2 KiB of memory',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not boot',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.kibibytes(2) });`,
    says: `memory (spec.template.spec.domain.memory.guest): '2Ki': no guest boots with so little memory
  add a unit: 512Mi [guest-memory-tiny]`,
  },
  {
    group: 'disks',
    title: 'an unknown disk bus',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { bus: DiskBus.of('virtoi') })] });`,
    says: `disks[0].bus (spec.template.spec.domain.devices.disks[0].disk.bus): is set with an unrecognized bus virtoi, must be one of: [virtio scsi sata usb] (allowed: "virtio", "scsi", "sata", "usb")
  did you mean "virtio"? [disk-bus]`,
  },
  {
    group: 'disks',
    title: 'a CD-ROM drive on the virtio bus',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { device: DiskDevice.CDROM, bus: DiskBus.VIRTIO })] });`,
    says: `disks[0].bus (spec.template.spec.domain.devices.disks[0].cdrom.bus): Bus type virtio is invalid for CD-ROM device (allowed: "scsi", "sata", "usb")
  use sata or scsi [cdrom-bus]`,
  },
  {
    group: 'disks',
    title: 'a serial number that is too long',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest cannot find the disk by its serial; hotplug retries forever',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { serial: 'data-disk-of-the-database' })] });`,
    says: `disks[0].serial (spec.template.spec.domain.devices.disks[0].serial): must be less than or equal to 20 in length: the guest sees only so many characters (value: "data-disk-of-the-database")
  shorten the serial number [disk-serial-length]`,
  },
  {
    group: 'disks',
    title: 'a boot order of zero',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { bootOrder: 0 })] });`,
    says: `disks[0].bootOrder (spec.template.spec.domain.devices.disks[0].bootOrder): must have a boot order > 0, if supplied (value: 0)
  use 1 or more [boot-order-positive]`,
  },
  {
    group: 'disks',
    title: 'an unknown cache mode',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { cache: DiskCache.of('writeBack') })] });`,
    says: `disks[0].cache (spec.template.spec.domain.devices.disks[0].cache): has invalid value writeBack (allowed: "none", "writethrough", "writeback")
  did you mean "writeback"? [disk-cache]`,
  },
  {
    group: 'disks',
    title: 'a relative path of a host disk',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the Pod fails',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.hostDisk('data/disk.img')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].hostDisk.path): "data/disk.img" is not an absolute path
  start it with / [host-disk-path]`,
  },
  {
    group: 'disks',
    title: 'an import from a URL without a scheme',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'the VM is accepted, but its DataVolume is refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.http('registry.example/os.qcow2', Size.gibibytes(10))] });`,
    says: `disks[0].url (spec.dataVolumeTemplates[0].spec.source.http.url): disks[0] Invalid source URL: registry.example/os.qcow2
  write a complete URL, like https://example.com/disk.qcow2 [source-url]`,
  },
  {
    group: 'network',
    title: 'an incomplete MAC address',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ macAddress: '02:00:00:12' })] });`,
    says: `networks[0].macAddress (spec.template.spec.domain.devices.interfaces[0].macAddress): interface networks[0].name has malformed MAC address (02:00:00:12)
  write it like 02:00:00:12:34:56 [mac-format]`,
  },
  {
    group: 'network',
    title: 'a port number above 65535',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ ports: [VmPort.tcp(99999)] })] });`,
    says: `networks[0].ports[0].port (spec.template.spec.domain.devices.interfaces[0].ports[0].port): Port field must be in range 0 < x < 65536 (value: 99999)
  use 1 to 65535 [port-range]`,
  },
  {
    group: 'network',
    title: 'an NTP server by host name',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ dhcpOptions: { ntpServers: ['time.example'] } })] });`,
    says: `networks[0].dhcpOptions.ntpServers[0] (spec.template.spec.domain.devices.interfaces[0].dhcpOptions.ntpServers[0]): NTP servers must be a list of valid IPv4 addresses (value: "time.example")
  use IPv4 addresses [dhcp-ntp]`,
  },
  {
    group: 'network',
    title: 'an unknown link state',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ linkState: LinkState.of('off') })] });`,
    says: `networks[0].linkState (spec.template.spec.domain.devices.interfaces[0].state): logical default interface state value is unsupported: off (allowed: "up", "down", "absent")
  use an allowed state [interface-state]`,
  },
  {
    group: 'names',
    title: 'a VM name that is too long for a label',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the Pod is refused',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'a-name-'.repeat(12) }, memory: Size.gibibytes(2) });`,
    says: `metadata.name: "a-name-a-name-a-name-a-name-a-name-a-name-a-name-a-name-a-name-a-name-a-name-a-name-" is not a DNS subdomain (RFC 1123)
  use lower case letters, digits, dashes and dots [name]`,
  },
  {
    group: 'names',
    title: 'a host name with an underscore',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), hostname: 'web_1' });`,
    says: `hostname (spec.template.spec.hostname): hostname does not conform to the kubernetes DNS_LABEL rules : "web_1" is not an RFC 1123 label
  use up to 63 lower case letters, digits and dashes [hostname]`,
  },
  {
    group: 'names',
    title: 'an invalid node label in a node selector',
    tier: 'construction',
    kubevirt: 'run',
    there: 'no node matches',
    code: `const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2) });
vm.scheduling.selectNode('zone', 'a b');`,
    says: `scheduling.nodeSelector.zone (spec.template.spec.nodeSelector.zone): "zone=a b" is not a valid label, so no node has it
  use a label of nodes [node-selector]`,
  },
  {
    group: 'lifecycle',
    title: 'an unknown eviction strategy',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), evictionStrategy: EvictionStrategy.of('LiveMigrat') });`,
    says: `evictionStrategy (spec.template.spec.evictionStrategy): is set with an unrecognized option: LiveMigrat (allowed: "LiveMigrate", "LiveMigrateIfPossible", "None", "External")
  did you mean "LiveMigrate"? [eviction-strategy]`,
  },
  {
    group: 'lifecycle',
    title: 'an unknown run strategy',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), runStrategy: RunStrategy.of('Allways') });`,
    says: `runStrategy (spec.runStrategy): Invalid RunStrategy (Allways) (allowed: "Halted", "Manual", "Always", "RerunOnFailure", "Once", "WaitAsReceiver")
  did you mean "Always"? [run-strategy]`,
  },
  {
    group: 'cloud-init',
    title: 'a misspelt key of cloud-config',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init ignores it',
    code: `CloudInit.noCloud({ raw: { pakages: ['nginx'] } });`,
    says: `CloudInit.noCloud: raw.pakages: is not a key of cloud-init
  did you mean "packages"? [cloud-init-unknown-key]`,
  },
  {
    group: 'cloud-init',
    title: 'an invalid public ssh key',
    tier: 'construction',
    kubevirt: 'run',
    there: 'nobody can log in',
    code: `CloudUser.named('me', { sshKeys: ['AAAAC3NzaC1lZDI1NTE5'] });`,
    says: `CloudUser.named: sshKeys[0]: of "me" is not a public key
  use a line of authorized_keys, such as the content of id_ed25519.pub [cloud-user-key]`,
  },
  {
    group: 'cloud-init',
    title: 'a private ssh key in user data',
    tier: 'construction',
    kubevirt: 'never',
    there: 'everyone who can read VMs can read the key',
    code: `CloudInit.noCloud({ writeFiles: [{ path: '/k', content: '-----BEGIN OPENSSH PRIVATE KEY-----\\nc2VjcmV0\\n-----END OPENSSH PRIVATE KEY-----' }] });`,
    says: `CloudInit.noCloud: writeFiles[0].content: holds a private key
  use CloudInit.fromSecret with a Secret that contains the user data, or set sensitive: true, which stores it in a generated Secret [cloud-init-private-key]`,
  },
  {
    group: 'cloud-init',
    title: 'a password in user data',
    tier: 'construction',
    kubevirt: 'never',
    there: 'everyone who can read VMs can read the password',
    code: `CloudInit.noCloud({ raw: { password: 'secret' } });`,
    says: `CloudInit.noCloud: raw.password: would be readable in the manifest
  name a Secret with the password in CloudUser.named(…, { passwordFrom }), which the guest agent sets; or set sensitive: true, which stores all user data in a generated Secret [cloud-init-password]`,
  },
  {
    group: 'cloud-init',
    title: 'an invalid file mode',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init fails in the guest',
    code: `CloudInit.noCloud({ writeFiles: [{ path: '/etc/motd', content: 'hi', permissions: 'rw' }] });`,
    says: `CloudInit.noCloud: writeFiles[0].permissions: is not a mode in octal digits
  write it like '0644' [cloud-file-mode]`,
  },
  {
    group: 'cloud-init',
    title: 'user data without its first line',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init ignores it',
    code: `CloudInit.raw('runcmd: [ls]');`,
    says: `CloudInit.raw: userData: the first line is not one by which cloud-init recognizes the format (allowed: "#cloud-config", "#!", "## template: jinja", "#include", "#include-once", "#cloud-boothook", "#cloud-config-archive", "#cloud-config-jsonp", "#part-handler", "Content-Type: multipart")
  begin with #cloud-config, or with #! and an interpreter [cloud-init-header]`,
  },
  {
    group: 'cloud-init',
    title: 'a network configuration without a version',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest has no network',
    code: 'CloudInit.noCloud({ networkConfig: { ethernets: {} } });',
    says: `CloudInit.noCloud: networkConfig.version: is missing (allowed: "1", "2")
  add version: 2 [cloud-network-version]`,
  },
  {
    group: 'protection',
    title: 'an invalid snapshot schedule',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the CronJob is refused; there are no snapshots',
    code: `new SnapshotSchedule(chart, 'nightly', { source: { name: 'db' }, schedule: '25 o clock' });`,
    says: `schedule (spec.schedule): "25 o clock" is not a valid schedule
  write minute, hour, day, month and weekday, such as "0 3 * * *", or @daily [cron-schedule]`,
  },
  {
    group: 'platform',
    title: 'platform images without a tag',
    tier: 'construction',
    kubevirt: 'run',
    there: 'another version may be pulled later',
    code: `PlatformImages.of({ registry: 'registry.example/virt8s', tag: '' });`,
    says: `PlatformImages.of: tag: "" is not a tag
  use a version, such as v1.2.0; for a digest, set the full reference of each image [image-reference]`,
  },
  {
    group: 'platform',
    title: 'a platform for zero nodes',
    tier: 'construction',
    kubevirt: 'run',
    there: 'nothing runs',
    code: `new VirtPlatform(chart, 'platform', { images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }), nodes: 0 });`,
    says: `PlatformSize.forNodes: nodes: 0 is not a positive whole number
  use a whole number from 1 [platform-size]`,
  },
  {
    group: 'memory',
    title: 'a VM without memory',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the instance is refused; only an event gives the reason',
    code: `new VirtualMachine(chart, 'vm', { disks: [Disk.containerDisk('registry.example/os:1')] });`,
    says: `memory (spec.template.spec.domain.memory.guest): no memory requested, at least one of 'memory', 'memoryOptions.hugepages' or 'requests.memory' must be set
  set memory, such as Size.gibibytes(1), or an instancetype [memory-required]`,
  },
  {
    group: 'memory',
    title: 'more memory than the limit',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest is killed (OOM)',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), limits: { memory: '1Gi' } });`,
    says: `memory (spec.template.spec.domain.memory.guest): '2Gi' must be equal to or less than the memory limit limits.memory '1Gi'
  raise the limit or lower the guest memory [guest-memory-limit]`,
  },
  {
    group: 'memory',
    title: 'guest memory that is not a multiple of the huge page size',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.mebibytes(1500), memoryOptions: { hugepages: HugepageSize.ONE_GIBIBYTE } });`,
    says: `memory (spec.template.spec.domain.memory.guest): requests.memory '0' is not a multiple of the page size memoryOptions.hugepages '1Gi' (value: "1500Mi")
  use a multiple of 1Gi: the guest has 1500Mi [hugepages-divide]`,
  },
  {
    group: 'memory',
    title: 'more memory than the hotplug maximum',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(4), memoryOptions: { maxGuest: Size.gibibytes(2) } });`,
    says: `memory (spec.template.spec.domain.memory.guest): Guest memory is greater than the configured maxGuest memory (value: "4Gi")
  change the guest, or remove maxGuest [max-guest]`,
  },
  {
    group: 'cpu',
    title: 'dedicated CPUs with a fraction of a CPU',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), cpu: Cpu.cores(2, { dedicated: true }), requests: { cpu: '1500m' } });`,
    says: `requests.cpu (spec.template.spec.domain.resources.requests.cpu): provided resources CPU requests must be an interger (value: "1500m")
  use whole CPUs [dedicated-cpu-whole]`,
  },
  {
    group: 'cpu',
    title: 'NUMA without dedicated CPUs',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), cpu: Cpu.cores(2, { numaPassthrough: true }) });`,
    says: `cpu.numaPassthrough (spec.template.spec.domain.cpu.numa.guestMappingPassthrough): cpu.dedicated must be set to true when NUMA topology strategy is set in cpu.numaPassthrough
  set dedicated: true, as in Cpu.cores(2, { dedicated: true }) [numa-dedicated]`,
  },
  {
    group: 'cpu',
    title: 'an isolated emulator thread without dedicated CPUs',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), cpu: Cpu.cores(2, { isolateEmulatorThread: true }) });`,
    says: `cpu.isolateEmulatorThread (spec.template.spec.domain.cpu.isolateEmulatorThread): IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement
  set dedicated: true, as in Cpu.cores(2, { dedicated: true, isolateEmulatorThread: true }) [isolate-emulator-thread]`,
  },
  {
    group: 'cpu',
    title: 'more sockets than the hotplug maximum',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), cpu: Cpu.sockets(4, { maxSockets: 2 }) });`,
    says: `cpu.sockets (spec.template.spec.domain.cpu.sockets): Number of sockets in CPU topology is greater than the maximum sockets allowed (value: 4)
  use at most 2 sockets or raise maxSockets [cpu-max-sockets]`,
  },
  {
    group: 'cpu',
    title: 'requests above limits',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), requests: { cpu: '4' }, limits: { cpu: '2' } });`,
    says: `requests.cpu (spec.template.spec.domain.resources.requests.cpu): '4' is greater than limits.cpu '2'
  raise the limit or lower the request [request-within-limit]`,
  },
  {
    group: 'disks',
    title: 'two disks with the same name',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { name: 'root' }), Disk.emptyDisk(Size.gibibytes(1), { name: 'root' })] });`,
    says: `disks[1].name (spec.template.spec.domain.devices.disks[1].name): disks[1] and disks[0] must not have the same Name (value: "root")
  rename one of them [disk-name-unique]`,
  },
  {
    group: 'disks',
    title: 'a disk without a volume',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), instanceSpec: { domain: { devices: { disks: [{ name: 'lost', disk: {} }] } } } });`,
    says: `spec.template.spec.domain.devices.disks[0].name: spec.template.spec.domain.devices.disks[0].Name 'lost' not found
  add a volume of this name or rename the disk [disk-has-volume]`,
  },
  {
    group: 'disks',
    title: 'two disks with the same boot order',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { bootOrder: 1 }), Disk.containerDisk('registry.example/os:2', { bootOrder: 1 })] });`,
    says: `disks[1].bootOrder (spec.template.spec.domain.devices.disks[1].bootOrder): Boot order for disks[1].bootOrder already set for a different device (value: 1)
  disks[0] has this boot order; give each device its own [boot-order-unique]`,
  },
  {
    group: 'disks',
    title: 'a host disk without its feature gate',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.hostDisk('/data/disk.img')] });`,
    says: `disks[0] (spec.template.spec.volumes[0]): HostDisk feature gate is not enabled
  add HostDisk to configuration.featureGates of the KubeVirt object, or remove disks[0] [gate-host-disk]`,
  },
  {
    group: 'disks',
    title: 'a container disk as a LUN',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { device: DiskDevice.LUN })] });`,
    says: `disks[0] (spec.template.spec.domain.devices.disks[0].lun): disks[0] can only be mapped to a DataVolume or PersistentVolumeClaim volume
  leave device: DiskDevice.LUN out, or use Disk.persistentVolumeClaim or Disk.dataVolume [lun-has-claim]`,
  },
  {
    group: 'network',
    title: 'two Pod networks',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade(), VmNetwork.bridge({ name: 'second' })] });`,
    says: `networks[1] (spec.template.spec.networks[1]): more than one interface is connected to a pod network in networks
  keep networks[0] and make the others multus networks [pod-network-one]`,
  },
  {
    group: 'network',
    title: 'the same MAC address twice in a VM',
    tier: 'synth',
    kubevirt: 'never',
    there: 'packets reach the wrong interface',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ macAddress: '02:00:00:00:00:01' }), VmNetwork.multus({ name: 'lan' }, { macAddress: '02:00:00:00:00:01' })] });`,
    says: `networks[1].macAddress (spec.template.spec.domain.devices.interfaces[1].macAddress): MAC address 02:00:00:00:00:01 is used by another interface of this VM
  give each interface its own address [mac-unique]`,
  },
  {
    group: 'network',
    title: 'an unregistered binding plugin',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the VM waits',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.binding('fast')] });`,
    says: `networks[0] (spec.template.spec.domain.devices.interfaces[0].binding.name): network binding plugin "fast" is not registered
  add it to configuration.networkBindings of the KubeVirt object [binding-registered]`,
  },
  {
    group: 'firmware',
    title: 'a machine type of another architecture',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), machineType: 'i440fx' });`,
    says: `machineType (spec.template.spec.domain.machine.type): is not supported: i440fx (allowed values: [q35* pc-q35*]) (allowed: "q35*", "pc-q35*")
  use an allowed type, or leave it out [machine-type]`,
  },
  {
    group: 'firmware',
    title: 'launch security with BIOS',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), launchSecurity: LaunchSecurity.snp() });`,
    says: `launchSecurity (spec.template.spec.domain.launchSecurity): SNP requires OVMF (UEFI)
  set firmware.bootloader.efi: {secureBoot: false} [launch-security-efi]`,
  },
  {
    group: 'firmware',
    title: 'a VSOCK without its feature gate',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), devices: { vsock: true } });`,
    says: `devices.vsock (spec.template.spec.domain.devices.autoattachVSOCK): VSOCK feature gate is not enabled in kubevirt-config
  add VSOCK to configuration.featureGates of the KubeVirt object, or remove devices.vsock [gate-vsock]`,
  },
  {
    group: 'devices',
    title: 'a sound card without a name',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), instanceSpec: { domain: { devices: { sound: { model: 'ich9' } } } } });`,
    says: `devices.sound (spec.template.spec.domain.devices.sound.name): Sound device requires a name field
  name it [sound-name]`,
  },
  {
    group: 'devices',
    title: 'a misspelt field in a JSON patch',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the unknown field is silently dropped',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), instanceSpec: { terminationGracePeriod: 5 } });`,
    says: `spec.template.spec.terminationGracePeriod: is a forbidden property: unknown field "terminationGracePeriod" (allowed: "accessCredentials", "affinity", "architecture", "dnsConfig", "dnsPolicy", "domain", "evictionStrategy", "hostname", "livenessProbe", "networks", "nodeSelector", "priorityClassName", "readinessProbe", "resourceClaims", "schedulerName", "serviceAccountName", and 7 more)
  did you mean "terminationGracePeriodSeconds"? [schema-unknown-field]`,
  },
  {
    group: 'lifecycle',
    title: 'a VM that starts paused with a liveness probe',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), startStrategy: StartStrategy.PAUSED, liveness: VmProbe.fromTcpSocket(22) });`,
    says: `startStrategy (spec.template.spec.startStrategy): either startStrategy or liveness should be provided.Pausing VMI with LivenessProbe is not supported
  remove one of them [start-strategy-probe]`,
  },
  {
    group: 'lifecycle',
    title: 'a TCP probe of a guest outside the Pod network',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [], readiness: VmProbe.fromTcpSocket(22) });`,
    says: `readiness.tcpSocket (spec.template.spec.readinessProbe.tcpSocket): is only allowed if the Pod Network is attached
  use VmProbe.fromGuestAgent() or VmProbe.fromCommand(…) [probe-pod-network]`,
  },
  {
    group: 'names',
    title: 'two VMs with the same name',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the second replaces the first',
    code: `new VirtualMachine(chart, 'a', { metadata: { name: 'web' }, memory: Size.gibibytes(2) });
new VirtualMachine(chart, 'b', { metadata: { name: 'web' }, memory: Size.gibibytes(2) });`,
    says: `metadata.name: VirtualMachine "web" is declared by docs/a and docs/b
  give each its own name [object-unique]`,
  },
  {
    group: 'network',
    title: 'a Service port that the VM does not open',
    tier: 'synth',
    kubevirt: 'never',
    there: 'connections time out',
    code: `const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ ports: [VmPort.SSH] })] });
vm.exposeViaService('web', { ports: [VmPort.HTTP] });`,
    says: `ports[0].targetPort (spec.ports[0].targetPort): VirtualMachine "docs-vm" does not open TCP 80 (allowed: "TCP 22")
  add it to the ports of its network "default", or expose one that is there [service-port-open]`,
  },
  {
    group: 'network',
    title: 'a Service for a VM outside the Pod network',
    tier: 'synth',
    kubevirt: 'never',
    there: 'connections time out',
    code: `const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), networks: [] });
vm.exposeViaService('web', { ports: [VmPort.HTTP] });`,
    says: `spec.selector: VirtualMachine "docs-vm" is not on the Pod network, so no Service reaches it
  add VmNetwork.masquerade() to the networks of the guest [service-network]`,
  },
  {
    group: 'network',
    title: 'a Service for a VM with a misspelt name',
    tier: 'synth',
    kubevirt: 'never',
    there: 'no endpoints',
    code: `new VirtualMachine(chart, 'database', { memory: Size.gibibytes(2) });
new ApiObject(chart, 'svc', { apiVersion: 'v1', kind: 'Service', spec: { selector: { 'vm.kubevirt.io/name': 'docs-databse' }, ports: [{ port: 5432 }] } });`,
    says: `spec.selector.vm.kubevirt.io/name: no guest has the name "docs-databse" (allowed: "docs-database")
  did you mean "docs-database"? [service-selects]`,
  },
  {
    group: 'network',
    title: 'the same MAC address in two VMs on one network',
    tier: 'synth',
    kubevirt: 'never',
    there: 'packets reach the wrong VM',
    code: `const lan = new NetworkAttachment(chart, 'lan', { config: Cni.bridge('br1') });
const networks = [VmNetwork.multus(lan, { macAddress: '02:00:00:00:00:01' })];
new VirtualMachine(chart, 'a', { memory: Size.gibibytes(2), networks });
new VirtualMachine(chart, 'b', { memory: Size.gibibytes(2), networks });`,
    says: `networks[0].macAddress (spec.template.spec.domain.devices.interfaces[0].macAddress): VirtualMachine "docs-a" has this MAC address on the same network (value: "02:00:00:00:00:01")
  choose another address, or leave it out [mac-unique]`,
  },
  {
    group: 'network',
    title: 'a network attachment in another namespace',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the Pod fails: the attachment is not found',
    code: `new NetworkAttachment(chart, 'lan', { metadata: { name: 'lan', namespace: 'infra' }, config: Cni.bridge('br1') });
new VirtualMachine(chart, 'vm', { metadata: { namespace: 'shop' }, memory: Size.gibibytes(2), networks: [VmNetwork.multus({ name: 'lan' })] });`,
    says: `networks[0] (spec.template.spec.networks[0].multus.networkName): NetworkAttachmentDefinition "lan" (docs/lan) is in the namespace "infra", not in "shop" (allowed: "infra/lan")
  write infra/lan [attachment-namespace]`,
  },
  {
    group: 'network',
    title: 'an Ingress for a port that the Service does not have',
    tier: 'synth',
    kubevirt: 'run',
    there: 'requests fail with 503',
    code: `const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2) });
const service = vm.exposeViaService('web', { ports: [VmPort.HTTP] });
new VmIngress(chart, 'in').addService(service, { host: 'web.example', port: 8080 });`,
    says: `spec.rules[0].http.paths[0].backend.service.port.number: Service "docs-vm-web" has no port 8080 (allowed: "80")
  use a port of the Service, or add this port to it [ingress-service-port]`,
  },
  {
    group: 'instancetypes',
    title: `an instancetype against the VM's own CPU`,
    tier: 'synth',
    kubevirt: 'apply',
    there: 'requests fail with 503',
    code: `const type = new Instancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(2) });
new VirtualMachine(chart, 'vm', { instancetype: type, cpu: Cpu.cores(4) });`,
    says: `cpu.cores (spec.template.spec.domain.cpu.cores): VM field(s) cpu.cores conflicts with selected instance type (VirtualMachineInstancetype "docs-small")
  remove the field from the VM: every instance type sets the CPUs, so choose one with enough [instancetype-conflict]`,
  },
  {
    group: 'instancetypes',
    title: "an instance type below the preference's requirements",
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `const type = new Instancetype(chart, 'small', { cpus: 1, memory: Size.gibibytes(1) });
const preference = new Preference(chart, 'windows', { requirements: { cpus: 2, memory: Size.gibibytes(4) } });
new VirtualMachine(chart, 'vm', { instancetype: type, preference });`,
    says: `instancetype (spec.instancetype): failure checking preference requirements: insufficient CPU resources of 1 vCPU provided by instance type, preference requires 2 vCPU (VirtualMachinePreference "docs-windows")
  choose a larger instance type [preference-requires-cpu]`,
  },
  {
    group: 'storage',
    title: 'a ReadWriteOnce disk in a VM that must migrate',
    tier: 'synth',
    kubevirt: 'run',
    there: 'a drain waits forever',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), evictionStrategy: EvictionStrategy.LIVE_MIGRATE, disks: [Disk.blank(Size.gibibytes(1), { accessModes: [AccessMode.READ_WRITE_ONCE] })] });`,
    says: `disks[0] (spec.template.spec.volumes[0]): disk "disk0" is on claim "docs-vm-disk0", which is ReadWriteOnce: with evictionStrategy LiveMigrate the guest cannot leave its node, so a drain never ends (allowed: "ReadWriteMany")
  choose ReadWriteMany, or evictionStrategy LiveMigrateIfPossible or None [migration-claim]`,
  },
  {
    group: 'network',
    title: 'a bridge on the Pod network in a VM that must migrate',
    tier: 'synth',
    kubevirt: 'run',
    there: 'a drain waits forever',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), evictionStrategy: EvictionStrategy.LIVE_MIGRATE, networks: [VmNetwork.bridge()] });`,
    says: `networks[0] (spec.template.spec.domain.devices.interfaces[0].bridge): "default" takes over the Pod's address: with evictionStrategy LiveMigrate the guest cannot leave its node, so a drain never ends
  choose masquerade, or evictionStrategy LiveMigrateIfPossible or None [migration-bridge]`,
  },
  {
    group: 'windows',
    title: 'a Windows installation for UEFI in a VM with BIOS',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the installed Windows does not boot',
    code: `const admin = WindowsAdmin.local('ops');
const sysprep = Sysprep.install({ release: WindowsRelease.WINDOWS_10, image: WindowsImage.index(1), admin });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(4), disks: [Disk.blank(Size.gibibytes(40))], sysprep });`,
    says: `sysprep (spec.template.spec.volumes[1].sysprep): the answer file partitions the disk for UEFI, but the guest boots by BIOS
  use WindowsDisk.bios(), or Firmware.efi() [sysprep-firmware]`,
  },
  {
    group: 'storage',
    title: 'one claim that two VMs write to',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the second VM does not start: the image is locked',
    code: `const disks = [Disk.persistentVolumeClaim({ name: 'data' })];
new VirtualMachine(chart, 'a', { memory: Size.gibibytes(2), disks });
new VirtualMachine(chart, 'b', { memory: Size.gibibytes(2), disks });`,
    says: `disks[0] (spec.template.spec.volumes[0]): disk "disk0": VirtualMachine "docs-a" (docs/a) also writes to claim "data", and only one can
  give each guest a claim of its own, or set shareable on the disks if their file system allows it [claim-one-writer]`,
  },
  {
    group: 'storage',
    title: 'a clone that is smaller than its source',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the DataVolume stays pending',
    code: `const golden = new DataVolume(chart, 'golden', { metadata: { namespace: 'shop' }, source: DataVolumeSource.http('https://registry.example/os.qcow2'), size: Size.gibibytes(20) });
new VirtualMachine(chart, 'vm', { metadata: { namespace: 'shop' }, memory: Size.gibibytes(2), disks: [Disk.cloneOf(golden, { size: Size.gibibytes(10) })] });`,
    says: `disks[0].size (spec.dataVolumeTemplates[0].spec.storage.resources.requests.storage): 10Gi is less than the 20Gi of its source DataVolume "docs-golden"
  use 20Gi or more [clone-size]`,
  },
  {
    group: 'storage',
    title: 'a claim where a DataVolume is required',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the VM waits forever',
    code: `new ApiObject(chart, 'data', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.dataVolume({ name: 'data' })] });`,
    says: `disks[0] (spec.template.spec.volumes[0].dataVolume.name): "data" is PersistentVolumeClaim "data" (docs/data), but this field takes a DataVolume
  use Disk.persistentVolumeClaim [data-volume-kind]`,
  },
  {
    group: 'storage',
    title: 'a Secret with credentials but without the expected keys',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the importer does not start',
    code: `new ApiObject(chart, 'login', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { user: 'me' } });
new DataVolume(chart, 'os', { source: DataVolumeSource.http('https://registry.example/os.qcow2', { credentials: { name: 'login' } }), size: Size.gibibytes(20) });`,
    says: `source.http.credentials (spec.source.http.secretRef): Secret "login" has no key "accessKeyId" and "secretKey" (allowed: "accessKeyId", "secretKey")
  add accessKeyId (the user) and secretKey (the password) [credentials-keys]`,
  },
  {
    group: 'protection',
    title: 'a migration policy that matches no VM',
    tier: 'synth',
    kubevirt: 'never',
    there: 'migrations keep their previous settings',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), instanceMetadata: { labels: { tier: 'database' } } });
new MigrationPolicy(chart, 'slow', { instanceLabels: { tier: 'databases' }, allowPostCopy: true });`,
    says: `instanceLabels (spec.selectors.virtualMachineInstanceSelector): no guest of this app has the labels tier=databases (allowed: "tier=database")
  use labels of the instances, which come from the template of their VM (instanceMetadata) [policy-matches]`,
  },
  {
    group: 'protection',
    title: 'a snapshot of an instance instead of its VM',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the snapshot never becomes ready',
    code: `new VirtualMachineInstance(chart, 'job', { metadata: { name: 'job' }, memory: Size.gibibytes(2) });
new VirtualMachineSnapshot(chart, 'monday', { source: { name: 'job' } });`,
    says: `source (spec.source.name): "job" is VirtualMachineInstance "job" (docs/job), but this field takes a VirtualMachine
  name a VirtualMachine [reference-kind]`,
  },
  {
    group: 'protection',
    title: 'a snapshot of a VM with a misspelt name',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the snapshot never becomes ready',
    code: `new VirtualMachine(chart, 'database', { metadata: { name: 'database' }, memory: Size.gibibytes(2) });
new VirtualMachineSnapshot(chart, 'monday', { source: { name: 'databse' } });`,
    says: `source (spec.source.name): no VirtualMachine is called "databse" (allowed: "database")
  did you mean "database"? [reference-name]`,
  },
  {
    group: 'protection',
    title: 'a negative disruption budget',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused by Kubernetes',
    code: `const pool = new VirtualMachinePool(chart, 'web', { replicas: 2, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
new GuestDisruptionBudget(chart, 'budget', { target: pool, minAvailable: -1 });`,
    says: `minAvailable (spec.minAvailable): -1 is not a number of Pods
  use 0 or more [budget-amount]`,
  },
  {
    group: 'platform',
    title: 'an unknown feature gate',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the gate has no effect',
    code: `new VirtPlatform(chart, 'platform', { images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }), configuration: { featureGates: ['HostDisks'] } });`,
    says: `configuration.featureGates[0] (spec.configuration.developerConfiguration.featureGates[0]): no feature gate is called "HostDisks"
  did you mean "HostDisk"? [gate-known]`,
  },
  {
    group: 'platform',
    title: 'a GPU that the platform does not permit',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the VM waits; only its instance gives the reason',
    code: `new KubeVirt(chart, 'kubevirt', { configuration: { permittedHostDevices: [PermittedHostDevice.pci('nvidia.com/A100', '10DE:20B0')] } });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), devices: { gpus: [Gpu.device('nvidia.com/H100')] } });`,
    says: `devices.gpus[0].deviceName (spec.template.spec.domain.devices.gpus[0].deviceName): "nvidia.com/H100" is not among the permitted host devices of the KubeVirt object (allowed: "nvidia.com/A100")
  did you mean "nvidia.com/A100"? [device-permitted]`,
  },
  {
    group: 'platform',
    title: 'two KubeVirt objects',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new KubeVirt(chart, 'a', {});
new KubeVirt(chart, 'b', {});`,
    says: `metadata.name: KubeVirt "kubevirt" is declared by docs/a and docs/b
  give each its own name [object-unique]`,
  },
];
