/** Findings -> JSON. Pure. */
import { brief } from '../../api';
import type { Checked, LocatedFinding } from './check';

/** A file and what was found in it. */
export interface CheckedFile {
  readonly file: string;
  /** Why it could not be read. */
  readonly unreadable?: string;
  readonly checked: readonly Checked[];
}

/** The findings of all files, by file and object. */
export function jsonOf(files: readonly CheckedFile[]): string {
  const objects = files.map(({ file, unreadable, checked }) => ({
    file,
    unreadable,
    objects: checked.map((object) => ({ ...object, findings: object.findings.map(plain) })),
  }));
  return JSON.stringify(objects, null, 2);
}

/** Without the value, which may be a secret; the place in the source shows it. */
const plain = ({ at, path, cause, remedy, allowed, rule, severity }: LocatedFinding) => ({
  at,
  field: `${path}`,
  message: brief(cause),
  remedy,
  ...(allowed?.length ? { allowed } : {}),
  rule,
  severity,
});
