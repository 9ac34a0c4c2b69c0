/** Result of a case. */
export interface Result {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  /** Error, or the reason why it was skipped. */
  readonly detail?: string;
}

/** Returns a page with the results. */
export function reportOf(cluster: Readonly<Record<string, string>>, results: readonly Result[]): string {
  const count = (outcome: Result['outcome']): number => results.filter((each) => each.outcome === outcome).length;
  const cell = (text: string): string => text.split('\n', 1)[0]!.replaceAll('|', '\\|');
  return [
    ...Object.entries(cluster).map(([name, value]) => `- ${name}: ${value}`),
    `- cases: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
    '',
    '| case | result | seconds |',
    '|---|---|---|',
    ...results.map(
      ({ name, outcome, seconds, detail }) =>
        `| ${cell(name)} | ${outcome}${detail ? `: ${cell(detail)}` : ''} | ${seconds.toFixed(1)} |`,
    ),
    '',
  ].join('\n');
}
