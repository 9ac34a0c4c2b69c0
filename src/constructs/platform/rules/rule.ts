/** Rule that records the result of an expression under a new name. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: { readonly [label: string]: string };
}

/** Rule that fires an alert while its expression has a result. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: Severity; readonly [label: string]: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}

export type Severity = 'critical' | 'warning' | 'info';

/** Installation to monitor. */
export interface Watched {
  readonly namespace: string;
  readonly useEmulation: boolean;
}

/** An alert without the parts that all alerts have in common. */
export interface Alert {
  readonly name: string;
  readonly severity: Severity;
  /** Consequence for the platform, if it differs from the severity. */
  readonly impact?: Severity | 'none';
  /** Minutes for which the expression must have a result. Default: none. */
  readonly minutes?: number;
  readonly expr: string;
  readonly summary: string;
  /** Consequence, and what to examine. */
  readonly description: string;
}

/** Folder with a page for each alert. */
const RUNBOOKS = 'https://github.com/virt8s/virt8s/blob/main/docs/runbooks';

/** Adds the parts that all alerts have in common. Alerts about the platform itself have its namespace. */
export function alertRule({ name, severity, minutes, expr, summary, ...alert }: Alert, namespace?: string): AlertRule {
  return {
    alert: name,
    expr,
    ...(minutes !== undefined && { for: `${minutes}m` }),
    labels: {
      severity,
      operator_health_impact: alert.impact ?? severity,
      kubernetes_operator_part_of: 'kubevirt',
      kubernetes_operator_component: 'kubevirt',
      ...(namespace !== undefined && { namespace }),
    },
    annotations: { summary, description: alert.description, runbook_url: `${RUNBOOKS}/${name}.md` },
  };
}

/** Selects the series of a program's Pods. */
export const podsOf = (namespace: string, program: string): string =>
  `namespace="${namespace}",pod=~"virt-${program}-.*"`;
