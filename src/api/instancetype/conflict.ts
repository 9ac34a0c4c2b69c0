import type { Finding, Path } from '../findings';

/**
 * A field of the VM that its instance type decides too.
 *
 * @param field KubeVirt's name for it, where that is another one
 */
export function conflictAt(path: Path, field = `${path}`): Finding {
  return {
    rule: 'instancetype-conflict',
    type: 'FieldValueInvalid',
    path,
    ...(field === `${path}` ? {} : { field }),
    cause: `VM field(s) ${field} conflicts with selected instance type`,
    remedy: 'remove the field from the VM, or choose an instance type that leaves it open',
  };
}

/** Text for a condition or event: every field at once. */
export function conflictList(conflicts: readonly Finding[]): string {
  return conflicts.map(({ path, field }) => field ?? `${path}`).join(', ');
}
