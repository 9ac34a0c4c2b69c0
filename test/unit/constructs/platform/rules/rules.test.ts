import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricTable } from '../../../../../src/api/metrics';
import { ruleGroups } from '../../../../../src/constructs/platform/rules';
import { ALERT_CASES } from './cases';
import { HEALTHY } from './healthy';
import { checkRules, installation, testRules } from './promtool';

const rules = ruleGroups(installation).flatMap((group) => group.rules);
const alerts = rules.flatMap((rule) => ('alert' in rule ? [rule] : []));
const records = rules.flatMap((rule) => ('record' in rule ? [rule] : []));
const runbooks = join(__dirname, '../../../../../docs/runbooks');

test.each([false, true])('promtool accepts the rules (emulation: %p)', (useEmulation) =>
  expect(checkRules({ namespace: 'kubevirt', useEmulation })).toBeUndefined(),
);

const noAlert = [{ at: '2h', expr: 'ALERTS{alertstate="firing"}', want: [] }];

test('a healthy platform fires no alert', () =>
  expect(testRules({ series: HEALTHY, checks: noAlert })).toBeUndefined());

test('no alert claims that programs are down where kube-state-metrics is missing', () => {
  const series = Object.fromEntries(Object.entries(HEALTHY).filter(([name]) => !name.startsWith('kube_')));
  expect(testRules({ series, checks: noAlert })).toBeUndefined();
});

test.each(ALERT_CASES.map((each) => [each.alert, Object.keys(each.series)[0]!, each] as const))(
  '%s fires because of %s',
  (alert, _, { series, at, before, interval, labels = '' }) => {
    const firing = `alertname="${alert}",alertstate="firing"${labels && `,${labels}`}`;
    const expr = `count(ALERTS{${firing}}) or vector(0)`;
    const check = (time: string, value: number) => ({ at: time, expr, want: [{ labels: '{}', value }] });
    const checks = [check(at, 1), ...(before === undefined ? [] : [check(before, 0)])];
    expect(testRules({ series: { ...HEALTHY, ...series }, interval, checks })).toBeUndefined();
  },
);

test('each alert has a case that fires it', () => {
  const tested = new Set(ALERT_CASES.map(({ alert }) => alert));
  expect(alerts.map(({ alert }) => alert).filter((alert) => !tested.has(alert))).toEqual([]);
});

/** Alerts of KubeVirt, whose names the alert routing of users contains. */
const EXPECTED = [
  ...['VirtAPIDown', 'VirtControllerDown', 'VirtHandlerDown', 'VirtOperatorDown'],
  ...['NoReadyVirtAPI', 'NoReadyVirtController', 'NoReadyVirtHandler', 'NoReadyVirtOperator'],
  ...['NoLeadingVirtController', 'NoLeadingVirtOperator'],
  ...['LowVirtAPICount', 'LowVirtControllersCount', 'LowVirtOperatorCount', 'LowKVMNodesCount'],
  ...['LowReadyVirtAPICount', 'LowReadyVirtControllersCount', 'LowReadyVirtHandlerCount', 'LowReadyVirtOperatorsCount'],
  ...['Api', 'Controller', 'Handler', 'Operator'].map((program) => `Virt${program}RESTErrorsBurst`),
  ...['KubeVirtNoAvailableNodesToRunVMs', 'OrphanedVirtualMachineInstances', 'OutdatedVirtualMachineInstanceWorkloads'],
  ...['VMCannotBeEvicted', 'VirtualMachineStuckInUnhealthyState', 'VirtualMachineStuckOnNode'],
  ...['VirtLauncherPodsStuckFailed', 'VirtHandlerDaemonSetRolloutFailing', 'KubeVirtVMIExcessiveMigrations'],
  ...['KubeVirtVMGuestMemoryPressure', 'KubeVirtVMGuestMemoryAvailableLow', 'GuestFilesystemAlmostOutOfSpace'],
  ...['GuestVCPUQueueHighWarning', 'GuestVCPUQueueHighCritical'],
  ...['VMNonRecoverableOSPanic', 'KubeVirtDeprecatedAPIRequested'],
];

test('the alerts have the names of KubeVirt', () => {
  const names = new Set(alerts.map(({ alert }) => alert));
  expect(EXPECTED.filter((name) => !names.has(name))).toEqual([]);
});

test('each alert says what it means, what to look at and how severe it is', () => {
  for (const { alert, annotations, labels } of alerts) {
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(annotations.description).toMatch(/\. .*[a-z]\b/s);
    expect(annotations.runbook_url).toBe(`https://github.com/virt8s/virt8s/blob/main/docs/runbooks/${alert}.md`);
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(['critical', 'warning', 'info', 'none']).toContain(labels.operator_health_impact);
  }
});

test('each alert has a runbook, and each runbook an alert', () => {
  const names = new Set(alerts.map(({ alert }) => `${alert}.md`));
  const files = existsSync(runbooks) ? readdirSync(runbooks).filter((file) => file !== 'README.md') : [];
  expect(files.sort()).toEqual([...names].sort());
  const index = readFileSync(join(runbooks, 'README.md'), 'utf8');
  expect([...names].filter((file) => !index.includes(`(${file})`))).toEqual([]);
});

/** Names of ours in an expression. Labels of kube-state-metrics contain the same word. */
const namesIn = (expr: string): string[] =>
  expr.replaceAll(/"[^"]*"/g, '""').match(/(?<!\w)(?:\w+:)?kubevirt_\w+(?::\w+)?/g) ?? [];

test('rules refer to metrics of ours that are in the table, or to recording rules', () => {
  const recorded = new Set(records.map(({ record }) => record));
  const unknown = rules
    .flatMap(({ expr }) => namesIn(expr))
    .filter((name) => !(name in metricTable) && !recorded.has(name));
  expect([...new Set(unknown)]).toEqual([]);
});

test('a rule is evaluated after the recording rules that it refers to', () => {
  const seen = new Set<string>();
  for (const rule of rules) {
    const asked = namesIn(rule.expr);
    const later = records.filter(({ record }) => asked.includes(record) && !seen.has(record));
    expect(later.map(({ record }) => record)).toEqual([]);
    if ('record' in rule) seen.add(rule.record);
  }
});
