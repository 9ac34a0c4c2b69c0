import type { CodeFinding } from '../../api/findings';
import { root } from '../../api/findings';
import { nearest } from '../../api/admission/rule';
import type { CustomizeComponentsPatch } from '../../api/generated/kubevirt-v1';
import { patchableKinds } from '../../api/install/kinds';

/** Object that the platform installs. */
interface Installed {
  readonly kind: string;
  readonly name: string;
}

/** Reports patches of objects that the platform does not install. A kind that it never installs is reported elsewhere. */
export function missingTargets(
  patches: readonly CustomizeComponentsPatch[],
  installed: readonly Installed[],
  subject: string,
): CodeFinding[] {
  return patches.flatMap(({ resourceType, resourceName: value }, i) => {
    const isKind = (kind: string): boolean => kind.toLowerCase() === resourceType.toLowerCase();
    const allowed = installed.filter(({ kind }) => isKind(kind)).map(({ name }) => name);
    if (!patchableKinds.some(isKind) || value === '*' || allowed.includes(value)) return [];
    const path = root.at('spec', 'customizeComponents', 'patches', i, 'resourceName');
    const property = `customizeComponents.patches[${i}]`;
    const cause = `the platform installs no ${resourceType} "${value}"`;
    const remedy = nearest(value, allowed);
    return [{ rule: 'component-target', path, value, allowed, cause, remedy, subject, property } as const];
  });
}
