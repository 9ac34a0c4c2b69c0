import { Chart, Testing } from 'cdk8s';
import { metricTable } from '../../../../src/api/metrics';
import type { MetricName } from '../../../../src/api/metrics';
import { PlatformDashboard } from '../../../../src/constructs';
import { placed } from '../../../../src/constructs/platform/dashboards/panel';
import { ROWS } from '../../../../src/constructs/platform/dashboards/rows';
import { ruleGroups } from '../../../../src/constructs/platform/rules';
import { testApp } from '../../../support/app';

const recorded = new Set(
  ruleGroups({ namespace: 'kubevirt', useEmulation: false }).flatMap(({ rules }) =>
    rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])),
  ),
);
const queries = ROWS.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries));

test('panels query only metrics that the platform reports, and recording rules', () => {
  const asked = queries.flatMap(({ expr }) => expr.match(/(?<!\w)(?:\w+:)?kubevirt_\w+(?::\w+)?/g) ?? []);
  expect(new Set(asked).size).toBeGreaterThan(25);
  const reported = (name: string): boolean => {
    const metric = metricTable[name.replace(/_bucket$/, '') as MetricName];
    return metric !== undefined && metric.withoutData === undefined;
  };
  expect(asked.filter((name) => !reported(name) && !recorded.has(name))).toEqual([]);
});

test('labels in queries are labels of their metrics', () => {
  const wrong = queries.flatMap(({ expr }) =>
    [...expr.matchAll(/(kubevirt_\w+?)(_bucket)?\{([^}]*)\}/g)].flatMap(([, name, , selectors]) => {
      const { labels = [] } = metricTable[name as MetricName] ?? {};
      const used = [...selectors!.matchAll(/(\w+)[!=]~?"/g)].map(([, label]) => label!);
      return used.filter((label) => !labels.includes(label)).map((label) => `${name}{${label}}`);
    }),
  );
  expect(wrong.filter((each) => !each.includes(':'))).toEqual([]);
});

test('panels do not overlap, and their ids are unique', () => {
  const panels = placed(ROWS) as { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});

test('the ConfigMap has the label that Grafana looks for, and keeps labels of the user', () => {
  const chart = new Chart(testApp(), 'test');
  new PlatformDashboard(chart, 'dashboard', {
    title: 'VMs',
    metadata: { namespace: 'monitoring', labels: { team: 'virt' } },
  });
  const [object] = Testing.synth(chart);
  expect(object.metadata).toMatchObject({ namespace: 'monitoring', labels: { grafana_dashboard: '1', team: 'virt' } });
  const { title, panels, uid } = JSON.parse(object.data['kubevirt.json']) as {
    title: string;
    panels: object[];
    uid: string;
  };
  expect([title, uid]).toEqual(['VMs', 'virt8s-kubevirt']);
  expect(panels.length).toBeGreaterThan(20);
});
