import { AnyObject, clone, deepEqual } from '../types';
import { Fields } from '../validation/fields';
import { validatePodSpec } from './pod-validation';

/** Message about the mutable fields of a Pod's spec. */
const MUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

interface Container {
  image?: string;
}

/** Validates an update of a Pod's spec: only images, an earlier deadline, more tolerations and fewer scheduling gates are allowed. */
export function validatePodUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  for (const list of ['containers', 'initContainers'] as const) {
    const now: Container[] = next.spec?.[list] ?? [];
    const before: Container[] = old.spec?.[list] ?? [];
    if (now.length !== before.length) {
      at.child(list).forbidden('pod updates may not add or remove containers');
      return;
    }
    now.forEach(({ image }, i) => {
      if (!image) at.child(list).index(i).child('image').required();
    });
  }
  validateDeadline(next, old, at);
  const before: unknown[] = old.spec?.tolerations ?? [];
  const now: unknown[] = next.spec?.tolerations ?? [];
  if (before.some((toleration) => !now.some((item) => deepEqual(item, toleration)))) {
    at.child('tolerations').forbidden('existing toleration can not be modified except its tolerationSeconds');
  }
  if (!deepEqual(withoutMutable(next, old), old.spec)) {
    at.forbidden(MUTABLE);
    return;
  }
  validatePodSpec(next.spec, at);
}

function validateDeadline(next: AnyObject, old: AnyObject, at: Fields): void {
  const before: number | undefined = old.spec?.activeDeadlineSeconds;
  const now: number | undefined = next.spec?.activeDeadlineSeconds;
  if (now === before || before === undefined) return;
  if (now === undefined)
    at.child('activeDeadlineSeconds').invalid(null, 'must not update from a positive integer to nil value');
  else if (now > before) {
    at.child('activeDeadlineSeconds').invalid(now, `must be less than or equal to previous value`);
  }
}

/** New spec with the mutable fields of the old one. */
function withoutMutable(next: AnyObject, old: AnyObject): unknown {
  const spec = clone(next.spec);
  for (const list of ['containers', 'initContainers']) {
    (spec[list] ?? []).forEach((container: Container, i: number) => (container.image = old.spec[list][i].image));
  }
  restore(spec, old.spec, 'activeDeadlineSeconds');
  restore(spec, old.spec, 'tolerations');
  const gates: { name: string }[] = old.spec.schedulingGates ?? [];
  const kept: { name: string }[] = spec.schedulingGates ?? [];
  if (kept.every(({ name }) => gates.some((gate) => gate.name === name))) restore(spec, old.spec, 'schedulingGates');
  if (old.spec.terminationGracePeriodSeconds < 0) restore(spec, old.spec, 'terminationGracePeriodSeconds');
  return spec;
}

function restore(spec: Record<string, unknown>, old: Record<string, unknown>, field: string): void {
  if (old[field] === undefined) delete spec[field];
  else spec[field] = old[field];
}
