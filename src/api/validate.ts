import { isDeepStrictEqual } from 'node:util';
import { dataVolumesAreHere, dataVolumeTemplates } from './admission/data-volumes';
import { likelyMistakesOfVm } from './admission/likely-mistakes';
import { graceAnnotations } from './admission/grace';
import { admitHotplug } from './admission/hotplug';
import { featuresOfNamedGates, firstCauses, validateInstance, validateInstanceSpec } from './admission/instance';
import { rejectedAtStart } from './admission/at-start';
import { labelsFit, reservedLabels, validateInstanceMetadata, validateObjectName } from './admission/metadata';
import { discontinuedBindings } from './admission/network';
import { mistake } from './admission/rule';
import { breaksRules, shapeErrors } from './admission/shape';
import { lockedBySnapshot } from './admission/snapshot-lock';
import { liveUpdate, runStrategy } from './admission/virtual-machine';
import { volumeRequests } from './admission/volume-requests';
import type { ClusterConfig } from './cluster-config';
import { asContext, specPath } from './context';
import { canonicalForm } from './defaulting/canonical';
import { defaultNetworkProblem } from './defaulting/devices';
import { fillTemplateSpec } from './defaulting/instance';
import { Finding, Path, root, unreported } from './findings';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceSpec } from './generated/kubevirt-v1';
import { checkRequirements, expandInstance, inferMatchers, kindOf } from './instancetype';
import type { AdmissionContext, Requester } from './kinds/kind';
import type { ObjectMeta } from './meta';
import { isDnsSubdomain } from './names';
import { applyPresets } from './presets';

const specAt = root.at('spec');

/** Returns every mistake in a VM at creation; an empty list when it may be stored. */
export function validateVirtualMachineCreate(
  vm: VirtualMachine,
  cluster: AdmissionContext | ClusterConfig,
  by?: Requester,
): Finding[] {
  return validateVirtualMachine(vm, undefined, asContext(cluster, by));
}

/**
 * The same for a VM that is written in code, with likely mistakes that the platform would accept, so that they are
 * reported in the code, before there is a cluster.
 */
export function lintVirtualMachine(vm: VirtualMachine, cluster: AdmissionContext | ClusterConfig): Finding[] {
  const rejected = andWithoutConflicts(vm, validateVirtualMachineCreate(vm, cluster), cluster);
  if (rejected.some(({ rule }) => rule.startsWith('schema-'))) return rejected;
  const errors = withSources(vm, [...rejected, ...startOf(vm, rejected, asContext(cluster))], cluster);
  const context = asContext(cluster);
  return [...errors, ...unreported(errors, likelyMistakesOfVm(vm, context.config, specPath(context)))];
}

/** Returns the mistakes that only the start of the VM would show, in fields that are not reported yet. */
function startOf(vm: VirtualMachine, rejected: readonly Finding[], context: AdmissionContext): readonly Finding[] {
  const own = vm.spec?.template?.spec as VirtualMachineInstanceSpec | null | undefined;
  if (!own?.domain) return [];
  const { preference } = vm.spec;
  const { spec } = preference ? expandInstance(vm, context) : { spec: own };
  // one that only the cluster holds has a name that no object can have
  const isOpen = preference !== undefined && !isDnsSubdomain(preference.name ?? '');
  const architecture = spec.architecture || (isOpen ? undefined : context.config.defaultArchitecture);
  return unreported(
    rejected,
    rejectedAtStart(spec, specPath(context).at('template', 'spec'), context.config, architecture),
  );
}

/** Names the instance type or preference that sets a field at fault, which the VM itself leaves open. */
function withSources(vm: VirtualMachine, errors: Finding[], cluster: AdmissionContext | ClusterConfig): Finding[] {
  const { instancetype, preference } = vm.spec ?? {};
  if (errors.length === 0 || (!instancetype && !preference) || !vm.spec.template?.spec?.domain) return errors;
  const context = asContext(cluster);
  const at = specPath(context).at('template', 'spec').parts;
  const specOf = (matchers: Partial<VirtualMachine['spec']>): unknown =>
    expandInstance({ ...vm, spec: { ...vm.spec, ...matchers } }, context).spec;
  const sources = [
    ['instancetype', specOf({ preference: undefined })],
    ['preference', specOf({})],
  ] as const;
  const described = (field: 'instancetype' | 'preference', does = ''): string => {
    const matcher = vm.spec[field];
    // one that only the cluster holds has a name that no object can have
    return matcher?.name && isDnsSubdomain(matcher.name) ? ` (${kindOf(field, matcher)} "${matcher.name}"${does})` : '';
  };
  return errors.map((error) => {
    const { rule, cause } = error;
    if (rule === 'instancetype-conflict') return { ...error, cause: cause + described('instancetype') };
    if (/^preference-(requires-|spread$)/.test(rule)) return { ...error, cause: cause + described('preference') };
    const { parts } = error.path;
    const own = parts.slice(at.length);
    if (own.length === 0 || !at.every((part, i) => parts[i] === part) || valueAt(vm.spec.template.spec, own)) {
      return error;
    }
    const [source] = sources.find(([, spec]) => valueAt(spec, own) !== undefined) ?? [];
    return source ? { ...error, cause: cause + described(source, ' sets it') } : error;
  });
}

const valueAt = (value: unknown, parts: readonly (string | number)[]): unknown =>
  parts.reduce((found, part) => (found as Record<string | number, unknown> | undefined)?.[part], value);

/**
 * The webhook does not validate a guest that conflicts with its instance type. For its author, the rest is validated
 * without the conflicting fields.
 */
function andWithoutConflicts(
  vm: VirtualMachine,
  errors: Finding[],
  cluster: AdmissionContext | ClusterConfig,
): Finding[] {
  const conflicts = errors.filter(({ rule }) => rule === 'instancetype-conflict');
  if (conflicts.length === 0) return errors;
  const rest = structuredClone(vm);
  for (const { path } of conflicts) {
    let parent: unknown = rest;
    for (const part of path.parts.slice(0, -1))
      parent = (parent as Record<string | number, unknown> | undefined)?.[part];
    if (typeof parent === 'object' && parent) delete (parent as Record<string | number, unknown>)[path.parts.at(-1)!];
  }
  const more = validateVirtualMachineCreate(rest, cluster);
  // further conflicts would be about remaining parts of a field that is already reported
  return [...errors, ...more.filter(({ rule }) => rule !== 'instancetype-conflict')];
}

export function validateVirtualMachineUpdate(
  vm: VirtualMachine,
  old: VirtualMachine,
  cluster: AdmissionContext | ClusterConfig,
  by?: Requester,
): Finding[] {
  // an object that is being deleted must not be kept by a mistake
  if (vm.metadata.deletionTimestamp || isDeepStrictEqual(vm.spec, old.spec)) return [];
  return validateVirtualMachine(vm, old, asContext(cluster, by));
}

function validateVirtualMachine(given: VirtualMachine, old: VirtualMachine | undefined, context: AdmissionContext) {
  const shape = shapeErrors(given);
  if (shape.some(breaksRules)) return shape;
  const errors = virtualMachineRules(canonicalObject(given), old && canonicalObject(old), context);
  return [...shape, ...unreported(shape, errors)];
}

/** Returns the findings of the first group that has any: later groups depend on the fields that are wrong. */
function virtualMachineRules(
  vm: VirtualMachine,
  old: VirtualMachine | undefined,
  context: AdmissionContext,
): Finding[] {
  const name = old ? [] : validateObjectName(vm.metadata);
  for (const rules of [references, template, storage]) {
    const errors = rules(vm, old, context);
    if (errors.length > 0) return [...name, ...errors];
  }
  return name;
}

type VirtualMachineRules = (
  vm: VirtualMachine,
  old: VirtualMachine | undefined,
  context: AdmissionContext,
) => Finding[];

const references: VirtualMachineRules = (vm, old, context) => inferMatchers(vm, context, old).errors;

/** Returns the guest that would start: with its instance type, preference and defaults. */
const template: VirtualMachineRules = (vm, old, context) => {
  const { config, by } = context;
  const specAt = specPath(context);
  const templateAt = specAt.at('template', 'spec');
  const templateMetadataAt = specAt.at('template', 'metadata');
  const own = (vm.spec.template.spec ??= { domain: { devices: {} } });
  const metadata = (vm.spec.template.metadata ?? {}) as ObjectMeta;
  const sized = vm.spec.instancetype || vm.spec.preference ? expandInstance(vm, context) : undefined;
  if (sized && sized.errors.length > 0) return sized.errors;
  const spec = sized && sized.spec !== own ? sized.spec : copyOf(own);
  const annotations = sized ? sized.annotations : metadata.annotations;
  fillTemplateSpec(spec, config);
  const network = networkIsPermitted(spec, templateAt, config);
  if (network.length > 0) return network;
  const unmet = checkRequirements(sized?.instancetype, sized?.preference, spec, specAt);
  if (unmet.length > 0) return unmet;
  if (!old) {
    for (const gone of [
      featuresOfNamedGates(own, templateAt, config),
      discontinuedBindings(spec, templateAt, config, specAt),
    ]) {
      if (gone.length > 0) return gone;
    }
  }
  return firstCauses([
    ...validateInstanceMetadata({ ...metadata, annotations }, templateMetadataAt, config, by.trusted),
    ...graceAnnotations(annotations ?? {}, templateMetadataAt, spec, config),
    ...validateInstanceSpec(spec, templateAt, config),
    ...dataVolumeTemplates(vm.spec, spec, specAt),
    ...runStrategy(vm.spec, specAt, config),
    ...liveUpdate(spec, templateAt, config),
  ]);
};

/** Copies only the objects and lists that the defaults change. */
function copyOf(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { domain } = spec;
  return {
    ...spec,
    ...(spec.volumes && {
      volumes: spec.volumes.map((volume) =>
        volume.containerDisk ? { ...volume, containerDisk: { ...volume.containerDisk } } : volume,
      ),
    }),
    domain: {
      ...domain,
      devices: { ...domain.devices },
      ...(domain.cpu && { cpu: { ...domain.cpu } }),
      ...(domain.machine && { machine: { ...domain.machine } }),
      ...(domain.memory && { memory: { ...domain.memory } }),
      ...(domain.resources && { resources: { ...domain.resources } }),
    },
  };
}

const storage: VirtualMachineRules = (vm, old, context) => {
  const moved = old && isDeepStrictEqual(vm.spec.dataVolumeTemplates, old.spec.dataVolumeTemplates);
  const elsewhere = moved ? [] : dataVolumesAreHere(vm, specPath(context));
  if (elsewhere.length > 0) return elsewhere;
  const locked = old ? lockedBySnapshot(vm, old) : [];
  return locked.length > 0 ? locked : volumeRequests(vm, context);
};

/** Returns every mistake in a VMI at creation. */
export function validateVirtualMachineInstanceCreate(
  given: VirtualMachineInstance,
  cluster: AdmissionContext | ClusterConfig,
  by?: Requester,
): Finding[] {
  const shape = shapeErrors(given);
  if (shape.some(breaksRules)) return shape;
  const context = asContext(cluster, by);
  const vmi = canonicalObject(given);
  const errors = [
    ...validateObjectName(vmi.metadata),
    ...labelsFit(vmi.metadata, root.at('metadata')),
    ...instanceRules(vmi, context),
  ];
  return [...shape, ...unreported(shape, errors)];
}

function instanceRules(vmi: VirtualMachineInstance, context: AdmissionContext): Finding[] {
  const { config, by } = context;
  const { errors } = applyPresets(vmi, context);
  if (errors.length > 0) return errors;
  const at = specPath(context);
  const network = networkIsPermitted(vmi.spec, at, config);
  return network.length > 0 ? network : firstCauses(validateInstance(vmi, config, by.trusted, at));
}

function networkIsPermitted(spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig): Finding[] {
  const problem = defaultNetworkProblem(spec, config);
  if (problem === undefined) return [];
  const remedy = 'add networks and interfaces, with masquerade: {} for the pod network';
  return mistake('default-network', at.at('networks'), problem, remedy, { field: '' });
}

/** Rejects changes of a VMI's spec and reserved labels by users: the VMI describes a running guest. */
export function validateVirtualMachineInstanceUpdate(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  cluster: AdmissionContext | ClusterConfig | Requester,
  by?: Requester,
): Finding[] {
  const shape = shapeErrors(vmi);
  if (shape.some(breaksRules)) return shape;
  const context = 'trusted' in cluster ? undefined : asContext(cluster, by);
  const { trusted } = 'trusted' in cluster ? cluster : context!.by;
  const [now, before] = [canonicalObject(vmi), canonicalObject(old)];
  if (!isDeepStrictEqual(now.spec, before.spec)) {
    if (!trusted) {
      const remedy = 'change the VirtualMachine that owns it, or use its subresources';
      const extra = { type: 'FieldValueNotSupported', field: '' } as const;
      return mistake('instance-immutable', specAt, 'update of VMI object is restricted', remedy, extra);
    }
    const errors = context ? admitHotplug(now, before, context.config) : [];
    if (errors.length > 0) return errors;
  }
  return trusted ? [] : labelsStay(now, before);
}

/** Labels by which the platform finds a VMI. */
export function labelsStay(
  { metadata }: VirtualMachineInstance,
  { metadata: before }: VirtualMachineInstance,
): Finding[] {
  const changed = reservedLabels.filter((label) => metadata.labels?.[label] !== before.labels?.[label]);
  if (changed.length === 0) return [];
  const message = 'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited';
  const extra = { type: 'FieldValueNotSupported', value: changed, field: '' } as const;
  const path = root.at('metadata', 'labels');
  return mistake('reserved-label', path, message, `restore ${changed.join(', ')}`, extra);
}

function canonicalObject<T extends VirtualMachine | VirtualMachineInstance>(object: T): T {
  return { ...object, metadata: canonicalForm(object.metadata), spec: canonicalForm(object.spec) };
}
