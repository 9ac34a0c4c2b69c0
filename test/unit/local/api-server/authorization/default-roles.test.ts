import { defaultRoles, rulesOf } from '../../../../../src/local/api-server/authorization/default-roles';
import { reconciled } from '../../../../../src/local/api-server/authorization/reconcile';
import { AnyObject } from '../../../../../src/local/api-server/types';

test('a line of the table is a rule', () => {
  expect(
    rulesOf(`
      read | core apps | pods pods/log
      get update | coordination.k8s.io | leases | one two
      get | /healthz /healthz/*
      events`),
  ).toEqual([
    { verbs: ['get', 'list', 'watch'], apiGroups: ['', 'apps'], resources: ['pods', 'pods/log'] },
    {
      verbs: ['get', 'update'],
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      resourceNames: ['one', 'two'],
    },
    { verbs: ['get'], nonResourceURLs: ['/healthz', '/healthz/*'] },
    { verbs: ['create', 'patch', 'update'], apiGroups: ['', 'events.k8s.io'], resources: ['events'] },
  ]);
});

test('every binding refers to a default role', () => {
  const all = defaultRoles();
  const names = new Set(all.map(({ kind, metadata }) => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`));
  for (const { roleRef, metadata } of all.filter(({ roleRef: ref }) => ref)) {
    expect(names).toContain(`${roleRef.kind}/${roleRef.kind === 'Role' ? metadata.namespace : ''}/${roleRef.name}`);
  }
});

test('only health and version are open to anonymous users', () => {
  const all = defaultRoles();
  const open = all.filter(({ subjects }) => JSON.stringify(subjects ?? []).includes('system:unauthenticated'));
  expect(open.map(({ roleRef }) => roleRef.name)).toEqual(['system:public-info-viewer']);
  const role = all.find(
    ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'system:public-info-viewer',
  );
  expect(role!.rules).toEqual([
    { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
  ]);
});

describe('a stored default object', () => {
  const find = (kind: string, name: string): AnyObject =>
    structuredClone(defaultRoles().find((object) => object.kind === kind && object.metadata.name === name)!);
  const role = () => find('ClusterRole', 'system:kube-dns');
  const binding = () => find('ClusterRoleBinding', 'system:public-info-viewer');

  test.each<[string, () => AnyObject, (stored: AnyObject) => void, object | undefined]>([
    ['that lacks nothing is kept', role, () => {}, undefined],
    [
      'gets missing verbs back',
      role,
      (stored) => (stored.rules[0].verbs = ['list']),
      {
        rules: [
          { verbs: ['list'], apiGroups: [''], resources: ['endpoints', 'services'] },
          { verbs: ['watch'], apiGroups: [''], resources: ['endpoints'] },
          { verbs: ['watch'], apiGroups: [''], resources: ['services'] },
        ],
      },
    ],
    ['keeps further rules', role, (stored) => stored.rules.push({ verbs: ['*'], nonResourceURLs: ['/x'] }), undefined],
    [
      'gets its labels back and keeps changed ones',
      role,
      (stored) => (stored.metadata.labels = { own: 'x' }),
      { metadata: { labels: { own: 'x', 'kubernetes.io/bootstrapping': 'rbac-defaults' } } },
    ],
    [
      'that excludes itself is kept',
      role,
      (stored) => {
        stored.rules = [];
        stored.metadata.annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
      },
      undefined,
    ],
    [
      'gets missing subjects back',
      binding,
      (stored) => (stored.subjects = [{ kind: 'User', name: 'own' }]),
      {
        subjects: [{ kind: 'User', name: 'own' }, { name: 'system:authenticated' }, { name: 'system:unauthenticated' }],
      },
    ],
    ['keeps aggregated rules', () => find('ClusterRole', 'view'), (stored) => (stored.rules = [{}]), undefined],
    [
      'gets its selectors back',
      () => find('ClusterRole', 'view'),
      (stored) => delete stored.aggregationRule,
      { aggregationRule: { clusterRoleSelectors: [{}] } },
    ],
  ])('%s', (_, make, change, wanted) => {
    const stored = make();
    change(stored);
    const next = reconciled(stored, make());
    if (wanted) expect(next).toMatchObject(wanted);
    else expect(next).toBeUndefined();
  });
});
