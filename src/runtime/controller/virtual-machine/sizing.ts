import type { Find, KubeObject, VirtualMachine } from '../../../api';
import { findCondition } from '../../../api/conditions';
import {
  expandInstance,
  expandVirtualMachine,
  isCurrent,
  kindOf,
  revisionOf,
  statusRefOf,
  upgradedRevision,
} from '../../../api/instancetype';
import type {
  ControllerRevision,
  FindProblem,
  Instancetype,
  MatcherField,
  Preference,
} from '../../../api/instancetype';
import { conflictList } from '../../../api/instancetype/conflict';
import { describe } from '../../../api/findings';
import { sinceMs } from '../instance/observed';
import type { Effect } from './actions';
import type { Observed } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';

/** How a VM gets its size from what it refers to. */
export interface Sizing {
  /** The VM as it is after the effects. */
  readonly vm: VirtualMachine;
  /** What instance type and preference are read from; also the revisions that the effects store. */
  readonly find: Find;
  readonly effects: readonly Effect[];
  /** Why the VM cannot be started. */
  readonly problem?: Problem;
  /** The effects change the VM so much that everything is decided anew. */
  readonly isOver?: boolean;
}

const fields: readonly MatcherField[] = ['instancetype', 'preference'];
const refNames = { instancetype: 'instancetypeRef', preference: 'preferenceRef' } as const;

/** Does anything have to be read for this VM? Not for one whose guest runs and whose size is kept in revisions. */
export function needsReferences(vm: VirtualMachine, wantsStart: boolean): boolean {
  return fields.some((field) => {
    if (!vm.spec[field]) return false;
    return wantsStart || !isSame(statusRefOf(vm, field), vm.status?.[refNames[field]]) || !keptRevision(vm, field);
  });
}

/** Stores what the VM refers to as revisions; or, by the cluster's policy, writes it into the VM. Pure. */
export function sizingOf(seen: Observed): Sizing {
  const { vm, references } = seen;
  if (!fields.some((field) => vm.spec[field])) return forgotten(vm);
  const none: Find = () => undefined;
  // nothing had to be read: all is as it was
  if (!references) return { vm, find: none, effects: [] };
  const { errors, problems } = expandInstance(vm, { find: references });
  const idle: Sizing = { vm, find: references, effects: [] };
  if (problems.length > 0) return { ...idle, problem: lost(problems[0], vm, seen.now) };
  if (errors.length > 0) {
    const [first] = errors;
    const all = errors.length > 1 ? ` (${conflictList(errors)})` : '';
    return {
      ...idle,
      problem: { reason: reasons.failedCreate, message: `${describe(first)}${all}`, retryMs: RETRY_MS },
    };
  }
  const policy = seen.config.instancetypeReferencePolicy;
  const keeps = fields.some((field) => keptRevision(vm, field));
  if (policy === 'reference') return referred(vm, references);
  return !seen.vmi && (policy === 'expandAll' || !keeps) ? expanded(seen, references) : idle;
}

const RETRY_MS = 10_000;

/** What is not there may come: looked for again after a quarter of the time that it has been missing. */
function lost(problem: FindProblem, { status }: VirtualMachine, now: number): Problem {
  const reason = problem.of === 'instancetype' ? reasons.failedFindInstancetype : reasons.failedFindPreference;
  const reported = findCondition(status?.conditions, 'Failure');
  const missingMs = reported?.reason === reason ? sinceMs(reported.lastTransitionTime ?? undefined, now) : 0;
  return { reason, message: describe(problem), retryMs: Math.min(Math.max(missingMs / 4, 2000), 60_000) };
}

/** The VM refers to nothing any more, and its status neither. */
function forgotten(vm: VirtualMachine): Sizing {
  const stale = fields.filter((field) => vm.status?.[refNames[field]]);
  const patch = Object.fromEntries(stale.map((field) => [refNames[field], null]));
  return {
    vm: stale.length ? { ...vm, status: { ...vm.status, ...patch } } : vm,
    find: () => undefined,
    effects: stale.length ? [{ do: 'patchStatus', status: patch }] : [],
  };
}

const keptRevision = (vm: VirtualMachine, field: MatcherField): string | undefined =>
  vm.status?.[refNames[field]]?.controllerRevisionRef?.name;

function referred(vm: VirtualMachine, references: Find): Sizing {
  const stored: ControllerRevision[] = [];
  const outdated: string[] = [];
  const refs: Record<string, unknown> = {};
  for (const field of fields) {
    const ref = statusRefOf(vm, field);
    if (!ref) continue;
    const revision = newRevision(vm, field, ref.controllerRevisionRef?.name, references);
    if (revision) {
      stored.push(revision);
      if (ref.controllerRevisionRef?.name) outdated.push(ref.controllerRevisionRef.name);
      ref.controllerRevisionRef = { name: revision.metadata.name ?? '' };
    }
    if (!isSame(ref, vm.status?.[refNames[field]])) refs[refNames[field]] = ref;
  }
  const find: Find = (kind, namespace, name) =>
    (kind === 'ControllerRevision' ? stored.find(({ metadata }) => metadata.name === name) : undefined) ??
    references(kind, namespace, name);
  const isNew = Object.keys(refs).length > 0;
  return {
    vm: isNew ? { ...vm, status: { ...vm.status, ...refs } } : vm,
    find,
    effects: [
      ...stored.map((revision): Effect => ({ do: 'createRevision', revision })),
      ...(isNew ? [{ do: 'patchStatus' as const, status: refs }] : []),
      ...outdated.map((name): Effect => ({ do: 'deleteRevision', name })),
    ],
  };
}

/** The revision that has to be stored: when there is none, or when it was written by an older version. */
function newRevision(
  vm: VirtualMachine,
  field: MatcherField,
  kept: string | undefined,
  find: Find,
): ControllerRevision | undefined {
  const matcher = vm.spec[field]!;
  const { namespace } = vm.metadata;
  if (!kept) {
    const kind = kindOf(field, matcher)!;
    const object = find(kind, kind.includes('Cluster') ? undefined : namespace, matcher.name ?? '');
    return object && revisionOf(vm, object as KubeObject as Instancetype | Preference);
  }
  const revision = find('ControllerRevision', namespace, kept);
  // the user's own revision stays as the user made it
  if (!revision || isCurrent(revision) || matcher.revisionName) return undefined;
  const upgraded = upgradedRevision(vm, revision, field);
  return typeof upgraded === 'string' ? undefined : upgraded;
}

function expanded(seen: Observed, find: Find): Sizing {
  const { vm } = seen;
  const { vm: whole } = expandVirtualMachine(vm, { config: seen.config, find });
  const kept = fields.flatMap((field) => keptRevision(vm, field) ?? []);
  return {
    vm: whole,
    find,
    effects: [
      { do: 'expand', template: whole.spec.template },
      ...kept.map((name): Effect => ({ do: 'deleteRevision', name })),
    ],
    isOver: true,
  };
}

function isSame(a: unknown, b: unknown): boolean {
  const stable = (value: unknown): string =>
    JSON.stringify(value && typeof value === 'object' ? Object.entries(value).sort() : (value ?? null));
  return stable(a) === stable(b);
}
