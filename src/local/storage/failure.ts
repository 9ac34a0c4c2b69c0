import { errorText } from '../../api/error-text';

const REMEDIES: readonly [RegExp, string][] = [
  [/No space left|ENOSPC|Disk quota|EDQUOT/, 'free space on this machine; it is tried again'],
  [
    /Permission denied to resize/,
    'this engine may not enlarge a mounted file system, because it lacks the capability SYS_RESOURCE; the claim grows when the engine starts again (virt8s down --keep, then virt8s up)',
  ],
];
const LONGEST = 500;

/** Cause and remedy of a failed action on the files of a volume, for the event of its claim. Pure. */
export function failureText(error: unknown): string {
  const cause = errorText(error).trim();
  const [, remedy = 'it is tried again'] = REMEDIES.find(([pattern]) => pattern.test(cause)) ?? [];
  return `${cause.length > LONGEST ? `…${cause.slice(-LONGEST)}` : cause}; ${remedy}`;
}
