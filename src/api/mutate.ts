import { keys } from './keys';
import { changedBlockTracking } from './defaulting/changed-blocks';
import { breaksRules, shapeErrors } from './admission/shape';
import type { ClusterConfig } from './cluster-config';
import {
  EMULATOR_EVEN_PARITY,
  KUBEVIRT_API_VERSION,
  PCI_TOPOLOGY_ANNOTATION,
  PCI_TOPOLOGY_VERSION,
  RUNTIME_USER,
  VM_FINALIZER,
  VMI_FINALIZER,
} from './constants';
import { asContext } from './context';
import { canonicalForm } from './defaulting/canonical';
import { topologyOf } from './defaulting/cpu';
import { defaultPlatform, fillInstanceSpec, firmwareUuid, hasPcie, uuidOf } from './defaulting/instance';
import { architectureOfSources } from './defaulting/sources';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceSpec } from './generated/kubevirt-v1';
import { expandedByPolicy, inferMatchers, sizeInstance } from './instancetype';
import type { AdmissionContext } from './kinds/kind';
import type { ObjectMeta } from './meta';
import { applyPresets } from './presets';

/**
 * Returns a VM as the webhook stores it: with complete references, fixed architecture and machine type, and the finalizer
 * (which KubeVirt's controller adds later, with another write). An object of the wrong shape, or with invalid references,
 * is returned unchanged, and validation rejects it.
 */
export function mutateVirtualMachine(
  given: VirtualMachine,
  cluster: AdmissionContext | ClusterConfig,
  old?: VirtualMachine,
): VirtualMachine {
  if (shapeErrors(given).some(breaksRules) || given.metadata.deletionTimestamp) return given;
  const context = asContext(cluster);
  const canonical = { ...given, metadata: canonicalForm(given.metadata), spec: canonicalForm(given.spec) };
  const { vm, errors } = inferMatchers(canonical, context, old);
  if (errors.length > 0) return given;
  vm.metadata = withFinalizer(vm.metadata, VM_FINALIZER);
  const { spec } = vm.spec.template;
  if (!spec) return vm;
  spec.domain ??= { devices: {} };
  spec.domain.devices ??= {};
  spec.architecture ||= architectureOfSources(vm, context.find);
  defaultPlatform(spec, context.config);
  return vm;
}

/** Returns a VMI as the webhook stores it at creation: with all defaults, in phase Pending. Idempotent. */
export function mutateVirtualMachineInstance(
  given: VirtualMachineInstance,
  cluster: AdmissionContext | ClusterConfig,
): VirtualMachineInstance {
  if (shapeErrors(given).some(breaksRules) || given.metadata.deletionTimestamp) return given;
  const context = asContext(cluster);
  const { config } = context;
  const { vmi: chosen, errors } = applyPresets(given, context);
  if (errors.length > 0) return given;
  const metadata = withFinalizer(canonicalForm(chosen.metadata), VMI_FINALIZER);
  const spec = canonicalForm(chosen.spec);
  fillInstanceSpec(spec, config, metadata.name ?? '');
  const { weak, strong } = annotationsOf(spec, config);
  const annotations = { ...weak, ...metadata.annotations, ...strong };
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  const { guest } = spec.domain.memory ?? {};
  return {
    ...chosen,
    metadata,
    spec,
    status: {
      phase: 'Pending',
      guestOSInfo: {},
      runtimeUser: config.hasGate('Root') ? 0 : RUNTIME_USER,
      currentCPUTopology: topologyOf(spec.domain.cpu),
      ...canonicalForm(chosen.status ?? {}),
      ...(guest === undefined ? {} : { memory: { guestAtBoot: guest, guestCurrent: guest, guestRequested: guest } }),
    },
  };
}

/** Annotations of every VMI: those that a user may override, and those that the platform sets. */
function annotationsOf({ domain, architecture }: VirtualMachineInstanceSpec, config: ClusterConfig) {
  const weak: Record<string, string> = {};
  const strong: Record<string, string> = {};
  if (hasPcie({ domain, architecture })) weak[PCI_TOPOLOGY_ANNOTATION] = PCI_TOPOLOGY_VERSION;
  if (domain.cpu?.isolateEmulatorThread && EMULATOR_EVEN_PARITY in config.annotations && config.hasGate('AlignCPUs')) {
    strong[EMULATOR_EVEN_PARITY] = '';
  }
  if (domain.launchSecurity?.tdx && config.qgsSocketPath) strong[QGS_SOCKET] = config.qgsSocketPath;
  return { weak, strong };
}

/** Sets the path of the Quote Generation Service for a TDX guest. */
const QGS_SOCKET = keys.qgsSocketPath;
/** Annotation of a guest that waits until another cluster sends it. */
const MIGRATION_TARGET = keys.createMigrationTarget;

/**
 * Returns the VMI that a VM's controller creates. The webhook then adds further defaults.
 * The guest's firmware UUID is derived from the VM's name and its serial from the VM's uid, so both survive
 * restarts without being written back into the VM.
 *
 * @param context for VMs with an instance type or preference; without it, these references are not read
 */
export function virtualMachineInstanceOf(given: VirtualMachine, context?: AdmissionContext): VirtualMachineInstance {
  const vm = context ? expandedByPolicy(given, context) : given;
  const { template } = vm.spec;
  const name = vm.metadata.name ?? '';
  const spec = canonicalForm((template.spec ?? { domain: { devices: {} } }) as VirtualMachineInstanceSpec);
  const firmware = (spec.domain.firmware ??= {});
  firmware.uuid ||= firmwareUuid(name);
  firmware.serial ||= serialOf(vm);
  // a memory dump is attached when it is requested
  spec.volumes = spec.volumes?.filter(({ memoryDump }) => !memoryDump);
  const meta = (template.metadata ?? {}) as ObjectMeta;
  const annotations = {
    ...meta.annotations,
    ...(vm.spec.runStrategy === 'WaitAsReceiver' ? { [MIGRATION_TARGET]: 'true' } : {}),
  };
  const vmi: VirtualMachineInstance = {
    apiVersion: KUBEVIRT_API_VERSION,
    kind: 'VirtualMachineInstance',
    metadata: {
      name,
      namespace: vm.metadata.namespace,
      ...(meta.labels ? { labels: { ...meta.labels } } : {}),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
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
  if (!context) return vmi;
  sizeInstance(vmi, vm, context);
  const tracking = changedBlockTracking(vm, context);
  if (tracking) vmi.status = { changedBlockTracking: tracking };
  return vmi;
}

/** RFC 9562's namespace for object identifiers; every fixed namespace would do. */
const SERIAL_NAMESPACE = '6ba7b812-9dad-11d1-80b4-00c04fd430c8';

function serialOf({ metadata }: VirtualMachine): string {
  return uuidOf(SERIAL_NAMESPACE, metadata.uid ?? `${metadata.namespace}/${metadata.name}`);
}

function withFinalizer(metadata: ObjectMeta, finalizer: string): ObjectMeta {
  const finalizers = metadata.finalizers ?? [];
  return finalizers.includes(finalizer) ? { ...metadata } : { ...metadata, finalizers: [...finalizers, finalizer] };
}
