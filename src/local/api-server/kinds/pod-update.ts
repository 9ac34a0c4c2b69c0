import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { goDiff } from './go-diff';
import { internalForm } from './internal-form';
import { validatePodSpec, validateTolerations } from './pod-validation';

type Spec = AnyObject['spec'];

/** Message about the mutable fields of a Pod's spec. */
const MUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const MAX_INT = 2_147_483_647;
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

interface Container {
  image?: string;
}

/**
 * Validates an update of a Pod's spec: only images, an earlier deadline, more tolerations and fewer scheduling gates are
 * allowed. A gated Pod may also get more requirements of its node.
 */
export function validatePodUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  const [spec, before]: [Spec, Spec] = [next.spec ?? {}, old.spec ?? {}];
  validatePodSpec(spec, at);
  for (const list of ['containers', 'initContainers'] as const) {
    const now: Container[] = spec[list] ?? [];
    if (now.length !== (before[list] ?? []).length) {
      at.child(list).forbidden('pod updates may not add or remove containers');
      return;
    }
    now.forEach(({ image = '' }, i) => validateImage(image, at.child(list).index(i).child('image')));
  }
  if (!validateDeadline(spec.activeDeadlineSeconds, before.activeDeadlineSeconds, at.child('activeDeadlineSeconds'))) {
    return;
  }
  validateAdded(spec.tolerations ?? [], before.tolerations ?? [], at.child('tolerations'));
  validateGates(spec.schedulingGates ?? [], before.schedulingGates ?? [], at.child('schedulingGates'));
  if (deepEqual(spec, before)) return;
  const rest = withoutMutable(spec, before);
  if (before.schedulingGates?.length) validateGated(rest, before, at);
  if (!deepEqual(rest, before)) at.forbidden(`${MUTABLE}\n${goDiff(before, rest, 'PodSpec')}`);
}

function validateImage(image: string, at: Fields): void {
  if (!image) at.required();
  if (image.trim().length !== image.length) at.invalid(image, 'must not have leading or trailing whitespace');
}

/** Returns whether further fields are validated. */
function validateDeadline(now: number | undefined, before: number | undefined, at: Fields): boolean {
  if (now === undefined) {
    if (before !== undefined) at.invalid(null, 'must not update from a positive integer to nil value');
    return true;
  }
  if (now < 0 || now > MAX_INT) at.invalid(now, `must be between 0 and ${MAX_INT}, inclusive`);
  else if (before !== undefined && before < now) at.invalid(now, 'must be less than or equal to previous value');
  else return true;
  return false;
}

/** Tolerations can be added, and their times change. */
function validateAdded(now: Spec[], before: Spec[], at: Fields): void {
  const untimed = ({ tolerationSeconds: _, ...toleration }: Spec): Spec => toleration;
  const kept = before.every((toleration) => now.some((item) => deepEqual(untimed(item), untimed(toleration))));
  if (kept) validateTolerations(now, at);
  else at.forbidden('existing toleration can not be modified except its tolerationSeconds');
}

function validateGates(now: { name: string }[], before: { name: string }[], at: Fields): void {
  now.forEach(({ name }, i) => {
    if (before.some((gate) => gate.name === name)) return;
    at.index(i).child('name').forbidden(`only deletion is allowed, but found new scheduling gate '${name}'`);
  });
}

/** New spec with the mutable fields of the old one. */
function withoutMutable(next: Spec, old: Spec): Spec {
  const spec = clone(next);
  for (const list of ['containers', 'initContainers']) {
    (spec[list] ?? []).forEach((container: Container, i: number) => (container.image = old[list][i].image));
  }
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) restore(spec, old, field);
  if (old.terminationGracePeriodSeconds < 0 && spec.terminationGracePeriodSeconds === 1) {
    restore(spec, old, 'terminationGracePeriodSeconds');
  }
  return spec;
}

function restore(spec: Spec, old: Spec, field: string): void {
  if (old[field] === undefined) delete spec[field];
  else spec[field] = old[field] as unknown;
}

/** Requirements of the node of a gated Pod, which may become stricter. Restores them in `spec`. */
function validateGated(spec: Spec, old: Spec, at: Fields): void {
  const selector: Record<string, string> = spec.nodeSelector ?? {};
  const kept = Object.entries((old.nodeSelector ?? {}) as Record<string, string>).every(
    ([key, value]) => selector[key] === value,
  );
  if (!kept) {
    const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    at.child('nodeSelector').invalid(spec.nodeSelector ?? null, why);
  }
  restore(spec, old, 'nodeSelector');
  const [affinity, before] = [spec.affinity?.nodeAffinity as Spec, old.affinity?.nodeAffinity as Spec];
  if (deepEqual(affinity, before)) return;
  validateTerms(affinity, before, at.child('affinity', 'nodeAffinity', REQUIRED, 'nodeSelectorTerms'));
  const { nodeAffinity: _, ...others } = (spec.affinity ?? {}) as Spec;
  if (before) spec.affinity = { ...others, nodeAffinity: before };
  else if (old.affinity === undefined && !Object.keys(others).length) delete spec.affinity;
  else spec.affinity = others;
}

function validateTerms(affinity: Spec | undefined, before: Spec | undefined, at: Fields): void {
  const [now, old]: Spec[][] = [affinity, before].map((item) => item?.[REQUIRED]?.nodeSelectorTerms ?? []);
  if (!old.length) return;
  const shown = (term: Spec): unknown => internalForm(term, 'NodeSelectorTerm');
  if (old.length !== now.length) {
    at.invalid(
      now.length ? now.map(shown) : null,
      'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
    );
    return;
  }
  old.forEach((term, i) => {
    const lists = ['matchExpressions', 'matchFields'];
    const empty = lists.every((list) => !term[list]?.length);
    const stricter = lists.every((list) => {
      const had: unknown[] = term[list] ?? [];
      const has: unknown[] = now[i][list] ?? [];
      return empty ? !has.length : deepEqual(has.slice(0, had.length), had);
    });
    if (!stricter) at.index(i).invalid(shown(now[i]), 'only additions are allowed (no mutations or deletions)');
  });
}
