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

/** What a VM's reference leads to, or why it leads nowhere. */
export interface Found<Spec> {
  readonly spec?: Spec;
  readonly problem?: FindProblem;
}

/** What is not there yet is no mistake for admission, but keeps the VM from being started. */
export interface FindProblem extends Finding {
  /** The reference that leads nowhere. */
  readonly of: MatcherField;
}

export const findInstancetype = (vm: VirtualMachine, find: Find): Found<InstancetypeSpec> =>
  findSpec<InstancetypeSpec>(vm, 'instancetype', find);

export const findPreference = (vm: VirtualMachine, find: Find): Found<PreferenceSpec> =>
  findSpec<PreferenceSpec>(vm, 'preference', find);

/** The revision counts before the object: what a VM was given does not change under it. */
function findSpec<Spec>(vm: VirtualMachine, field: MatcherField, find: Find): Found<Spec> {
  const matcher = vm.spec[field];
  if (!matcher) return {};
  const revision = revisionNameOf(vm, field);
  if (revision) {
    const { namespace } = vm.metadata;
    const object = find('ControllerRevision', namespace, revision) as ControllerRevision | undefined;
    if (!object) {
      const remedy = matcher.revisionName ? 'remove the name of the revision, or create it' : 'restore it';
      return lost(field, `controllerrevisions.apps "${revision}" not found`, remedy);
    }
    // one that the status names may be of another object, when the VM has changed its mind
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
    return lost(field, message, `use ${kindOf(field, {})}, or that of the namespace`);
  }
  const name = matcher.name ?? '';
  const namespace = kind.includes('Cluster') ? undefined : vm.metadata.namespace;
  const object = find(kind, namespace, name) as (KubeObject & { spec?: { cpu?: object; memory?: object } }) | undefined;
  if (object) return { spec: complete(object.spec ?? {}, field) as Spec };
  const message = `${kind.toLowerCase()}s.instancetype.kubevirt.io "${name}" not found`;
  return lost(field, message, `create it, or correct spec.${field}`);
}

/** An instance type that was never stored may lack what the API server asks for. */
const complete = (spec: { cpu?: object; memory?: object }, field: MatcherField): object =>
  field === 'instancetype' ? { ...spec, cpu: { guest: 0, ...spec.cpu }, memory: { guest: '0', ...spec.memory } } : spec;

/** The revision by which this VM is run: the one that it names itself, else the one that its status keeps. */
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
