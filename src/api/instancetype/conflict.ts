import type { FieldError, Path } from '../field-error';

/**
 * A field of the VM that its instance type decides too.
 *
 * @param field KubeVirt's name for it, where that is another one
 */
export function conflictAt(path: Path, field = `${path}`): FieldError {
  return {
    rule: 'instancetype-conflict',
    type: 'FieldValueInvalid',
    path,
    ...(field === `${path}` ? {} : { field }),
    message: `VM field(s) ${field} conflicts with selected instance type`,
    remedy: 'remove the field from the VM, or choose an instance type that leaves it open',
  };
}

/** Text for a condition or event: every field at once. */
export function conflictList(conflicts: readonly FieldError[]): string {
  return conflicts.map(({ path, field }) => field ?? `${path}`).join(', ');
}
