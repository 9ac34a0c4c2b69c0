import type { Finding, Path } from '../findings';

/**
 * Reports a field of the VM that its instance type also sets.
 *
 * @param field KubeVirt's name of the field, where that differs
 */
export function conflictAt(path: Path, field = `${path}`): Finding {
  return {
    rule: 'instancetype-conflict',
    type: 'FieldValueInvalid',
    path,
    ...(field === `${path}` ? {} : { field }),
    cause: `VM field(s) ${field} conflicts with selected instance type`,
    remedy: 'remove the field from the VM, or choose an instance type that does not set it',
  };
}

/** Returns all fields as text for a condition or event. */
export function conflictList(conflicts: readonly Finding[]): string {
  return conflicts.map(({ path, field }) => field ?? `${path}`).join(', ');
}
