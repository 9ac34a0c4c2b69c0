import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { Find } from '../kinds/kind';
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

export interface FindProblem {
  readonly field: MatcherField;
  /** Cause and remedy in one sentence. */
  readonly message: string;
  /** What is looked for: it may appear later. */
  readonly missing?: { kind: string; namespace?: string; name: string };
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
      const remedy = matcher.revisionName ? `remove spec.${field}.revisionName, or create it` : 'restore it';
      return lost(field, `controllerrevisions.apps "${revision}" not found; ${remedy}`, {
        kind: 'ControllerRevision',
        namespace,
        name: revision,
      });
    }
    // one that the status names may be of another object, when the VM has changed its mind
    if (matcher.revisionName || object.metadata.labels?.[OBJECT_NAME_LABEL] === matcher.name) {
      const decoded = specOfRevision(object, field);
      return typeof decoded === 'string' ? lost(field, decoded) : { spec: decoded as Spec };
    }
  }
  return fromObject(vm, field, find);
}

function fromObject<Spec>(vm: VirtualMachine, field: MatcherField, find: Find): Found<Spec> {
  const matcher = vm.spec[field]!;
  const kind = kindOf(field, matcher);
  if (!kind) {
    const remedy = `use ${kindOf(field, {})}, or that of the namespace`;
    return lost(field, `got unexpected kind in ${matcherName(field)}: ${matcher.kind}; ${remedy}`);
  }
  const name = matcher.name ?? '';
  const namespace = kind.includes('Cluster') ? undefined : vm.metadata.namespace;
  const object = find(kind, namespace, name) as (KubeObject & { spec?: Spec }) | undefined;
  if (object) return { spec: object.spec ?? ({} as Spec) };
  const plural = `${kind.toLowerCase()}s.instancetype.kubevirt.io`;
  const message = `${plural} "${name}" not found; create it, or correct spec.${field}`;
  return lost(field, message, { kind, namespace, name });
}

/** The revision by which this VM is run: the one that it names itself, else the one that its status keeps. */
export function revisionNameOf(vm: VirtualMachine, field: MatcherField): string | undefined {
  const matcher = vm.spec[field];
  if (matcher?.revisionName) return matcher.revisionName;
  const ref = field === 'instancetype' ? vm.status?.instancetypeRef : vm.status?.preferenceRef;
  const isOfAnother = ref?.name && ref.name !== matcher?.name;
  return isOfAnother ? undefined : ref?.controllerRevisionRef?.name || undefined;
}

const lost = <Spec>(field: MatcherField, message: string, missing?: FindProblem['missing']): Found<Spec> => ({
  problem: { field, message, missing },
});
