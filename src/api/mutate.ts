import type { ClusterConfig } from './cluster-config';
import {
  KUBEVIRT_API_VERSION,
  PCI_TOPOLOGY_ANNOTATION,
  PCI_TOPOLOGY_VERSION,
  RUNTIME_USER,
  VM_FINALIZER,
  VMI_FINALIZER,
} from './constants';
import { topologyOf } from './defaulting/cpu';
import { defaultInstanceSpec, defaultPlatform, firmwareUuid, uuidOf } from './defaulting/instance';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceSpec } from './generated/kubevirt-v1';
import type { ObjectMeta } from './meta';
import { validateSchema, withoutNulls } from './schema';

/**
 * A VM as the webhook stores it: architecture and machine type pinned, finalizer set (KubeVirt's controller adds
 * that one later, at the price of a write). An object of the wrong shape comes back as it is; validation refuses it.
 */
export function mutateVirtualMachine(given: VirtualMachine, config: ClusterConfig): VirtualMachine {
  if (!isWellTyped(given) || given.metadata.deletionTimestamp) return given;
  const vm = withoutNulls(given);
  vm.metadata = withFinalizer(vm.metadata, VM_FINALIZER);
  const { spec } = vm.spec.template;
  if (!spec) return vm;
  spec.domain.devices ??= {};
  // the preference of an instance type's VM may choose these
  if (!vm.spec.preference) defaultPlatform(spec, config);
  return vm;
}

/** A VMI as the webhook stores it at creation: every default filled in, phase Pending. Idempotent. */
export function mutateVirtualMachineInstance(
  given: VirtualMachineInstance,
  config: ClusterConfig,
): VirtualMachineInstance {
  if (!isWellTyped(given) || given.metadata.deletionTimestamp) return given;
  const vmi = withoutNulls(given);
  vmi.metadata = withFinalizer(vmi.metadata, VMI_FINALIZER);
  vmi.metadata.annotations = { [PCI_TOPOLOGY_ANNOTATION]: PCI_TOPOLOGY_VERSION, ...vmi.metadata.annotations };
  vmi.spec = defaultInstanceSpec(vmi.spec, config, vmi.metadata.name ?? '');
  const guest = vmi.spec.domain.memory?.guest;
  vmi.status = {
    phase: 'Pending',
    guestOSInfo: {},
    runtimeUser: config.hasGate('Root') ? 0 : RUNTIME_USER,
    ...vmi.status,
    currentCPUTopology: topologyOf(vmi.spec.domain.cpu),
    ...(guest === undefined
      ? {}
      : { memory: { guestAtBoot: guest, guestCurrent: guest, guestRequested: guest, ...vmi.status?.memory } }),
  };
  return vmi;
}

/**
 * The VMI that a VM's controller creates. The webhook defaults it further.
 * The guest's firmware UUID follows from the VM's name and its serial from the VM's uid, so both outlive
 * restarts without being written back into the VM.
 */
export function virtualMachineInstanceOf(vm: VirtualMachine): VirtualMachineInstance {
  const { template } = vm.spec;
  const name = vm.metadata.name ?? '';
  const spec = structuredClone(template.spec) as VirtualMachineInstanceSpec;
  const firmware = (spec.domain.firmware ??= {});
  firmware.uuid ||= firmwareUuid(name);
  firmware.serial ||= serialOf(vm);
  const meta = (template.metadata ?? {}) as ObjectMeta;
  return {
    apiVersion: KUBEVIRT_API_VERSION,
    kind: 'VirtualMachineInstance',
    metadata: {
      name,
      namespace: vm.metadata.namespace,
      ...(meta.labels ? { labels: { ...meta.labels } } : {}),
      ...(meta.annotations ? { annotations: { ...meta.annotations } } : {}),
      ownerReferences: [
        {
          apiVersion: KUBEVIRT_API_VERSION,
          kind: 'VirtualMachine',
          name,
          uid: vm.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      finalizers: [VMI_FINALIZER],
    },
    spec,
  };
}

/** RFC 9562's namespace for object identifiers: any fixed one would do. */
const SERIAL_NAMESPACE = '6ba7b812-9dad-11d1-80b4-00c04fd430c8';

function serialOf({ metadata }: VirtualMachine): string {
  return uuidOf(SERIAL_NAMESPACE, metadata.uid ?? `${metadata.namespace}/${metadata.name}`);
}

function withFinalizer(metadata: ObjectMeta, finalizer: string): ObjectMeta {
  const finalizers = metadata.finalizers ?? [];
  return finalizers.includes(finalizer) ? { ...metadata } : { ...metadata, finalizers: [...finalizers, finalizer] };
}

/** Defaulting may read any field without checking its type. A missing one is its own business. */
function isWellTyped(object: VirtualMachine | VirtualMachineInstance): boolean {
  const broken = validateSchema(object).filter(
    ({ rule, path }) => rule === 'schema-type' || (rule === 'schema-required' && !/\.domain\.devices$/.test(`${path}`)),
  );
  return broken.length === 0 && typeof object.metadata === 'object' && object.metadata !== null;
}
