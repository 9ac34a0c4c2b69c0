/** Formats findings as text. Pure. */
import { remedyOf, statementOf, whereOf } from '../../api';
import { HIDDEN, veiledLines } from '../diff/secrets';
import type { LocatedFinding } from './check';

/** Maximum length of a printed line: terminals are narrow, and a line of a manifest may have a megabyte. */
const MAX_LINE = 120;

/**
 * Formats one finding with its line of the source:
 *
 *     vm.yaml:12:17: spec.domain.devices.disks[0].name: "roott" has no volume (allowed: "root")
 *        12 |         - name: roott
 *           |           ^
 *           = did you mean "root"? [disk-has-volume]
 */
export function formatLocated(file: string, finding: LocatedFinding, lines: readonly string[]): string {
  const { at, rule, severity } = finding;
  const [field, remedy] = [whereOf(finding), remedyOf(finding)];
  const where = `${file}:${at.line}:${at.column}: ${severity === 'warning' ? 'warning: ' : ''}${field ? `${field}: ` : ''}`;
  const number = String(at.line).padStart(6);
  const gutter = ' '.repeat(number.length);
  const { text, column } = excerpt(shown(lines)[at.line - 1] ?? '', at.column);
  return [
    `${where}${statementOf(finding)}`,
    ...(severity === 'error' ? [`${number} | ${text}`, `${gutter} | ${' '.repeat(Math.max(0, column - 1))}^`] : []),
    ...(remedy ? [`${gutter} = ${remedy} [${rule}]`] : []),
  ].join('\n');
}

const veils = new WeakMap<readonly string[], readonly string[]>();

/** Returns the lines of a file without secrets, because the output may be kept in the logs of a pipeline. */
function shown(lines: readonly string[]): readonly string[] {
  let veiled = veils.get(lines);
  if (!veiled) {
    const documents: string[][] = [[]];
    for (const line of lines) {
      if (/^---(\s|$)/.test(line)) documents.push([]);
      documents[documents.length - 1].push(line);
    }
    veiled = documents.flatMap((document) => {
      const isSecret = document.some((line) => /^["']?kind["']?\s*:\s*["']?Secret\b/.test(line));
      return isSecret ? document.map((line) => coveredValue(line)) : veiledLines(document, HIDDEN);
    });
    veils.set(lines, veiled);
  }
  return veiled;
}

/** Returns a line of a Secret with only its key. */
function coveredValue(line: string): string {
  const key = /^\s*[\w."'/-]{1,300}\s*:(\s+|$)/.exec(line)?.[0] ?? /^\s*/.exec(line)![0];
  return line.slice(key.length).trim() === '' ? line : `${key}${HIDDEN}`;
}

/** Returns the part of a line around a column, and the column's position in it. */
function excerpt(line: string, column: number): { text: string; column: number } {
  const text = line.replace(/\r$/, '').replace(/\t/g, ' ');
  if (text.length <= MAX_LINE) return { text, column: Math.min(column, text.length + 1) };
  const from = Math.max(0, Math.min(column - 20, text.length - MAX_LINE));
  const head = from > 0 ? '…' : '';
  return { text: `${head}${text.slice(from, from + MAX_LINE)}…`, column: column - from + head.length };
}
