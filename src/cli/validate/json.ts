/** Formats findings as JSON. Pure. */
import { brief } from '../../api';
import type { Checked, LocatedFinding } from './check';

/** File with the results of its documents. */
export interface CheckedFile {
  readonly file: string;
  /** Reason why the file could not be read. */
  readonly unreadable?: string;
  readonly checked: readonly Checked[];
}

/** Returns the findings of all files, by file and object. */
export function jsonOf(files: readonly CheckedFile[]): string {
  const objects = files.map(({ file, unreadable, checked }) => ({
    file,
    unreadable,
    objects: checked.map((object) => ({ ...object, findings: object.findings.map(plain) })),
  }));
  return JSON.stringify(objects, null, 2);
}

/** Leaves out the value, which may be a secret; the position in the source shows where it is. */
const plain = ({ at, path, cause, remedy, allowed, rule, severity }: LocatedFinding) => ({
  at,
  field: `${path}`,
  message: brief(cause),
  remedy,
  ...(allowed?.length ? { allowed } : {}),
  rule,
  severity,
});
