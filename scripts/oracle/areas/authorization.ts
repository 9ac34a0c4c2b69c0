import { as, collection, configMap, create, get, NAMESPACE, Object, patch, pathOf, remove, Step } from './scenario';

type Json = Record<string, unknown>;

const RBAC = 'rbac.authorization.k8s.io';
const V1 = `${RBAC}/v1`;
/** A user without roles of other comparisons. */
const ALICE = `alice-${process.pid}`;

const role = (name: string, rules: Json[] | null, metadata: Json = {}): Object => ({
  apiVersion: V1,
  kind: 'Role',
  metadata: { name, ...metadata },
  rules,
});
const clusterRole = (name: string, rules: Json[], fields: Json = {}, metadata: Json = {}): Object => ({
  apiVersion: V1,
  kind: 'ClusterRole',
  metadata: { name: `areas-${name}`, ...metadata },
  rules,
  ...fields,
});
const binding = (name: string, roleRef: [string, string], user: string, fields: Json = {}): Object => ({
  apiVersion: V1,
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: roleRef[0], name: roleRef[1] },
  subjects: [{ kind: 'User', name: user, apiGroup: RBAC }],
  ...fields,
});
const rule = (verbs: string[], resources: string[], apiGroups: string[] = [''], fields: Json = {}): Json => ({
  verbs,
  resources,
  apiGroups,
  ...fields,
});
const core = (kind: string, name: string): string => `${collection('v1', kind)}/${name}`;

const review = (kind: string, spec: Json, apiVersion = 'authorization.k8s.io/v1'): Object => ({
  apiVersion,
  kind,
  spec,
});

/** Requests of a user without roles, in all forms. */
function forbidden(user: string, ...groups: string[]): Step[] {
  const options = as(user, ...groups);
  const deployment: Object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
  return [
    get('get', core('ConfigMap', 'x'), options),
    get('list', collection('v1', 'ConfigMap'), options),
    get('list everywhere', '/api/v1/configmaps', options),
    get('watch', `${collection('v1', 'ConfigMap')}?watch=1&timeoutSeconds=1`, options),
    get('list by name', `${collection('v1', 'ConfigMap')}?fieldSelector=metadata.name%3Dx`, options),
    get('cluster', '/api/v1/nodes/n', options),
    get('nodes', '/api/v1/nodes', options),
    get('namespace', `/api/v1/namespaces/${NAMESPACE}`, options),
    get('namespaces', '/api/v1/namespaces', options),
    create('create', configMap('x'), options),
    create('create namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } }, options),
    { name: 'update', method: 'PUT', path: core('ConfigMap', 'x'), body: configMap('x'), ...options },
    patch('patch', core('ConfigMap', 'x'), {}, options),
    remove('delete', core('ConfigMap', 'x'), options),
    remove('delete collection', collection('v1', 'ConfigMap'), options),
    get('status', `${core('Pod', 'x')}/status`, options),
    get('log', `${core('Pod', 'x')}/log`, options),
    get('exec', `${core('Pod', 'x')}/exec?command=a`, options),
    create(
      'eviction',
      { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'x' } },
      { path: `${core('Pod', 'x')}/eviction`, ...options },
    ),
    create('scale', deployment, { path: `${pathOf(deployment)}/scale`, method: 'PATCH', ...options }),
    get('deployment', pathOf(deployment), options),
    get('unknown resource', '/api/v1/nopes', options),
    get('unknown resource in a namespace', `/api/v1/namespaces/${NAMESPACE}/nopes/x`, options),
    get('unknown group', '/apis/nope.example/v1/nopes', options),
    get('unknown path', '/nope', options),
    get('metrics', '/metrics', options),
    get('health', '/healthz', options),
    get('ready', '/readyz', options),
    get('live', '/livez', options),
    get('version', '/version', options),
    get('api', '/api', options),
    get('apis', '/apis', options),
    get('group', '/apis/apps', options),
    get('resources', '/apis/apps/v1', options),
    get('root', '/', options),
    get('openapi', '/openapi/v2', { ...options, silent: true }),
    get('openid', '/.well-known/openid-configuration', { ...options }),
    get('proxy', '/api/v1/nodes/n/proxy/', options),
    get('service proxy', `${core('Service', 's')}/proxy/`, options),
  ];
}

export function authorization(): Step[] {
  const alice = as(ALICE);
  const reader = role('reader', [rule(['get', 'list'], ['configmaps'])]);
  const manager = role('manager', [
    rule(['*'], ['roles', 'rolebindings'], [RBAC]),
    rule(['get', 'list'], ['configmaps', 'secrets']),
    rule(['get'], ['pods'], [''], { resourceNames: ['a', 'b'] }),
  ]);
  const bob = as('bob');
  const later = (name: string, step: Step, code: number): Step => ({
    ...step,
    name,
    until: (answer) => answer.code === code,
  });
  return [
    ...forbidden(ALICE).map((step) => ({ ...step, name: `alice: ${step.name}` })),
    ...forbidden('system:anonymous', 'system:unauthenticated').map((step) => ({
      ...step,
      name: `anonymous: ${step.name}`,
    })),
    ...forbidden('system:serviceaccount:default:x')
      .slice(0, 12)
      .map((step) => ({ ...step, name: `account: ${step.name}` })),
    ...forbidden('system:node:none', 'system:nodes')
      .slice(0, 22)
      .map((step) => ({ ...step, name: `node: ${step.name}` })),
    create('reader', reader),
    create('binding', binding('alice', ['Role', 'reader'], ALICE)),
    later('alice lists', get('', collection('v1', 'ConfigMap'), { ...alice, silent: true }), 200),
    get('alice gets', core('ConfigMap', 'kube-root-ca.crt'), { ...alice, silent: true }),
    get('alice gets missing', core('ConfigMap', 'missing'), alice),
    get('alice lists elsewhere', '/api/v1/namespaces/default/configmaps', alice),
    get('alice watches', `${collection('v1', 'ConfigMap')}?watch=1&timeoutSeconds=1`, alice),
    create('alice creates', configMap('x'), alice),
    create('manager', manager),
    create('binding of bob', binding('bob', ['Role', 'manager'], 'bob')),
    later('bob lists', get('', collection(V1, 'Role'), { ...bob, silent: true }), 200),
    create('bob grants what he has', role('own', [rule(['get'], ['configmaps'])]), bob),
    create('bob escalates', role('more', [rule(['get', 'delete'], ['configmaps', 'pods'])]), bob),
    create('bob escalates with a star', role('star', [rule(['*'], ['*'], ['*'])]), bob),
    create('bob escalates names', role('names', [rule(['get'], ['pods'], [''], { resourceNames: ['a', 'c'] })]), bob),
    create('bob grants names', role('names', [rule(['get'], ['pods'], [''], { resourceNames: ['a'] })]), bob),
    create('bob escalates groups', role('groups', [rule(['get'], ['configmaps', 'deployments'], ['', 'apps'])]), bob),
    create('bob escalates subresources', role('subs', [rule(['create'], ['pods/exec', 'pods/*'])]), bob),
    create(
      'bob escalates many',
      role(
        'many',
        ['a', 'b', 'c', 'd'].map((name) => rule(['get', 'list'], [name, `${name}/x`])),
      ),
      bob,
    ),
    patch('bob escalates an update', `${collection(V1, 'Role')}/own`, { rules: [rule(['delete'], ['secrets'])] }, bob),
    patch('bob changes a label', `${collection(V1, 'Role')}/own`, { metadata: { labels: { a: 'b' } } }, bob),
    create('bob binds what he has', binding('b1', ['Role', 'own'], 'carol'), bob),
    create('bob binds more', binding('b2', ['ClusterRole', 'cluster-admin'], 'carol'), bob),
    create('bob binds view', binding('b3', ['ClusterRole', 'view'], 'carol'), bob),
    create('bob binds missing', binding('b4', ['Role', 'missing'], 'carol'), bob),
    create('bob binds missing cluster role', binding('b5', ['ClusterRole', 'missing'], 'carol'), bob),
    patch('bob changes subjects', `${collection(V1, 'RoleBinding')}/b1`, { subjects: [] }, bob),
    patch('change of the role', `${collection(V1, 'RoleBinding')}/b1`, {
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'other' },
    }),
    create('bob creates a cluster role', clusterRole('x', [rule(['get'], ['configmaps'])]), bob),
    create(
      'escalate',
      role('manager2', [
        rule(['escalate', 'bind'], ['roles'], [RBAC]),
        rule(['bind'], ['clusterroles'], [RBAC], { resourceNames: ['view'] }),
      ]),
    ),
    create('binding with escalate', binding('bob2', ['Role', 'manager2'], 'bob')),
    later('bob may escalate', create('', role('more', [rule(['delete'], ['pods'])]), bob), 201),
    create('bob may bind', binding('b6', ['Role', 'more'], 'carol'), bob),
    create('bob may bind view', binding('b7', ['ClusterRole', 'view'], 'carol'), bob),
    create('bob may not bind edit', binding('b8', ['ClusterRole', 'edit'], 'carol'), bob),
    create(
      'aggregated',
      clusterRole('sum', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { areas: 'sum' } }] } }),
    ),
    create('part', clusterRole('part', [rule(['get'], ['areas'])], {}, { labels: { areas: 'sum' } })),
    get('sum', `/apis/${V1}/clusterroles/areas-sum`, {
      until: ({ body }) => !!(body as { rules?: Json[] }).rules?.length,
    }),
    create(
      'part 2',
      clusterRole('part2', [rule(['list'], ['others'], ['x.example'])], {}, { labels: { areas: 'sum' } }),
    ),
    get('sum of two', `/apis/${V1}/clusterroles/areas-sum`, {
      until: ({ body }) => (body as { rules?: Json[] }).rules?.length === 2,
    }),
    remove('part 2', `/apis/${V1}/clusterroles/areas-part2`),
    get('sum of one', `/apis/${V1}/clusterroles/areas-sum`, {
      until: ({ body }) => (body as { rules?: Json[] }).rules?.length === 1,
    }),
    remove('sum', `/apis/${V1}/clusterroles/areas-sum`),
    remove('part', `/apis/${V1}/clusterroles/areas-part`),
    ...[
      'admin',
      'edit',
      'view',
      'cluster-admin',
      'system:node',
      'system:basic-user',
      'system:discovery',
      'system:public-info-viewer',
      'system:kube-scheduler',
      'system:kube-controller-manager',
      'system:monitoring',
      'system:auth-delegator',
      'system:node-proxier',
      'system:aggregate-to-view',
      'system:aggregate-to-edit',
      'system:aggregate-to-admin',
    ].map((name) => get(`default role ${name}`, `/apis/${V1}/clusterroles/${name}`)),
    ...[
      {},
      { resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: NAMESPACE } },
      { resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: NAMESPACE, name: 'x' } },
      { resourceAttributes: { verb: 'delete', resource: 'configmaps', namespace: NAMESPACE } },
      { resourceAttributes: { verb: 'get', resource: 'nodes' } },
      { resourceAttributes: { verb: 'get', resource: 'pods', namespace: NAMESPACE, name: 'a' } },
      { resourceAttributes: { verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale' } },
      {
        resourceAttributes: {
          verb: 'list',
          resource: 'configmaps',
          namespace: NAMESPACE,
          fieldSelector: { rawSelector: 'metadata.name=x' },
        },
      },
      {
        resourceAttributes: {
          verb: 'list',
          resource: 'configmaps',
          namespace: NAMESPACE,
          labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
        },
      },
      {
        resourceAttributes: {
          verb: 'list',
          resource: 'configmaps',
          labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'In' }] },
        },
      },
      { nonResourceAttributes: { verb: 'get', path: '/version' } },
      { nonResourceAttributes: { verb: 'get', path: '/metrics' } },
      { nonResourceAttributes: { verb: 'get', path: '/version' }, resourceAttributes: { verb: 'get' } },
      { resourceAttributes: {} },
      { nope: 1 },
    ].flatMap((spec) => [
      create(`access of bob ${JSON.stringify(spec)}`, review('SubjectAccessReview', { ...spec, user: 'bob' })),
      create(`access of nobody ${JSON.stringify(spec)}`, review('SubjectAccessReview', spec)),
      create(
        `access of a group ${JSON.stringify(spec)}`,
        review('SubjectAccessReview', { ...spec, groups: ['system:masters'] }),
      ),
      create(`own access ${JSON.stringify(spec)}`, review('SelfSubjectAccessReview', spec), bob),
      create(`local access ${JSON.stringify(spec)}`, review('LocalSubjectAccessReview', { ...spec, user: 'bob' })),
    ]),
    create('access with metadata', {
      ...review('SubjectAccessReview', { user: 'a', nonResourceAttributes: { path: '/' } }),
      metadata: { name: 'x' },
    }),
    create('access with status', {
      ...review('SubjectAccessReview', { user: 'a', nonResourceAttributes: { path: '/' } }),
      status: { allowed: true },
    } as Object),
    create('access as bob', review('SubjectAccessReview', { user: 'a', nonResourceAttributes: { path: '/' } }), bob),
    create('local access elsewhere', {
      ...review('LocalSubjectAccessReview', {
        user: 'bob',
        resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' },
      }),
    }),
    create('rules', review('SelfSubjectRulesReview', { namespace: NAMESPACE }), alice),
    create('rules of bob', review('SelfSubjectRulesReview', { namespace: NAMESPACE }), bob),
    create('rules of default', review('SelfSubjectRulesReview', { namespace: 'default' }), alice),
    create('rules without a namespace', review('SelfSubjectRulesReview', {}), alice),
    create('rules of an administrator', review('SelfSubjectRulesReview', { namespace: NAMESPACE })),
    create('rules of a node', review('SelfSubjectRulesReview', { namespace: NAMESPACE }), {
      ...as('system:node:n', 'system:nodes'),
      silent: true,
    }),
    ...['reader', 'manager', 'manager2', 'own', 'more', 'names'].map((name) =>
      remove(name, `${collection(V1, 'Role')}/${name}`, { silent: true }),
    ),
  ];
}

export function authentication(): Step[] {
  const self: Object = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const headers = (values: Record<string, string | readonly string[]>): Partial<Step> => ({ headers: values });
  const tokenPath = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default/token`;
  const token = (name: string, spec: Json, path = tokenPath): Step =>
    create(`token ${name}`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }, { path });
  const imp = clusterRole('impersonator', [
    rule(['impersonate'], ['users'], [''], { resourceNames: ['dave'] }),
    rule(['impersonate'], ['userextras/scopes'], ['authentication.k8s.io'], { resourceNames: ['view'] }),
    rule(['impersonate'], ['uids'], ['authentication.k8s.io'], { resourceNames: ['1'] }),
    rule(['impersonate'], ['groups'], [''], { resourceNames: ['devs'] }),
  ]);
  const eve = (values: Record<string, string | readonly string[]>) => ({ headers: { ...values } });
  return [
    create('self', self),
    create('self with metadata', { ...self, metadata: { name: 'x' } }),
    create('self as a user', self, headers({ 'impersonate-user': 'dave' })),
    create('self with groups', self, headers({ 'impersonate-user': 'dave', 'impersonate-group': ['devs', 'ops'] })),
    create('self with uid', self, headers({ 'impersonate-user': 'dave', 'impersonate-uid': '7' })),
    create(
      'self with extra',
      self,
      headers({
        'impersonate-user': 'dave',
        'impersonate-extra-scopes': ['a', 'b'],
        'impersonate-extra-acme.com%2fproject': 'x',
      }),
    ),
    create('self as an account', self, headers({ 'impersonate-user': 'system:serviceaccount:default:x' })),
    create(
      'self as an account with groups',
      self,
      headers({ 'impersonate-user': 'system:serviceaccount:default:x', 'impersonate-group': ['g'] }),
    ),
    create('self as anonymous', self, headers({ 'impersonate-user': 'system:anonymous' })),
    create(
      'self as a node',
      self,
      headers({ 'impersonate-user': 'system:node:x', 'impersonate-group': 'system:nodes' }),
    ),
    create('group without a user', self, headers({ 'impersonate-group': 'devs' })),
    create('uid without a user', self, headers({ 'impersonate-uid': 'x' })),
    create('extra without a user', self, headers({ 'impersonate-extra-a': 'x' })),
    create('empty user', self, headers({ 'impersonate-user': '' })),
    create('wrong token', self, headers({ authorization: 'Bearer nope' })),
    create('basic', self, headers({ authorization: 'Basic YTpi' })),
    create('empty bearer', self, headers({ authorization: 'Bearer ' })),
    create('role of eve', imp),
    create('binding of eve', {
      apiVersion: V1,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'areas-eve' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'areas-impersonator' },
      subjects: [{ kind: 'User', name: 'eve', apiGroup: RBAC }],
    }),
    create('eve without', self, eve({ 'impersonate-user': 'eve' })),
    token('plain', {}),
    token('audience', { audiences: ['a', 'b'], expirationSeconds: 700 }),
    token('short', { expirationSeconds: 10 }),
    token('limit', { expirationSeconds: 600 }),
    token('below', { expirationSeconds: 599 }),
    token('huge', { expirationSeconds: 2 ** 40 }),
    token('bound to a missing pod', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'missing' } }),
    token('bound to a missing secret', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'missing' } }),
    token('bound to a missing node', { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'missing' } }),
    token('bound to another kind', { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } }),
    token('of a missing account', {}, tokenPath.replace('default/token', 'missing/token')),
    get('get token', tokenPath),
    create(
      'token with a name',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { name: 'other' }, spec: {} },
      { path: tokenPath },
    ),
    create(
      'token with a namespace',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { namespace: 'other' }, spec: {} },
      { path: tokenPath },
    ),
    create('token of another kind', { apiVersion: 'v1', kind: 'Pod', spec: {} }, { path: tokenPath }),
    create('review', review('TokenReview', { token: 'nope' }, 'authentication.k8s.io/v1')),
    create('review of nothing', review('TokenReview', {}, 'authentication.k8s.io/v1')),
    create(
      'review with audiences',
      review('TokenReview', { token: 'a.b.c', audiences: ['x'] }, 'authentication.k8s.io/v1'),
    ),
    create('review with metadata', {
      ...review('TokenReview', { token: 'x' }, 'authentication.k8s.io/v1'),
      metadata: { name: 'x' },
    }),
    create('review with a namespace', {
      ...review('TokenReview', { token: 'x' }, 'authentication.k8s.io/v1'),
      metadata: { labels: { a: 'b' } } as Object['metadata'],
    }),
    get('list reviews', '/apis/authentication.k8s.io/v1/tokenreviews'),
    get('list access reviews', '/apis/authorization.k8s.io/v1/subjectaccessreviews'),
    remove('delete reviews', '/apis/authorization.k8s.io/v1/subjectaccessreviews'),
    ...[
      'authentication.k8s.io',
      'authorization.k8s.io',
      'flowcontrol.apiserver.k8s.io',
      'certificates.k8s.io',
      'policy',
      'autoscaling',
      'batch',
      'apps',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'apiregistration.k8s.io',
      'rbac.authorization.k8s.io',
      'coordination.k8s.io',
      'networking.k8s.io',
    ].flatMap((group) => [get(`group ${group}`, `/apis/${group}`), get(`resources ${group}`, `/apis/${group}/v1`)]),
    get('flow schemas', '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas'),
    get('certificates', '/apis/certificates.k8s.io/v1/certificatesigningrequests'),
    get('mutating policies', '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies'),
    remove('role of eve', pathOf(imp), { silent: true }),
    remove('binding of eve', `/apis/${V1}/clusterrolebindings/areas-eve`, { silent: true }),
  ];
}
