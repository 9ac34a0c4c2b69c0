import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './send';

export interface Differences {
  /** Whether code or reason differ. */
  readonly status: boolean;
  /** One line for each difference: `theirs` before `ours`. */
  readonly lines: readonly string[];
}

/** Compares two answers. */
export function differences(theirs: Answer, ours: Answer): Differences {
  const status = theirs.code !== ours.code || reasonOf(theirs) !== reasonOf(ours);
  const lines: string[] = [];
  if (theirs.code !== ours.code) {
    lines.push(`code: ${theirs.code} ${messageOf(theirs)} | ${ours.code} ${messageOf(ours)}`);
  } else compare(theirs.body, ours.body, '', lines);
  if (!isDeepStrictEqual([...theirs.warnings].sort(), [...ours.warnings].sort())) {
    lines.push(`warnings: ${JSON.stringify(theirs.warnings)} | ${JSON.stringify(ours.warnings)}`);
  }
  return { status, lines };
}

const fieldOf = (answer: Answer, field: string): unknown => (answer.body as Record<string, unknown> | null)?.[field];
const reasonOf = (answer: Answer): unknown => (answer.code >= 400 ? fieldOf(answer, 'reason') : undefined);
const messageOf = (answer: Answer): string => short(fieldOf(answer, 'message'));

function compare(theirs: unknown, ours: unknown, path: string, lines: string[]): void {
  if (isDeepStrictEqual(theirs, ours)) return;
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isObject(theirs) || !isObject(ours) || Array.isArray(theirs) !== Array.isArray(ours)) {
    lines.push(`${path || 'body'}: ${short(theirs)} | ${short(ours)}`);
    return;
  }
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    compare(theirs[key], ours[key], path ? `${path}.${key}` : key, lines);
  }
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 400);
