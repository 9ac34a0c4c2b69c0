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

/** Result of resolving the VM's instance type and preference. */
export interface Sizing {
  /** The VM after the effects are applied. */
  readonly vm: VirtualMachine;
  /** Looks up instance type and preference, including the revisions that the effects store. */
  readonly find: Find;
  readonly effects: readonly Effect[];
  /** Reason why the VM cannot start. */
  readonly problem?: Problem;
  /** Whether the effects change the VM so much that the next pass has to decide again. */
  readonly mustDecideAgain?: boolean;
}

const fields: readonly MatcherField[] = ['instancetype', 'preference'];
const refNames = { instancetype: 'instancetypeRef', preference: 'preferenceRef' } as const;

/** Whether instance type or preference must be read. They need not be if the guest runs and both are kept in revisions. */
export function needsReferences(vm: VirtualMachine, willStart: boolean): boolean {
  return fields.some((field) => {
    if (!vm.spec[field]) return false;
    return willStart || !isSame(statusRefOf(vm, field), vm.status?.[refNames[field]]) || !keptRevision(vm, field);
  });
}

/** Stores instance type and preference as revisions or, by the cluster's policy, writes them into the VM. Pure. */
export function sizingOf(seen: Observed): Sizing {
  const { vm, references } = seen;
  if (!fields.some((field) => vm.spec[field])) return withoutReferences(vm);
  const none: Find = () => undefined;
  // nothing had to be read, so nothing has changed
  if (!references) return { vm, find: none, effects: [] };
  const { errors, problems } = expandInstance(vm, { find: references });
  const idle: Sizing = { vm, find: references, effects: [] };
  if (problems.length > 0) return { ...idle, problem: missingReference(problems[0], vm, seen.now) };
  if (errors.length > 0) {
    const [first] = errors;
    const all = errors.length > 1 ? ` (${conflictList(errors)})` : '';
    return {
      ...idle,
      problem: { reason: reasons.failedCreate, message: `${describe(first)}${all}`, retryMs: RETRY_MS },
    };
  }
  const policy = seen.config.instancetypeReferencePolicy;
  const hasRevision = fields.some((field) => keptRevision(vm, field));
  if (policy === 'reference') return withRevisions(vm, references);
  return !seen.vmi && (policy === 'expandAll' || !hasRevision) ? withTemplate(seen, references) : idle;
}

const RETRY_MS = 10_000;

/** A missing object may be created later: the retry comes after a quarter of the time that it has been missing. */
function missingReference(problem: FindProblem, { status }: VirtualMachine, now: number): Problem {
  const reason = problem.of === 'instancetype' ? reasons.failedFindInstancetype : reasons.failedFindPreference;
  const reported = findCondition(status?.conditions, 'Failure');
  const missingMs = reported?.reason === reason ? sinceMs(reported.lastTransitionTime ?? undefined, now) : 0;
  return { reason, message: describe(problem), retryMs: Math.min(Math.max(missingMs / 4, 2000), 60_000) };
}

/** Removes the references from the status when the VM no longer has any. */
function withoutReferences(vm: VirtualMachine): Sizing {
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

function withRevisions(vm: VirtualMachine, references: Find): Sizing {
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

/** The revision to store: if there is none yet, or if an older version of the API wrote it. */
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
  // a revision that the user chose stays unchanged
  if (!revision || isCurrent(revision) || matcher.revisionName) return undefined;
  const upgraded = upgradedRevision(vm, revision, field);
  return typeof upgraded === 'string' ? undefined : upgraded;
}

function withTemplate(seen: Observed, find: Find): Sizing {
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
    mustDecideAgain: true,
  };
}

function isSame(a: unknown, b: unknown): boolean {
  const stable = (value: unknown): string =>
    JSON.stringify(value && typeof value === 'object' ? Object.entries(value).sort() : (value ?? null));
  return stable(a) === stable(b);
}
