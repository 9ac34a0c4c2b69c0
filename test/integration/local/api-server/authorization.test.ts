import { createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { kubectl, Kubectl } from './kubectl';
import { until } from '../../../support/until';

/* Who may do what. Answers are those of Kubernetes 1.36. */

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEWS = '/apis/authorization.k8s.io/v1';
const SELF = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const SHOP = '/api/v1/namespaces/shop';

let folder: string;
let server: TestApiServer;
let admin: Send;
let anonymous: Send;
const users = new Map<string, Send>();

/** Restarts the server, which ends the connections of all clients. */
async function restart(): Promise<void> {
  await server.restart();
  admin = client(server);
  anonymous = client(server, {});
  users.clear();
}

/** Client with a certificate of the user. */
async function as(name: string, ...groups: string[]): Promise<Send> {
  const known = users.get(name);
  if (known) return known;
  const { user } = JSON.parse(readFileSync(await server.kubeconfigFor(name, groups), 'utf8')).users[0];
  const pem = (field: string) => Buffer.from(user[field] as string, 'base64').toString();
  const send = client(server, { cert: pem('client-certificate-data'), key: pem('client-key-data') });
  users.set(name, send);
  return send;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const user = (name: string) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });
const rule = (verbs: string, apiGroup: string, resources: string) => ({
  verbs: verbs.split(' '),
  apiGroups: [apiGroup],
  resources: resources.split(' '),
});
const binding = (name: string, kind: string, role: string, subject: object) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
  subjects: [subject],
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-authorization-'));
  server = await startTestApiServer({ auditLog: join(folder, 'audit.log') });
  admin = client(server);
  anonymous = client(server, {});
  for (const name of ['shop', 'other']) await admin('POST', '/api/v1/namespaces', { metadata: { name } });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const post = async (path: string, body: object): Promise<void> => {
  const { code, body: answer } = await admin('POST', path, body);
  if (code !== 201) throw new Error(JSON.stringify(answer));
};

describe('default accounts', () => {
  const account = (name: string, namespace = 'kube-system') => `system:serviceaccount:${namespace}:${name}`;
  const controller = (name: string) => account(`${name}-controller`);
  const edits = { users: ['editor'], role: 'edit' };
  const GROUPS: Record<string, string[]> = { 'system:node:a': ['system:nodes'] };

  beforeAll(async () => {
    for (const role of ['view', 'edit', 'admin']) {
      const holder = role === 'edit' ? edits.users[0] : `${role}er`;
      await post(`${RBAC}/namespaces/shop/rolebindings`, binding(role, 'ClusterRole', role, user(holder)));
    }
  });

  /** User, request in namespace `shop` (verb, resource, group), and whether it is allowed. */
  test.each<[string, string, boolean]>([
    ['system:kube-scheduler', 'list pods', true],
    ['system:kube-scheduler', 'create pods/binding', true],
    ['system:kube-scheduler', 'patch pods/status', true],
    ['system:kube-scheduler', 'patch persistentvolumeclaims', true],
    ['system:kube-scheduler', 'create events', true],
    ['system:kube-scheduler', 'get secrets', false],
    ['system:kube-scheduler', 'create pods', false],
    ['system:kube-proxy', 'watch services', true],
    ['system:kube-proxy', 'watch endpointslices discovery.k8s.io', true],
    ['system:kube-proxy', 'get secrets', false],
    ['system:kube-proxy', 'list pods', false],
    ['system:kube-controller-manager', 'watch secrets', true],
    ['system:kube-controller-manager', 'create serviceaccounts/token', true],
    ['system:kube-controller-manager', 'create pods', false],
    ['system:node:a', 'list services', true],
    ['system:node:a', 'patch pods/status', true],
    ['system:node:a', 'list secrets', false],
    ['system:node:a', 'list pods', false],
    ['system:node:a', 'update nodes', true],
    ['system:node:a', 'delete nodes', false],
    [controller('replicaset'), 'create pods', true],
    [controller('replicaset'), 'update replicasets/status apps', true],
    [controller('replicaset'), 'create deployments apps', false],
    [controller('deployment'), 'create replicasets apps', true],
    [controller('deployment'), 'create pods', false],
    [controller('job'), 'update jobs/status batch', true],
    [controller('statefulset'), 'create persistentvolumeclaims', true],
    [controller('namespace'), 'deletecollection virtualmachines kubevirt.io', true],
    [controller('namespace'), 'create pods', false],
    [account('generic-garbage-collector'), 'delete virtualmachines kubevirt.io', true],
    [account('horizontal-pod-autoscaler'), 'update virtualmachinepools/scale pool.kubevirt.io', true],
    [account('horizontal-pod-autoscaler'), 'update virtualmachinepools pool.kubevirt.io', false],
    [account('default', 'shop'), 'get pods', false],
    [account('default', 'shop'), 'list configmaps', false],
    ['viewer', 'list pods', true],
    ['viewer', 'get pods/log', true],
    ['viewer', 'get secrets', false],
    ['viewer', 'create pods', false],
    ['viewer', 'create pods/exec', false],
    ['editor', 'create deployments apps', true],
    ['editor', 'create pods/exec', true],
    ['editor', 'get secrets', true],
    ['editor', 'impersonate serviceaccounts', true],
    ['editor', 'create roles rbac.authorization.k8s.io', false],
    ['editor', 'create resourcequotas', false],
    ['adminer', 'create roles rbac.authorization.k8s.io', true],
    ['adminer', 'escalate roles rbac.authorization.k8s.io', false],
    ['adminer', 'create localsubjectaccessreviews authorization.k8s.io', true],
    ['adminer', 'update namespaces', false],
    ['nobody', 'get pods', false],
    ['nobody', 'create selfsubjectaccessreviews authorization.k8s.io', true],
  ])('%s: %s', async (name, request, allowed) => {
    const [verb, text, group = ''] = request.split(' ');
    const [resource, subresource] = text.split('/');
    const groups = [...(GROUPS[name] ?? []), 'system:authenticated'];
    const resourceAttributes = { verb, group, resource, subresource, namespace: 'shop' };
    const { body } = await admin('POST', `${REVIEWS}/subjectaccessreviews`, {
      spec: { user: name, groups, resourceAttributes },
    });
    expect(body.status.allowed).toBe(allowed);
    // Nobody but cluster-wide accounts gets access to other namespaces.
    if (!/^(view|edit|admin)er$/.test(name)) return;
    const elsewhere = await admin('POST', `${REVIEWS}/subjectaccessreviews`, {
      spec: { user: name, groups, resourceAttributes: { ...resourceAttributes, namespace: 'other' } },
    });
    expect(elsewhere.body.status.allowed).toBe(false);
  });

  test('a decision names the binding that allows it', async () => {
    const reason = async (spec: object) =>
      (await admin('POST', `${REVIEWS}/subjectaccessreviews`, { spec })).body.status.reason as string;
    expect(
      await reason({ user: 'viewer', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'shop' } }),
    ).toBe('RBAC: allowed by RoleBinding "view/shop" of ClusterRole "view" to User "viewer"');
    expect(await reason({ user: controller('job'), resourceAttributes: { verb: 'create', resource: 'pods' } })).toBe(
      'RBAC: allowed by ClusterRoleBinding "system:controller:job-controller" of ClusterRole "system:controller:job-controller" to ServiceAccount "job-controller/kube-system"',
    );
  });

  test('are stored again as they were after a restart', async () => {
    const roles = async () => (await admin('GET', `${RBAC}/clusterroles`)).body;
    const before = await roles();
    await admin('DELETE', `${RBAC}/clusterroles/system:kube-dns`);
    await restart();
    const after = await roles();
    const named = (list: typeof before) =>
      list.items.map(({ metadata, rules }: { metadata: { name: string }; rules: object }) => [metadata.name, rules]);
    expect(named(after)).toEqual(named(before));
    await restart();
    expect((await roles()).metadata.resourceVersion).toBe(after.metadata.resourceVersion);
  });
});

describe('anonymous requests', () => {
  test.each([
    ['/healthz', 200],
    ['/livez', 200],
    ['/readyz', 200],
    ['/version', 200],
    ['/healthz/ping', 403],
    ['/api', 403],
    ['/apis/apps/v1', 403],
    ['/openapi/v2', 403],
    ['/api/v1/namespaces', 403],
  ])('GET %s: %i', async (path, code) => {
    const answer = await anonymous('GET', path);
    expect(answer.code).toBe(code);
    if (code === 403) expect(answer.body.message).toContain('User "system:anonymous" cannot ');
  });

  test('with a token that is not valid are rejected', async () => {
    const answer = await anonymous('GET', '/version', undefined, undefined, bearer('abc'));
    expect([answer.code, answer.body.reason]).toEqual([401, 'Unauthorized']);
  });
});

describe('denied requests', () => {
  test.each([
    [
      'GET',
      '/api/v1/nodes',
      'nodes is forbidden: User "mallory" cannot list resource "nodes" in API group "" at the cluster scope',
    ],
    [
      'PUT',
      `${SHOP}/pods/web/status`,
      'pods "web" is forbidden: User "mallory" cannot update resource "pods/status" in API group "" in the namespace "shop"',
    ],
    [
      'GET',
      '/api/v1/configmaps?fieldSelector=metadata.name%3Dweb',
      'configmaps "web" is forbidden: User "mallory" cannot list resource "configmaps" in API group "" at the cluster scope',
    ],
    [
      'GET',
      '/apis/example.com/v1/things',
      'things.example.com is forbidden: User "mallory" cannot list resource "things" in API group "example.com" at the cluster scope',
    ],
    ['GET', '/x%3Cb%3E', 'forbidden: User "mallory" cannot get path "/x&lt;b&gt;"'],
    ['POST', '/version', 'forbidden: User "mallory" cannot post path "/version"'],
  ])('%s %s', async (method, path, message) => {
    const mallory = await as('mallory');
    const { code, body } = await mallory(method, path);
    expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', message]);
  });

  test('report a binding to a role that does not exist', async () => {
    await post(`${RBAC}/namespaces/other/rolebindings`, binding('lost', 'Role', 'missing', user('lost')));
    const lost = await as('lost');
    const { body } = await lost('GET', '/api/v1/namespaces/other/pods');
    expect(body.message).toMatch(/: RBAC: role\.rbac\.authorization\.k8s\.io "missing" not found$/);
  });
});

describe('authors of roles and bindings', () => {
  let author: Send;
  beforeAll(async () => {
    const group = 'rbac.authorization.k8s.io';
    const rules = [rule('get create update patch', group, 'roles rolebindings'), rule('get', '', 'pods')];
    await post(`${RBAC}/namespaces/shop/roles`, { metadata: { name: 'author' }, rules });
    await post(`${RBAC}/namespaces/shop/rolebindings`, binding('author', 'Role', 'author', user('author')));
    author = await as('author', 'writers');
  });

  const beyond = (kind: string, name: string, rules: string) =>
    `${kind}.rbac.authorization.k8s.io "${name}" is forbidden: user "author" (groups=["writers" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${rules}`;

  test('may grant what they hold', async () => {
    const role = { metadata: { name: 'held' }, rules: [rule('get', '', 'pods')] };
    expect((await author('POST', `${RBAC}/namespaces/shop/roles`, role)).code).toBe(201);
    const bound = binding('held', 'Role', 'held', user('friend'));
    expect((await author('POST', `${RBAC}/namespaces/shop/rolebindings`, bound)).code).toBe(201);
  });

  test.each<[string, string, string, object, string]>([
    [
      'create a role',
      'POST',
      'roles',
      { metadata: { name: 'more' }, rules: [rule('get delete', '', 'pods')] },
      beyond('roles', 'more', '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}'),
    ],
    [
      'update a role',
      'PUT',
      'roles/author',
      { metadata: { name: 'author' }, rules: [rule('*', '*', '*')] },
      beyond('roles', 'author', '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}'),
    ],
    [
      'patch a role',
      'PATCH',
      'roles/author',
      { rules: [rule('list', '', 'secrets')] },
      beyond('roles', 'author', '{APIGroups:[""], Resources:["secrets"], Verbs:["list"]}'),
    ],
    [
      'bind a role',
      'POST',
      'rolebindings',
      binding('more', 'ClusterRole', 'system:kube-dns', user('friend')),
      beyond('rolebindings', 'more', '{APIGroups:[""], Resources:["endpoints"], Verbs:["list" "watch"]}'),
    ],
  ])('may not grant more: %s', async (_, method, path, body, message) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await author(method, `${RBAC}/namespaces/shop/${path}`, body, type);
    expect([answer.code, answer.body.reason]).toEqual([403, 'Forbidden']);
    expect(answer.body.message.startsWith(message)).toBe(true);
  });

  test('may patch the labels of a role whose rules they hold, and metadata for the collector of any', async () => {
    const type = 'application/merge-patch+json';
    const path = `${RBAC}/namespaces/shop/roles`;
    expect((await author('PATCH', `${path}/held`, { metadata: { labels: { a: 'b' } } }, type)).code).toBe(200);
    await post(path, { metadata: { name: 'strong' }, rules: [rule('*', '*', '*')] });
    expect((await author('PATCH', `${path}/strong`, { metadata: { labels: { a: 'b' } } }, type)).code).toBe(403);
    expect((await author('PATCH', `${path}/strong`, { metadata: { finalizers: ['a.b/c'] } }, type)).code).toBe(200);
  });

  test('may escalate and bind what they are allowed to', async () => {
    const group = 'rbac.authorization.k8s.io';
    const rules = [
      { ...rule('escalate', group, 'roles'), resourceNames: ['author'] },
      { ...rule('bind', group, 'clusterroles'), resourceNames: ['view'] },
    ];
    await post(`${RBAC}/namespaces/shop/roles`, { metadata: { name: 'trusted' }, rules });
    await post(`${RBAC}/namespaces/shop/rolebindings`, binding('trusted', 'Role', 'trusted', user('author')));
    const path = `${RBAC}/namespaces/shop/rolebindings`;
    expect((await author('POST', path, binding('may-view', 'ClusterRole', 'view', user('friend')))).code).toBe(201);
    expect((await author('POST', path, binding('may-edit', 'ClusterRole', 'edit', user('friend')))).code).toBe(403);
  });

  test('need everything for an aggregated role', async () => {
    await post(`${RBAC}/clusterroles`, {
      metadata: { name: 'role-maker' },
      rules: [rule('create', 'rbac.authorization.k8s.io', 'clusterroles')],
    });
    await post(`${RBAC}/clusterrolebindings`, binding('role-maker', 'ClusterRole', 'role-maker', user('maker')));
    const maker = await as('maker');
    const { code, body } = await maker('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'everything' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    });
    expect([code, body.message]).toEqual([
      403,
      'clusterroles.rbac.authorization.k8s.io "everything" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    ]);
  });
});

describe('a node', () => {
  const container = { name: 'c', image: 'i' };
  const pod = (name: string, nodeName: string | undefined, spec: object = {}) => ({
    metadata: { name },
    spec: { ...(nodeName ? { nodeName } : {}), containers: [container], ...spec },
  });
  let node: Send;
  beforeAll(async () => {
    for (const name of ['a', 'b']) await post('/api/v1/nodes', { metadata: { name } });
    for (const name of ['mine', 'theirs']) {
      await post(`${SHOP}/secrets`, { metadata: { name } });
      await post(`${SHOP}/configmaps`, { metadata: { name } });
      await post(`${SHOP}/serviceaccounts`, { metadata: { name } });
      const volumes = [
        { name: 's', secret: { secretName: name } },
        { name: 'c', configMap: { name } },
      ];
      await post(`${SHOP}/pods`, pod(name, name === 'mine' ? 'a' : 'b', { volumes, serviceAccountName: name }));
    }
    node = await as('system:node:a', 'system:nodes');
  });

  const LEASES = '/apis/coordination.k8s.io/v1/namespaces';
  test.each<[string, string, number, object?]>([
    ['GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Da', 200],
    ['GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Db', 403],
    ['GET', '/api/v1/pods?fieldSelector=spec.nodeName!%3Da', 403],
    ['GET', '/api/v1/pods', 403],
    ['GET', `${SHOP}/pods/mine`, 200],
    ['GET', `${SHOP}/pods/theirs`, 403],
    ['PATCH', `${SHOP}/pods/mine`, 403, {}],
    ['PATCH', `${SHOP}/pods/mine/status`, 200, { status: { message: 'x' } }],
    ['PATCH', `${SHOP}/pods/mine/status`, 403, { metadata: { labels: { a: 'b' } } }],
    ['PATCH', `${SHOP}/pods/theirs/status`, 403, { status: { message: 'x' } }],
    ['DELETE', `${SHOP}/pods/theirs`, 403],
    ['POST', `${SHOP}/pods/theirs/eviction`, 403, { metadata: { name: 'theirs' } }],
    ['GET', `${SHOP}/secrets/mine`, 200],
    ['GET', `${SHOP}/secrets/theirs`, 403],
    ['GET', `${SHOP}/secrets`, 403],
    ['GET', `${SHOP}/configmaps/mine`, 200],
    ['GET', `${SHOP}/configmaps/kube-root-ca.crt`, 200],
    ['GET', `${SHOP}/configmaps/theirs`, 403],
    ['GET', '/api/v1/namespaces/other/configmaps/mine', 403],
    ['PATCH', `${SHOP}/configmaps/mine`, 403, {}],
    ['GET', '/api/v1/nodes/a', 200],
    ['GET', '/api/v1/nodes/b', 403],
    ['GET', '/api/v1/nodes', 403],
    ['PATCH', '/api/v1/nodes/a', 200, { metadata: { labels: { 'kubernetes.io/os': 'linux' } } }],
    ['PATCH', '/api/v1/nodes/a', 403, { metadata: { labels: { 'node-role.kubernetes.io/x': '' } } }],
    ['PATCH', '/api/v1/nodes/a', 403, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }],
    ['PATCH', '/api/v1/nodes/b', 403, {}],
    ['PATCH', '/api/v1/nodes/b/status', 403, {}],
    ['POST', '/api/v1/nodes', 403, { metadata: { name: 'c' } }],
    ['POST', `${LEASES}/kube-node-lease/leases`, 201, { metadata: { name: 'a' }, spec: {} }],
    ['GET', `${LEASES}/kube-node-lease/leases/a`, 200],
    ['POST', `${LEASES}/kube-node-lease/leases`, 403, { metadata: { name: 'b' }, spec: {} }],
    ['GET', `${LEASES}/kube-node-lease/leases/b`, 403],
    ['POST', `${LEASES}/shop/leases`, 403, { metadata: { name: 'a' }, spec: {} }],
    ['GET', '/api/v1/services', 200],
    ['GET', '/apis/apps/v1/deployments', 403],
    ['POST', `${SHOP}/pods`, 403, pod('own', 'a')],
    ['POST', `${SHOP}/serviceaccounts/mine/token`, 403, {}],
    ['POST', `${SHOP}/serviceaccounts/theirs/token`, 403, {}],
  ])('%s %s: %i', async (method, path, code, ...[body]) => {
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const answer = await node(method, path, body, type);
    expect({ code: answer.code, message: answer.body.message }).toMatchObject({ code });
  });

  test('gets tokens only for its Pods, with their audiences', async () => {
    const token = async (account: string, name: string, audiences: string[] = []) => {
      const { metadata } = (await admin('GET', `${SHOP}/pods/${name}`)).body;
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid: metadata.uid };
      const { code, body } = await node('POST', `${SHOP}/serviceaccounts/${account}/token`, {
        spec: { audiences, boundObjectRef },
      });
      return code === 201 ? 201 : body.message;
    };
    expect(await token('mine', 'mine')).toBe(201);
    expect(await token('mine', 'theirs')).toMatch(/node requested token bound to a pod scheduled on a different node/);
    expect(await token('mine', 'mine', ['vault'])).toMatch(/audience "vault" not found in pod spec volume/);
    expect(await token('mine', 'mine', ['a', 'b'])).toMatch(/node may only request 0 or 1 audiences/);
  });

  test('loses access with its Pod', async () => {
    await post(`${SHOP}/secrets`, { metadata: { name: 'shared' } });
    const env = [{ name: 'X', valueFrom: { secretKeyRef: { name: 'shared', key: 'x' } } }];
    for (const name of ['first', 'second']) {
      await post(`${SHOP}/pods`, pod(name, 'a', { containers: [{ ...container, env }] }));
    }
    const read = async () => (await node('GET', `${SHOP}/secrets/shared`)).code;
    expect(await read()).toBe(200);
    await admin('DELETE', `${SHOP}/pods/first?gracePeriodSeconds=0`);
    expect(await read()).toBe(200);
    await admin('DELETE', `${SHOP}/pods/second?gracePeriodSeconds=0`);
    expect(await read()).toBe(403);
  });
});

describe('impersonation', () => {
  const headers = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [`Impersonate-${key}`, value]));
  const whoami = async (send: Send, values: Record<string, string>) => {
    const { body } = await send('POST', SELF, {}, undefined, headers(values));
    return body.status.userInfo ?? body.message;
  };

  test.each<[Record<string, string>, object]>([
    [{ User: 'bob' }, { username: 'bob', groups: ['system:authenticated'] }],
    [
      { User: 'bob', Group: 'a', Uid: '7', 'Extra-Scopes': 'view' },
      { username: 'bob', uid: '7', groups: ['a', 'system:authenticated'], extra: { scopes: ['view'] } },
    ],
    [{ User: 'system:node:a' }, { username: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] }],
    [
      { User: 'system:serviceaccount:shop:default' },
      { groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'] },
    ],
  ])('of %j by an administrator', async (values, wanted) => {
    expect(await whoami(admin, values)).toMatchObject(wanted);
  });

  test('is limited to users, groups, uids and extras that a role allows', async () => {
    await post(`${RBAC}/clusterroles`, {
      metadata: { name: 'actor' },
      rules: [
        { ...rule('impersonate', '', 'users'), resourceNames: ['bob'] },
        { ...rule('impersonate', '', 'groups'), resourceNames: ['a'] },
        { ...rule('impersonate', 'authentication.k8s.io', 'userextras/scopes'), resourceNames: ['view'] },
      ],
    });
    await post(`${RBAC}/clusterrolebindings`, binding('actor', 'ClusterRole', 'actor', user('actor')));
    const actor = await as('actor');
    expect(await whoami(actor, { User: 'bob', Group: 'a', 'Extra-scopes': 'view' })).toMatchObject({ username: 'bob' });
    for (const values of [
      { User: 'eve' },
      { User: 'bob', Group: 'system:masters' },
      { User: 'bob', Uid: '7' },
      { User: 'bob', 'Extra-scopes': 'edit' },
      { User: 'system:serviceaccount:shop:default' },
    ] as Record<string, string>[]) {
      expect(await whoami(actor, values)).toMatch(/is forbidden: User "actor" cannot impersonate/);
    }
    expect(await whoami(await as('mallory'), { User: 'bob' })).toBe(
      'selfsubjectreviews.authentication.k8s.io is forbidden: User "mallory" cannot impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    );
  });

  test('can be limited to verbs', async () => {
    const rules = [
      rule('impersonate-on:user-info:list', '', 'pods'),
      rule('impersonate:user-info', 'authentication.k8s.io', 'users'),
    ];
    await post(`${RBAC}/clusterroles`, { metadata: { name: 'lister' }, rules });
    await post(`${RBAC}/clusterrolebindings`, binding('lister', 'ClusterRole', 'lister', user('lister')));
    const lister = await as('lister');
    const list = (method: string, path: string) =>
      lister(method, path, undefined, undefined, headers({ User: 'viewer' }));
    expect((await list('GET', `${SHOP}/pods`)).code).toBe(200);
    expect((await list('GET', `${SHOP}/pods/mine`)).body.message).toMatch(/cannot impersonate-on:user-info:get/);
    expect((await list('GET', `${SHOP}/secrets`)).code).toBe(403);
  });

  test('of groups without a user is a mistake', async () => {
    const { code, body } = await admin('GET', '/version', undefined, undefined, headers({ Group: 'a' }));
    expect([code, body.reason]).toEqual([400, 'BadRequest']);
  });
});

describe('a token', () => {
  const issue = async (spec: object, account = 'default') => {
    const { code, body } = await admin('POST', `${SHOP}/serviceaccounts/${account}/token`, { spec });
    if (code !== 201) throw new Error(body.message);
    return body.status.token as string;
  };
  const review = async (token: string, audiences?: string[]) => {
    const spec = { token, ...(audiences ? { audiences } : {}) };
    return (await admin('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec })).body.status;
  };
  const bound = (kind: string, name: string) => ({ boundObjectRef: { kind, apiVersion: 'v1', name } });

  test('identifies its account, which may do nothing without a role', async () => {
    const token = await issue({});
    const { user: who } = await review(token);
    expect(who).toMatchObject({
      username: 'system:serviceaccount:shop:default',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    });
    for (const path of ['/api/v1/namespaces', `${SHOP}/pods`, `${SHOP}/secrets`, `${SHOP}/configmaps`]) {
      expect((await anonymous('GET', path, undefined, undefined, bearer(token))).code).toBe(403);
    }
    const post = await anonymous('POST', `${SHOP}/configmaps`, { metadata: { name: 'x' } }, undefined, bearer(token));
    expect(post.code).toBe(403);
  });

  test('for another audience is not valid here', async () => {
    const token = await issue({ audiences: ['vault'] });
    expect((await anonymous('GET', '/api', undefined, undefined, bearer(token))).code).toBe(401);
    expect(await review(token, ['vault', 'x'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect((await review(token)).error).toBe(
      '[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["https://kubernetes.default.svc.cluster.local"]]',
    );
  });

  test.each([
    ['Pod', 'pods', { spec: { containers: [{ name: 'c', image: 'i' }] } }, SHOP],
    ['Secret', 'secrets', {}, SHOP],
    ['Node', 'nodes', {}, '/api/v1'],
  ])('bound to a %s ends with it', async (kind, plural, content, place) => {
    const metadata = { name: 'bound' };
    await post(`${place}/${plural}`, { metadata, ...content });
    const token = await issue(bound(kind, 'bound'));
    expect(await review(token)).toMatchObject({ authenticated: true });
    await admin('DELETE', `${place}/${plural}/bound?gracePeriodSeconds=0`);
    expect((await review(token)).error).toBe('[invalid bearer token, service account token has been invalidated]');
    await post(`${place}/${plural}`, { metadata, ...content });
    expect((await review(token)).error).toMatch(/ UID \(.*\) does not match service account .* ref claim/);
    await admin('DELETE', `${place}/${plural}/bound?gracePeriodSeconds=0`);
  });

  test('ends with its account, also when another has its name', async () => {
    await post(`${SHOP}/serviceaccounts`, { metadata: { name: 'short' } });
    const token = await issue({}, 'short');
    await admin('DELETE', `${SHOP}/serviceaccounts/short`);
    expect((await review(token)).error).toBe('[invalid bearer token, serviceaccounts "short" not found]');
    await post(`${SHOP}/serviceaccounts`, { metadata: { name: 'short' } });
    expect((await review(token)).error).toMatch(/service account UID \(.*\) does not match claim/);
  });

  test.each<[string, string, string]>([
    ['with another signature', 'x', '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]'],
    ['with another form', '.x', 'invalid bearer token'],
  ])('%s is not valid', async (_, suffix, error) => {
    expect((await review((await issue({})) + suffix)).error).toBe(error);
  });

  test.each<[object, number]>([
    [{ expirationSeconds: 599 }, 422],
    [{ expirationSeconds: 600 }, 201],
    [{ expirationSeconds: 2 ** 32 }, 201],
    [{ expirationSeconds: 2 ** 32 + 1 }, 422],
    [{ expirationSeconds: null, boundObjectRef: null }, 201],
    [bound('Pod', 'missing'), 404],
    [bound('Foo', 'missing'), 400],
    [undefined as unknown as object, 201],
  ])('request %j: %i', async (spec, code) => {
    expect((await admin('POST', `${SHOP}/serviceaccounts/default/token`, { spec })).code).toBe(code);
  });
});

describe('the keys of tokens', () => {
  const paths = ['/.well-known/openid-configuration', '/openid/v1/jwks'];

  test('are published for ServiceAccounts and verify a token', async () => {
    const { body } = await admin('POST', `${SHOP}/serviceaccounts/default/token`, { spec: {} });
    const { token } = body.status as { token: string };
    const answers = await Promise.all(paths.map((path) => anonymous('GET', path, undefined, undefined, bearer(token))));
    expect(answers[0].body).toMatchObject({ issuer: 'https://kubernetes.default.svc.cluster.local' });
    expect(answers[0].body.jwks_uri).toMatch(/^https:.*\/openid\/v1\/jwks$/);
    const [head, payload, signature] = token.split('.');
    const { kid, alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
    const jwk = answers[1].body.keys.find((key: { kid: string }) => key.kid === kid);
    expect(jwk).toMatchObject({ use: 'sig', alg });
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const options = { key, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${head}.${payload}`), options, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
  });

  test('are not for everybody', async () => {
    for (const path of paths) expect((await anonymous('GET', path)).code).toBe(403);
  });
});

describe('reviews of rules', () => {
  test('list what the user may do', async () => {
    const viewer = await as('viewer');
    const { body } = await viewer('POST', `${REVIEWS}/selfsubjectrulesreviews`, { spec: { namespace: 'shop' } });
    expect(body.status.incomplete).toBe(false);
    expect(body.status.resourceRules).toContainEqual({
      verbs: ['get', 'list', 'watch'],
      apiGroups: [''],
      resources: ['namespaces'],
    });
    expect(JSON.stringify(body.status.resourceRules)).not.toContain('secrets');
  });

  test('of nodes are incomplete', async () => {
    const node = await as('system:node:a', 'system:nodes');
    const { body } = await node('POST', `${REVIEWS}/selfsubjectrulesreviews`, { spec: { namespace: 'shop' } });
    expect(body.status).toMatchObject({
      incomplete: true,
      evaluationError: 'node authorizer does not support user rule resolution',
    });
  });
});

describe('kubectl auth', () => {
  let run: Kubectl;
  let viewer: Kubectl;
  beforeAll(async () => {
    run = kubectl(server.kubeconfig);
    viewer = kubectl(await server.kubeconfigFor('viewer'));
  });

  test('can-i answers for the user and for others', async () => {
    expect(await viewer('auth can-i get pods -n shop')).toMatchObject({ code: 0, stdout: 'yes\n' });
    expect(await viewer('auth can-i delete pods -n shop')).toMatchObject({ code: 1, stdout: 'no\n' });
    expect(await viewer('auth can-i get pods -n other')).toMatchObject({ code: 1, stdout: 'no\n' });
    expect((await run('auth can-i get pods -n shop --as viewer')).stdout).toBe('yes\n');
    expect((await run('auth can-i get pods -n shop --as nobody --as-group nothing')).stdout).toBe('no\n');
    expect((await viewer('auth can-i get /healthz')).stdout).toBe('yes\n');
    expect((await viewer('auth can-i get /metrics')).stdout).toBe('no\n');
  });

  test('can-i --list prints the rules', async () => {
    const { stdout } = await viewer('auth can-i --list -n shop');
    expect(stdout).toMatch(/^pods\/log +\[\] +\[\] +\[get list watch\]$/m);
    expect(stdout).toMatch(/\[\/version\] +\[\] +\[get\]/);
    expect(stdout).not.toContain('secrets');
  });

  test('whoami prints user and groups', async () => {
    expect((await viewer('auth whoami')).stdout).toMatch(/Username +viewer/);
    expect((await run('auth whoami --as bob --as-group team --as-uid 7')).stdout).toMatch(
      /Username +bob\nUID +7\nGroups +\[team system:authenticated\]/,
    );
  });

  test('reconcile creates roles and adds what bindings lack', async () => {
    const role = (verbs: string[]) =>
      JSON.stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'reconciled', namespace: 'shop' },
        rules: [{ verbs, apiGroups: [''], resources: ['pods'] }],
      });
    expect((await run('auth reconcile -f -', { input: role(['get']) })).stdout).toContain('reconciled');
    expect((await run('auth reconcile -f -', { input: role(['get', 'list']) })).stdout).toContain('reconciled');
    const { stdout } = await run('get role reconciled -n shop -o jsonpath={.rules[*].verbs}');
    expect(stdout).toContain('list');
  });

  test('create token binds a token to an object', async () => {
    await run('create secret generic holder -n shop');
    const token = (
      await run('create token default -n shop --bound-object-kind Secret --bound-object-name holder --duration 10m')
    ).stdout.trim();
    const read = () => anonymous('GET', '/api', undefined, undefined, bearer(token));
    expect((await read()).code).toBe(200);
    await run('delete secret holder -n shop');
    expect((await read()).code).toBe(401);
  });
});

test('the audit log names the user of a denied request', async () => {
  const mallory = await as('mallory');
  await mallory('GET', `${SHOP}/secrets/passwords`);
  const entries = (): Record<string, unknown>[] =>
    readFileSync(join(folder, 'audit.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ name }) => name === 'passwords');
  await until(() => Promise.resolve(entries().length > 0));
  expect(entries()).toMatchObject([{ user: 'mallory', verb: 'get', code: 403 }]);
});
