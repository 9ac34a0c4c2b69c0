import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { Find } from '../kinds/kind';
import { refusal } from '../kinds/refusal';
import type { KubeObject } from '../meta';
import { specOfRevision } from './compatibility';
import { kindOf, matcherName } from './matcher';
import { OBJECT_NAME_LABEL } from './revision-labels';
import type { ControllerRevision, InstancetypeSpec, MatcherField, PreferenceSpec } from './types';

/** Target of a VM's reference, or why it was not found. */
export interface Found<Spec> {
  readonly spec?: Spec;
  readonly problem?: FindProblem;
}

/** Problem with a reference. Admission accepts a target that does not exist yet, but the VM does not start. */
export interface FindProblem extends Finding {
  /** Reference with the problem. */
  readonly of: MatcherField;
}

export const findInstancetype = (vm: VirtualMachine, find: Find): Found<InstancetypeSpec> =>
  findSpec<InstancetypeSpec>(vm, 'instancetype', find);

export const findPreference = (vm: VirtualMachine, find: Find): Found<PreferenceSpec> =>
  findSpec<PreferenceSpec>(vm, 'preference', find);

/** Finds the target of a reference. A stored revision takes precedence, so that later changes do not affect the VM. */
function findSpec<Spec>(vm: VirtualMachine, field: MatcherField, find: Find): Found<Spec> {
  const matcher = vm.spec[field];
  if (!matcher) return {};
  const revision = revisionNameOf(vm, field);
  if (revision) {
    const { namespace } = vm.metadata;
    const object = find('ControllerRevision', namespace, revision) as ControllerRevision | undefined;
    if (!object) {
      const remedy = matcher.revisionName
        ? 'remove the name of the revision, or create the revision'
        : 'restore the revision';
      return lost(field, `controllerrevisions.apps "${revision}" not found`, remedy);
    }
    // the revision in the status may be of another object, when the VM's reference has changed
    if (matcher.revisionName || object.metadata.labels?.[OBJECT_NAME_LABEL] === matcher.name) {
      const decoded = specOfRevision(object, field);
      if (typeof decoded !== 'string') return { spec: complete(decoded, field) as Spec };
      return lost(field, decoded, `remove the name of the revision, so that the ${field} is looked up again`);
    }
  }
  return fromObject(vm, field, find);
}

function fromObject<Spec>(vm: VirtualMachine, field: MatcherField, find: Find): Found<Spec> {
  const matcher = vm.spec[field]!;
  const kind = kindOf(field, matcher);
  if (!kind) {
    const message = `got unexpected kind in ${matcherName(field)}: ${matcher.kind}`;
    return lost(field, message, `use ${kindOf(field, {})}, or the namespaced kind`);
  }
  const name = matcher.name ?? '';
  const namespace = kind.includes('Cluster') ? undefined : vm.metadata.namespace;
  const object = find(kind, namespace, name) as (KubeObject & { spec?: { cpu?: object; memory?: object } }) | undefined;
  if (object) return { spec: complete(object.spec ?? {}, field) as Spec };
  const message = `${kind.toLowerCase()}s.instancetype.kubevirt.io "${name}" not found`;
  return lost(field, message, `create it, or correct spec.${field}`);
}

/** Fills required fields of an instance type that the API server has not validated. */
const complete = (spec: { cpu?: object; memory?: object }, field: MatcherField): object =>
  field === 'instancetype' ? { ...spec, cpu: { guest: 0, ...spec.cpu }, memory: { guest: '0', ...spec.memory } } : spec;

/** Returns the revision of this VM's reference: the one in the spec, else the one in the status. */
export function revisionNameOf(vm: VirtualMachine, field: MatcherField): string | undefined {
  const matcher = vm.spec[field];
  if (matcher?.revisionName) return matcher.revisionName;
  const ref = field === 'instancetype' ? vm.status?.instancetypeRef : vm.status?.preferenceRef;
  const isOfAnother = ref?.name && ref.name !== matcher?.name;
  return isOfAnother ? undefined : ref?.controllerRevisionRef?.name || undefined;
}

const lost = <Spec>(of: MatcherField, message: string, remedy: string): Found<Spec> => ({
  problem: { of, ...refusal(`${of}-found`, root.at('spec', of), message, remedy, { type: 'FieldValueNotFound' }) },
});
