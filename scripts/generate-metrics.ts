import { metricTable } from '../src/api/metrics';
import type { Metric } from '../src/api/metrics';
import { ruleGroups } from '../src/constructs/platform/rules';
import { settle } from './generated-files';

/** Writes docs/reference/metrics.md: the metrics, recording rules and alerts of the platform. */

const PROGRAMS: readonly (readonly [Metric['program'], string])[] = [
  ['virt-handler', 'Guests, and virt-handler itself'],
  ['virt-controller', 'VMs, instances and snapshots, and virt-controller itself'],
  ['virt-api', 'virt-api'],
  ['virt-operator', 'virt-operator'],
  ['all', 'All programs'],
];

/** A cell of a table must not contain its separator. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const code = (text: string): string => `\`${text}\``;

function metricsOf(program: Metric['program']): string[] {
  return Object.entries(metricTable)
    .filter(([, metric]) => metric.program === program)
    .map(([name, { type, labels, help, withoutData }]) => {
      const note = withoutData === undefined ? '' : ` No data: ${withoutData}.`;
      return `| ${code(name)} | ${type} | ${labels.map(code).join(', ')} | ${cell(help + note)} |`;
    });
}

function page(): string {
  const rules = ruleGroups({ namespace: 'kubevirt', useEmulation: false }).flatMap((group) => group.rules);
  const records = rules.flatMap((rule) => ('record' in rule ? [rule] : []));
  const alerts = rules.flatMap((rule) => ('alert' in rule ? [rule] : []));
  return [
    '<!-- Generated from src/api/metrics by scripts/generate-metrics.ts; edit those files. -->',
    '',
    '# Metrics',
    '',
    'Names, types and labels of the metrics are those of KubeVirt. [Monitoring](../guides/platform.md#monitoring) describes how',
    'Prometheus gets them. A label without a value is left out.',
    '',
    ...PROGRAMS.flatMap(([program, title]) => [
      `## ${title}`,
      '',
      '| Metric | Type | Labels | Meaning |',
      '|---|---|---|---|',
      ...metricsOf(program),
      '',
    ]),
    '## Recording rules',
    '',
    'The platform is in the namespace `kubevirt` here.',
    '',
    '| Rule | Expression |',
    '|---|---|',
    ...records.map(({ record, expr }) => `| ${code(record)} | ${code(expr.replaceAll('|', '\\|'))} |`),
    '',
    '## Alerts',
    '',
    '| Alert | Severity | Fires after | Meaning |',
    '|---|---|---|---|',
    ...alerts.map(({ alert, labels, annotations, ...rule }) =>
      [
        '',
        ` [${alert}](../runbooks/${alert}.md) `,
        ` ${labels.severity} `,
        ` ${rule.for ?? ''} `,
        ` ${cell(annotations.summary)} `,
        '',
      ].join('|'),
    ),
    '',
  ].join('\n');
}

settle(new Map([['docs/reference/metrics.md', page()]]));
