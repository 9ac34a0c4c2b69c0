import type { Mistake } from './mistakes';

const os = `disks: [Disk.containerDisk('registry.example/os:1')]`;
const vm = (props: string): string =>
  `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), ${os}, ${props} });`;

/** Mistakes about CPU, devices, architecture, placement and sizes, of which most show when the guest starts. */
export const computeMistakes: readonly Mistake[] = [
  {
    group: 'compute',
    title: 'a misspelt CPU model',
    tier: 'construction',
    kubevirt: 'run',
    there: 'no node fits',
    code: vm(`cpu: Cpu.cores(2, { model: 'Haswel' })`),
    says: `cpu.model (spec.template.spec.domain.cpu.model): no node has a CPU model "Haswel", so the guest is never scheduled
  did you mean "Haswell"? [cpu-model]`,
  },
  {
    group: 'compute',
    title: 'a CPU feature by the name of the kernel',
    tier: 'construction',
    kubevirt: 'run',
    there: 'no node fits',
    code: vm(`cpu: Cpu.cores(2, { features: [{ name: 'sse4_2' }] })`),
    says: `cpu.features[0].name (spec.template.spec.domain.cpu.features[0].name): libvirt knows no CPU feature "sse4_2", so the guest does not start
  did you mean "sse4.2"? [cpu-feature-name]`,
  },
  {
    group: 'compute',
    title: 'realtime for more vCPUs than the guest has',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: vm(
      `cpu: Cpu.cores(2, { dedicated: true, numaPassthrough: true, realtime: { mask: '0-2' } }), memoryOptions: { hugepages: HugepageSize.TWO_MEBIBYTES }`,
    ),
    says: `cpu.realtime.mask (spec.template.spec.domain.cpu.realtime.mask): the mask contains vCPU 2, and the guest has 2, numbered from 0 (value: "0-2")
  use 0 to 1 [realtime-mask]`,
  },
  {
    group: 'compute',
    title: 'secure boot on arm64',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: vm(`architecture: Architecture.ARM64, firmware: Firmware.efi()`),
    says: `firmware.secureBoot (spec.template.spec.domain.firmware.bootloader.efi.secureBoot): the UEFI of arm64 has no secure boot, so the guest does not start (value: true)
  use firmware: Firmware.efi({ secureBoot: false }) [arm64-secure-boot]`,
  },
  {
    group: 'compute',
    title: 'a watchdog on arm64',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the VM is accepted, and its instance is refused',
    code: vm(`architecture: Architecture.ARM64, devices: { watchdog: Watchdog.i6300esb() }`),
    says: `devices.watchdog (spec.template.spec.domain.devices.watchdog): Arm64 not support Watchdog device
  remove it [arm64-watchdog]`,
  },
  {
    group: 'compute',
    title: 'Hyper-V enlightenments on arm64',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: vm(`architecture: Architecture.ARM64, hyperv: HyperV.windows()`),
    says: `hyperv (spec.template.spec.domain.features.hyperv): arm64 has no Hyper-V enlightenments, so the guest does not start
  remove it, or use amd64 [architecture-lacks]`,
  },
  {
    group: 'compute',
    title: 'too few attempts of spinlocks',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: vm(`hyperv: HyperV.of({ spinlocks: 1024 })`),
    says: `the guest must try to take a lock at least 4096 times before it notifies the host, not 1024
  use 4096 or more, such as 8191 [hyperv-spinlocks]`,
  },
  {
    group: 'compute',
    title: 'one UUID for each guest of a pool',
    tier: 'synth',
    kubevirt: 'never',
    there: 'licences and inventories see one machine',
    code: `new VirtualMachinePool(chart, 'pool', { replicas: 3, memory: Size.gibibytes(2), ${os}, firmware: Firmware.efi({ uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223' }) });`,
    says: `all 3 guests would have the same UUID (value: "5d307ca9-b3ef-428c-8861-06e72d69f223")
  leave it out, or declare one VM for each [identity-unique]`,
  },
  {
    group: 'compute',
    title: 'a time limit for a taint that evicts nobody',
    tier: 'synth',
    kubevirt: 'run',
    there: 'Kubernetes refuses the Pod',
    code: `const m = ${vm(`cpu: Cpu.cores(1)`)} m.scheduling.tolerate('gpu', { effect: TaintEffect.NO_SCHEDULE, evictAfter: Duration.minutes(5) });`,
    says: `a time limit is only for the effect NoExecute, and this is for NoSchedule: Kubernetes rejects the Pod (value: 300)
  set effect: TaintEffect.NO_EXECUTE, or leave evictAfter out [toleration]`,
  },
  {
    group: 'compute',
    title: 'two zones for one guest',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the last one counts',
    code: `const m = ${vm(`cpu: Cpu.cores(1)`)} m.scheduling.selectNode('zone', 'a'); m.scheduling.selectNode('zone', 'b');`,
    says: `scheduling.selectNode: value: the guest already requires nodes with zone=a, and a node has one value (value: "b")
  use scheduling.attract([NodeQuery.in(label, values)]) for one of several values [node-contradiction]`,
  },
  {
    group: 'compute',
    title: 'nodes with Windows for a guest with Windows',
    tier: 'synth',
    kubevirt: 'run',
    there: 'no node fits',
    code: `new WindowsServer(chart, 'vm', { ${os}, scheduling: { nodeSelector: { 'kubernetes.io/os': 'windows' } } });`,
    says: `guests of every system run on Linux nodes, and this selects windows nodes (allowed: "linux")
  leave it out [node-contradiction]`,
  },
  {
    group: 'compute',
    title: 'a GPU as a resource request',
    tier: 'synth',
    kubevirt: 'run',
    there: 'Kubernetes refuses the Pod',
    code: vm(`requests: { 'nvidia.com/gpu': '1' }`),
    says: `requests.nvidia.com/gpu (spec.template.spec.domain.resources.requests.nvidia.com/gpu): the request of "nvidia.com/gpu" needs an equal limit: Kubernetes rejects the Pod (value: "1")
  assign the GPU with devices.gpus instead [resource-limit]`,
  },
  {
    group: 'compute',
    title: 'a guest that must run both with and apart from another',
    tier: 'synth',
    kubevirt: 'run',
    there: 'no node fits',
    code: `const db = ${vm(`cpu: Cpu.cores(1)`)} const web = ${vm(`cpu: Cpu.cores(1)`).replace("'vm'", "'web'")} web.scheduling.colocate(db); web.scheduling.separate(db);`,
    says: `the guest must run apart from the Pods that it must run together with: no node fits
  remove one of the two rules [pod-contradiction]`,
  },
  {
    group: 'compute',
    title: 'a maximum below the memory of an instance type',
    tier: 'construction',
    kubevirt: 'run',
    there: 'each VM of the type is refused',
    code: `new ClusterInstancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(8), maxMemory: Size.gibibytes(4) });`,
    says: `maxMemory (spec.memory.maxGuest): the maximum memory is less than the memory of the guest, 8Gi (value: "4Gi")
  use more, or leave it out [instancetype-size]`,
  },
  {
    group: 'compute',
    title: 'a disk bus of a preference that no guest has',
    tier: 'construction',
    kubevirt: 'run',
    there: 'each VM of the preference is refused',
    code: `new ClusterPreference(chart, 'p', { devices: { diskBus: DiskBus.of('ide') } });`,
    says: `devices.diskBus (spec.devices.preferredDiskBus): "ide" is not a value of this field: libvirt rejects the guest (allowed: "virtio", "scsi", "sata", "usb")
  use one of the allowed values [device-choice]`,
  },
  {
    group: 'compute',
    title: 'secure boot of a preference without UEFI',
    tier: 'construction',
    kubevirt: 'never',
    there: 'guests boot with BIOS',
    code: `new ClusterPreference(chart, 'p', { firmware: { secureBoot: true } });`,
    says: `Preference: firmware.secureBoot: is ignored without UEFI
  set efi: true, or leave it out [preference-boot]`,
  },
  {
    group: 'compute',
    title: 'an instance type inferred from a container disk',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'vm', { disks: [Disk.containerDisk('registry.example/os:1', { name: 'root' })], inferInstancetype: { volume: 'root' } });`,
    says: `inferInstancetype (spec.instancetype.inferFromVolume): unable to infer defaults from volume root as type is not supported
  choose a volume with a persistentVolumeClaim or dataVolume [instancetype-inferred]`,
  },
  {
    group: 'compute',
    title: 'a small disk for Windows 11',
    tier: 'construction',
    kubevirt: 'run',
    there: 'setup stops',
    code: `new Windows11(chart, 'vm', { disks: [Disk.blank(Size.gibibytes(20))], installer: Disk.dataVolume({ name: 'iso' }, { device: DiskDevice.CDROM }) });`,
    says: `disks[0]: the first disk has 20 GiB, on which the setup of Windows 11 stops
  use Size.gibibytes(64) or more [windows-requirements]`,
  },
];
