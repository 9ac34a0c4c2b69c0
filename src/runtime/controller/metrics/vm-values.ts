import type { DomainSpec, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { vcpus } from '../../../api/cpu-topology';
import type { MetricName } from '../../../api/metrics';
import { isAmount, quantityMilliValue, quantityValue, tryParseQuantity } from '../../../api/quantity';
import type { Value } from '../../kube/metrics';
import type { Claim } from '../trim';
import { bounded, declaredFacts, unixTime } from './guest-facts';

/** Objects that the values of a VM depend on. */
export interface VmFacts {
  readonly claim: (key: string) => Claim | undefined;
  readonly vmi: (key: string) => VirtualMachineInstance | undefined;
}

type Status = NonNullable<NonNullable<VirtualMachine['status']>['printableStatus']>;
type StatusGroup = 'starting' | 'running' | 'migrating' | 'non_running' | 'error';

const GROUPS: Readonly<Record<Status, StatusGroup>> = {
  Provisioning: 'starting',
  Starting: 'starting',
  WaitingForVolumeBinding: 'starting',
  WaitingForReceiver: 'starting',
  Running: 'running',
  Migrating: 'migrating',
  Stopped: 'non_running',
  Paused: 'non_running',
  Stopping: 'non_running',
  Terminating: 'non_running',
  CrashLoopBackOff: 'error',
  Unknown: 'error',
  ErrorUnschedulable: 'error',
  ErrImagePull: 'error',
  ImagePullBackOff: 'error',
  ErrorPvcNotFound: 'error',
  DataVolumeError: 'error',
};

const idOf = ({ metadata: { name, namespace } }: VirtualMachine): { name?: string; namespace?: string } => ({
  name,
  namespace,
});

const groupOf = ({ status }: VirtualMachine): StatusGroup | undefined =>
  status?.printableStatus && GROUPS[status.printableStatus];

function info(vm: VirtualMachine): Value[] {
  const { template, instancetype, preference } = vm.spec;
  const labels = {
    ...idOf(vm),
    ...declaredFacts(template?.metadata?.annotations),
    machine_type: template?.spec?.domain?.machine?.type,
    instance_type: bounded(instancetype?.name),
    preference: bounded(preference?.name),
    status: vm.status?.printableStatus?.toLowerCase(),
    status_group: groupOf(vm) ?? '<unknown>',
  };
  return [{ labels, value: 1 }];
}

function created(vm: VirtualMachine): Value[] {
  const value = unixTime(vm.metadata.creationTimestamp);
  return value === undefined ? [] : [{ labels: idOf(vm), value }];
}

const CONDITIONS = ['Ready', 'Failure', 'Paused'];

/** Time of the last change of a condition, for the group of the current status; 0 for the others. */
const since =
  (group: StatusGroup) =>
  (vm: VirtualMachine): Value[] => {
    const times = (vm.status?.conditions ?? [])
      .filter(({ type }) => CONDITIONS.includes(type))
      .map(({ lastTransitionTime }) => unixTime(lastTransitionTime) ?? 0);
    return [{ labels: idOf(vm), value: groupOf(vm) === group ? Math.max(0, ...times) : 0 }];
  };

type Amount = { resource: 'cpu' | 'memory'; unit: string; source: string; value: number };

const bytes = (quantity: unknown): number | undefined =>
  isAmount(quantity) ? Number(quantityValue(quantity)) : undefined;
const cores = (quantity: unknown): number | undefined =>
  isAmount(quantity) ? Number(quantityMilliValue(quantity)) / 1000 : undefined;

/** Requests that the template contains, by their field. */
function requested({ cpu, memory, resources }: DomainSpec): Amount[] {
  const inBytes = (source: string, value: number | undefined): Amount[] =>
    value === undefined ? [] : [{ resource: 'memory', unit: 'bytes', source, value }];
  const cpus = (unit: string, source: string, value: number | undefined): Amount[] =>
    value ? [{ resource: 'cpu', unit, source, value }] : [];
  const asked = cores(resources?.requests?.cpu);
  const isDefault = asked === undefined && !cpu;
  return [
    ...inBytes('domain', bytes(resources?.requests?.memory)),
    ...inBytes('guest', bytes(memory?.guest)),
    ...inBytes('hugepages', bytes(memory?.hugepages?.pageSize)),
    ...(['cores', 'threads', 'sockets'] as const).flatMap((unit) => cpus(unit, 'domain', cpu?.[unit])),
    ...(isDefault ? ['cores', 'threads', 'sockets'].flatMap((unit) => cpus(unit, 'default', 1)) : []),
    ...cpus('cores', 'requests', asked),
  ];
}

/** Resources of the guest. An instance type is known only from the running instance, whose spec contains its values. */
function effective(vm: VirtualMachine, domain: DomainSpec, { vmi }: VmFacts): Amount[] {
  const { name, namespace } = vm.metadata;
  const has = vm.spec.instancetype ? vmi(`${namespace}/${name}`)?.spec.domain : domain;
  if (!has) return [];
  const memory = bytes(has.memory?.guest) ?? bytes(has.resources?.requests?.memory);
  return [
    { resource: 'cpu', unit: 'cores', source: 'guest_effective', value: soundVcpus(has) },
    ...(memory === undefined
      ? []
      : [{ resource: 'memory', unit: 'bytes', source: 'guest_effective', value: memory } as const]),
  ];
}

/** A template may contain a quantity that no webhook has checked. */
const soundVcpus = (domain: DomainSpec): number => {
  const { limits, requests } = domain.resources ?? {};
  const cpu = limits?.cpu ?? requests?.cpu;
  return cpu === undefined || tryParseQuantity(cpu) ? vcpus(domain) : 1;
};

function requests(vm: VirtualMachine, facts: VmFacts): Value[] {
  const domain = vm.spec.template?.spec?.domain;
  if (!domain) return [];
  return [...requested(domain), ...effective(vm, domain, facts)].map(({ value, ...labels }) => ({
    labels: { ...idOf(vm), ...labels },
    value,
  }));
}

function limits(vm: VirtualMachine): Value[] {
  const { cpu, memory } = vm.spec.template?.spec?.domain?.resources?.limits ?? {};
  const values = [
    { resource: 'memory', unit: 'bytes', value: bytes(memory) },
    { resource: 'cpu', unit: 'cores', value: cores(cpu) },
  ];
  return values.flatMap(({ value, ...labels }) =>
    value === undefined ? [] : [{ labels: { ...idOf(vm), ...labels }, value }],
  );
}

function disks(vm: VirtualMachine, { claim }: VmFacts): Value[] {
  return (vm.spec.template?.spec?.volumes ?? []).flatMap(({ name: device, persistentVolumeClaim, dataVolume }) => {
    const claimName = persistentVolumeClaim?.claimName ?? dataVolume?.name;
    const found = claimName === undefined ? undefined : claim(`${vm.metadata.namespace}/${claimName}`);
    const value = bytes(found?.spec?.requests?.storage);
    if (value === undefined) return [];
    const labels = { persistentvolumeclaim: claimName, volume_mode: found?.spec?.volumeMode ?? 'Filesystem', device };
    return [{ labels: { ...idOf(vm), ...labels }, value }];
  });
}

/** The metrics of a VM. Pure. */
export const vmMetrics = {
  kubevirt_vm_info: info,
  kubevirt_vm_create_date_timestamp_seconds: created,
  kubevirt_vm_starting_status_last_transition_timestamp_seconds: since('starting'),
  kubevirt_vm_running_status_last_transition_timestamp_seconds: since('running'),
  kubevirt_vm_migrating_status_last_transition_timestamp_seconds: since('migrating'),
  kubevirt_vm_non_running_status_last_transition_timestamp_seconds: since('non_running'),
  kubevirt_vm_error_status_last_transition_timestamp_seconds: since('error'),
  kubevirt_vm_resource_requests: requests,
  kubevirt_vm_resource_limits: limits,
  kubevirt_vm_disk_allocated_size_bytes: disks,
} satisfies { readonly [name in MetricName]?: (vm: VirtualMachine, facts: VmFacts) => Value[] };
