import type { Alert } from './rule';

/** File systems that are full by design, or that are not stored on a disk. */
const NO_DISKS = [
  ...['CDFS', 'UDF', 'udf', 'iso9660', 'squashfs', 'cramfs', 'erofs', 'tmpfs', 'devtmpfs', 'ramfs', 'overlay'],
  ...['proc', 'sysfs', 'debugfs', 'tracefs', 'securityfs', 'cgroup2?', 'efivarfs', 'fuse.*', 'nfs4?', 'cifs'],
].join('|');

/** Adds the name of the VM, by which alerts of one VM are grouped. */
const withVm = (expr: string, from = 'name'): string => `label_replace(${expr}, "vm", "$1", "${from}", "(.+)")`;

const VM = 'The VM {{ $labels.namespace }}/{{ $labels.name }}';

/** Returns the alerts about guests. */
export function guestAlerts(): Alert[] {
  return [...lifecycle(), ...memory(), ...filesystems(), ...cpu()].map((alert) => ({ impact: 'none', ...alert }));
}

function lifecycle(): Alert[] {
  const statuses = (pattern: string): string =>
    `max by (name, namespace, status) (kubevirt_vm_info{status=~"${pattern}"} or kubevirt_vm_info{status_group="error"})`;
  const onNode = 'max by (name, namespace, node) (kubevirt_vmi_info{phase=~"scheduled|running",node!=""})';
  return [
    {
      name: 'VirtualMachineStuckInUnhealthyState',
      severity: 'warning',
      minutes: 10,
      expr: withVm(`${statuses('provisioning|starting|terminating')} unless on (name, namespace) kubevirt_vmi_info`),
      summary: `${VM} has the status {{ $labels.status }} and no instance`,
      description:
        'Its guest does not run. The conditions and events of the VM contain the cause: kubectl -n {{ $labels.namespace }} describe vm/{{ $labels.name }}',
    },
    {
      name: 'VirtualMachineStuckOnNode',
      severity: 'warning',
      minutes: 5,
      expr: withVm(`${statuses('starting|stopping|terminating')} * on (name, namespace) group_left (node) ${onNode}`),
      summary: `${VM} has the status {{ $labels.status }} on the node {{ $labels.node }}`,
      description:
        'Its guest neither starts nor ends. The conditions of its instance contain the cause: kubectl -n {{ $labels.namespace }} describe vmi/{{ $labels.name }}',
    },
    {
      name: 'VMCannotBeEvicted',
      severity: 'warning',
      minutes: 1,
      expr: withVm('kubevirt_vmi_non_evictable == 1 and on (name, namespace) kubevirt_vmi_info{phase="running"}'),
      summary: `${VM} cannot be migrated, although its eviction strategy requires it`,
      description:
        'A drain of the node {{ $labels.node }} does not end. The condition LiveMigratable of the instance contains the cause.',
    },
    {
      name: 'KubeVirtVMIExcessiveMigrations',
      severity: 'warning',
      expr: withVm(
        'sum by (vmi, namespace) (max by (vmi, vmim, namespace) (max_over_time(kubevirt_vmi_migration_succeeded[1d]))) >= 12',
        'vmi',
      ),
      summary: 'The VM {{ $labels.namespace }}/{{ $labels.vmi }} was migrated {{ $value }} times within a day',
      description:
        'Each migration pauses the guest for a moment and uses the network. Check which client creates the migrations, such as a descheduler: kubectl -n {{ $labels.namespace }} get vmim',
    },
    {
      name: 'OutdatedVirtualMachineInstanceWorkloads',
      severity: 'warning',
      minutes: 1_440,
      expr: 'kubevirt_vmi_number_of_outdated > 0',
      summary: '{{ $value }} guests still run with the launcher of an earlier version',
      description:
        'They do not have the corrections of the current version. Restart or migrate them, or set workloadUpdateStrategy of the KubeVirt object. Check: kubectl get vmi -A -l kubevirt.io/outdatedLauncherImage',
    },
    {
      name: 'VMNonRecoverableOSPanic',
      severity: 'critical',
      minutes: 1,
      expr: withVm('sum by (name, namespace) (increase(kubevirt_vmi_guest_os_panic_total[24h])) > 5'),
      summary: `The operating system of the VM {{ $labels.namespace }}/{{ $labels.name }} panics again and again`,
      description: 'The services of the guest are not available. Its serial console shows the message of the panic.',
    },
  ];
}

function memory(): Alert[] {
  const of = (what: string): string => `vmi:kubevirt_vmi_${what}`;
  const known = `${of('memory_available_bytes:sum')} > 0`;
  return [
    {
      name: 'KubeVirtVMGuestMemoryPressure',
      severity: 'warning',
      minutes: 5,
      expr: withVm(
        `${of('memory_headroom_ratio:sum')} < 0.05 and ` +
          `(${of('pgmajfaults:rate5m')} > 5 or ${of('swap_traffic_bytes:rate5m')} > 1048576) and ${known}`,
      ),
      summary: `${VM} has too little memory`,
      description:
        'Its programs wait for pages that were swapped or dropped. Give the VM more memory, or let it run fewer programs.',
    },
    {
      name: 'KubeVirtVMGuestMemoryAvailableLow',
      severity: 'info',
      minutes: 30,
      expr: withVm(
        `${of('memory_headroom_ratio:sum')} < 0.03 and ${of('swap_traffic_bytes:rate30m')} < 2048 and ` +
          `${of('pgmajfaults:rate30m')} < 1 and ${known}`,
      ),
      summary: `${VM} has almost no usable memory`,
      description: 'It does not swap, so its kernel will end a program when it needs more. Give the VM more memory.',
    },
  ];
}

function filesystems(): Alert[] {
  const of = (what: string): string =>
    `kubevirt_vmi_filesystem_${what}_bytes{file_system_type!~"${NO_DISKS}",mount_point!="System Reserved"}`;
  const percent = `100 * ${of('used')} / ${of('capacity')}`;
  const alert = (severity: 'warning' | 'critical', minutes: number | undefined, condition: string): Alert => ({
    name: 'GuestFilesystemAlmostOutOfSpace',
    severity,
    minutes,
    expr: withVm(`${percent} ${condition}`),
    summary: `A file system of the VM {{ $labels.namespace }}/{{ $labels.name }} is ${severity === 'critical' ? 'full' : 'almost full'}`,
    description:
      'The file system {{ $labels.mount_point }} ({{ $labels.disk_name }}) uses {{ $value | humanize }} % of its space. Delete files in the guest, or enlarge its disk.',
  });
  return [alert('warning', 10, '>= 85 < 95'), alert('critical', undefined, '>= 95')];
}

function cpu(): Alert[] {
  const alert = (level: 'Warning' | 'Critical', above: number): Alert => ({
    name: `GuestVCPUQueueHigh${level}`,
    severity: level === 'Critical' ? 'critical' : 'warning',
    expr: withVm(`vmi:kubevirt_vmi_guest_queue_length:sum > ${above}`),
    summary: `${VM} has {{ $value }} processes that wait for a vCPU`,
    description: 'Its programs are slow. Give the VM more vCPUs, or move programs to other VMs.',
  });
  return [alert('Warning', 10), alert('Critical', 20)];
}
