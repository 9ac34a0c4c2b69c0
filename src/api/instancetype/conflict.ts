import type { Finding, Path } from '../findings';

/** Details of a conflict. */
interface Conflict {
  /** KubeVirt's name of the field, where that differs. */
  readonly field?: string;
  /** Part of the size that the field sets, if every instance type sets it. */
  readonly always?: 'CPUs' | 'memory';
}

/** Reports a field of the VM that its instance type also sets. */
export function conflictAt(path: Path, { field = `${path}`, always }: Conflict = {}): Finding {
  return {
    rule: 'instancetype-conflict',
    type: 'FieldValueInvalid',
    path,
    ...(field === `${path}` ? {} : { field }),
    cause: `VM field(s) ${field} conflicts with selected instance type`,
    remedy: always
      ? `remove the field from the VM: every instance type sets the ${always}, so choose one with enough`
      : 'remove the field from the VM, or choose an instance type that does not set it',
  };
}

/** Returns all fields as text for a condition or event. */
export function conflictList(conflicts: readonly Finding[]): string {
  return conflicts.map(({ path, field }) => field ?? `${path}`).join(', ');
}
