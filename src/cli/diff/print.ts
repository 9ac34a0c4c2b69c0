/** Formats differences as text. Pure. */
import type { Impact } from '../../api/live-update';
import type { FieldChange, ObjectDiff } from './compare';
import { lineDiff } from './lines';

/** Longest value on one line of a terminal. */
const MAX_VALUE = 100;

const SIGN: Record<ObjectDiff['action'], string> = { create: '+', change: '~', delete: '-' };

/**
 * One object:
 *
 *     ~ VirtualMachine shop/web
 *         spec.template.spec.domain.cpu.sockets: 1 → 2  [migration: CPUs are plugged]
 */
export function formatDiff({ action, kind, namespace, name, changes, refused }: ObjectDiff): string {
  const head = `${SIGN[action]} ${kind} ${namespace ? `${namespace}/` : ''}${name}`;
  return [clean(head), ...changes.flatMap(formatChange), ...refused.map((text) => `    rejected: ${clean(text)}`)].join(
    '\n',
  );
}

function formatChange({ path, before, after, isOrder, impact }: FieldChange): string[] {
  const where = `    ${clean(path)}${isOrder ? ' (order)' : ''}: `;
  const effect = impact ? `  [${formatImpact(impact)}]` : '';
  const isLong = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  if (!isLong) {
    const values = [before, after].map((value) => (value === undefined ? undefined : formatValue(value)));
    const [one, two] = values;
    if (one === undefined) return [`${where}+ ${two}${effect}`];
    if (two === undefined) return [`${where}- ${one}${effect}`];
    return [`${where}${one} → ${two}${effect}`];
  }
  const lines = lineDiff(textOf(before), textOf(after));
  return [
    `${where.trimEnd()}${effect}`,
    ...lines.map(({ sign, text }) => `      ${sign} ${shortened(text)}`.trimEnd()),
  ];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : formatValue(value);

function formatImpact({ effect, why, ours }: Impact): string {
  return `${effect}: ${why}${ours ? `; virt8s' own runtime: ${ours}` : ''}`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') {
    return /^\(\w+\)$/.test(value) || /^[\w./:@%+-]+$/.test(value) ? value : shortened(JSON.stringify(value));
  }
  return shortened(JSON.stringify(value) ?? String(value));
}

const shortened = (text: string): string => clean(text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text);

/** Removes the control characters of a terminal. */
const clean = (text: string): string => text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, '?');

/** Summary line: `3 objects: 1 created, 1 changed, 1 the same; 1 VM needs a restart`. */
export function formatSummary(diffs: readonly ObjectDiff[], objects: number): string {
  const count = (action: ObjectDiff['action']): number => diffs.filter((diff) => diff.action === action).length;
  const [created, changed, deleted] = [count('create'), count('change'), count('delete')];
  const parts = [
    [created, 'created'],
    [changed, 'changed'],
    [deleted, 'deleted'],
    [objects - created - changed, 'the same'],
  ] as const;
  const effects = (['restart', 'migration'] as const).flatMap((effect) => {
    const number = diffs.filter((diff) => diff.effect === effect).length;
    return number > 0 ? [`${number} ${number === 1 ? 'needs' : 'need'} a ${effect}`] : [];
  });
  const refused = diffs.filter((diff) => diff.refused.length > 0).length;
  return [
    parts
      .filter(([number]) => number > 0)
      .map(([number, what]) => `${number} ${what}`)
      .join(', ') || 'nothing to compare',
    ...effects,
    ...(refused > 0 ? [`${refused} would be rejected`] : []),
  ].join('; ');
}
