import { issueAt } from './check';

const OPERANDS =
  "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

/** A syntax error of the library in the words of Kubernetes' compiler, as far as it can be known. */
export function syntaxIssue(expression: string, error: Error): string {
  const { range, summary = '' } = error as Error & { range?: { start: number; end: number }; summary?: string };
  const start = Math.min(range?.start ?? expression.length, expression.length);
  const report = (position: number, message: string) => issueAt(expression, position, `Syntax error: ${message}`);
  if (summary.includes('iteration variable')) return issueAt(expression, start, 'argument must be a simple name');
  if (start >= expression.trimEnd().length) {
    if (/\.\s*$/.test(expression)) return report(expression.length, "no viable alternative at input '.'");
    const depth = [...expression].reduce((n, char) => n + (char === '(' ? 1 : char === ')' ? -1 : 0), 0);
    if (depth > 0 && /[\w)\]}"']\s*$/.test(expression)) return report(expression.length, "missing ')' at '<EOF>'");
    if (/\[\s*$/.test(expression))
      return report(
        expression.length,
        `mismatched input '<EOF>' expecting {${OPERANDS.replace("'!', ", "'!', '?', ")}}`,
      );
    const open = /\(\s*$/.test(expression);
    return report(
      expression.length,
      `mismatched input '<EOF>' expecting {${open ? OPERANDS.replace("'(', ", "'(', ')', ") : OPERANDS}}`,
    );
  }
  const [token = ''] = /^(\w+|\S)/.exec(expression.slice(start)) ?? [];
  if (start === 0) return report(0, `extraneous input '${token}' expecting {${OPERANDS}}`);
  return report(start, `extraneous input '${token}' expecting <EOF>`);
}
