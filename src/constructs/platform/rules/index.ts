import { guestAlerts } from './guest-alerts';
import { nodeAlerts } from './node-alerts';
import { programAlerts } from './program-alerts';
import { recordingRules } from './recording';
import { alertRule } from './rule';
import type { AlertRule, RecordingRule, Watched } from './rule';

export type { Watched } from './rule';

/** Group of rules, which Prometheus evaluates one after the other. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: (AlertRule | RecordingRule)[];
}

/** Returns the rules for an installation. Alerts refer to recording rules, which are evaluated before them. */
export function ruleGroups(watched: Watched): RuleGroup[] {
  const { namespace } = watched;
  return [
    {
      name: 'kubevirt',
      rules: [
        ...recordingRules(namespace),
        ...[...nodeAlerts(watched), ...programAlerts(watched)].map((alert) => alertRule(alert, namespace)),
        ...guestAlerts().map((alert) => alertRule(alert)),
      ],
    },
  ];
}
