import {
  APPLY,
  collection,
  configMap,
  create,
  get,
  JSON_PATCH,
  MERGE,
  NAMESPACE,
  Object,
  patch,
  pathOf,
  pod,
  remove,
  Step,
} from './scenario';

/** Address of the webhooks, which both servers call. */
export interface HookAddress {
  readonly port: number;
  /** In base64. */
  readonly ca: string;
}

type Json = Record<string, unknown>;
let serial = 0;

const GROUP = 'admissionregistration.k8s.io/v1';
const CONFIGMAPS = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];

function areaOf({ port, ca }: HookAddress): Step[] {
  const hook = (path: string, fields: Json = {}): Json => ({
    name: `${path.slice(1)}.hook.example`,
    clientConfig: { url: `https://127.0.0.1:${port}${path}`, caBundle: ca },
    rules: CONFIGMAPS,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': NAMESPACE } },
    objectSelector: { matchExpressions: [{ key: 'marker', operator: 'DoesNotExist' }] },
    ...fields,
  });

  /** Creates a configuration, waits until it is in use, sends the steps, deletes it. */
  function within(kind: 'Validating' | 'Mutating', hooks: Json[], steps: Step[]): Step[] {
    const marker = `m${++serial}`;
    const ready = hook('/deny-message', {
      name: 'ready.hook.example',
      objectSelector: { matchLabels: { marker } },
    });
    const configuration: Object = {
      apiVersion: GROUP,
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: `areas-${kind.toLowerCase()}` },
      webhooks: [...hooks, ready],
    };
    const probe = configMap('probe', { namespace: NAMESPACE, labels: { marker } });
    return [
      create('configuration', configuration, { silent: true }),
      create('probe', probe, {
        silent: true,
        query: 'dryRun=All',
        until: ({ body }) => String((body as { message?: string } | null)?.message).includes('ready.hook.example'),
      }),
      ...steps,
      remove('configuration', pathOf(configuration), { silent: true }),
    ];
  }

  const make = (name: string, metadata: Json = {}, query = ''): Step =>
    create(name, configMap('cm', metadata), { query: query || 'dryRun=All' });
  const one = pathOf(configMap('cm'));
  const validating = (path: string, fields: Json = {}): Step[] =>
    within('Validating', [hook(path, fields)], [make(`validating ${path} ${JSON.stringify(fields)}`)]);
  const mutating = (path: string, fields: Json = {}): Step[] =>
    within('Mutating', [hook(path, fields)], [make(`mutating ${path} ${JSON.stringify(fields)}`)]);
  const rules = (fields: Json): Json => ({ rules: [{ ...CONFIGMAPS[0], ...fields }] });
  const condition = (expression: string): Json => ({ matchConditions: [{ name: 'c', expression }] });
  const answers = [
    '/allow',
    '/deny',
    '/deny-message',
    '/deny-code',
    '/deny-reason',
    '/deny-200',
    '/deny-details',
    '/deny-warn',
    '/warn',
    '/warn-long',
    '/warn-bad',
    '/audit',
    '/facts',
    '/500',
    '/404',
    '/garbage',
    '/empty',
    '/no-response',
    '/wrong-kind',
    '/wrong-version',
    '/wrong-uid',
    '/no-uid',
  ];
  const patches = [
    '/echo',
    '/label',
    '/patch-bad',
    '/patch-syntax',
    '/patch-type',
    '/patch-no-type',
    '/patch-invalid',
    '/patch-shape',
    '/patch-name',
    '/patch-unknown',
  ];
  const life = (path: string): Step[] => [
    create('create', configMap('cm')),
    create('create with generated name', { ...configMap('x'), metadata: { generateName: 'g-' } } as Object, {
      query: 'dryRun=All',
    }),
    create('create with options', configMap('cm2'), { query: 'dryRun=All&fieldManager=m&fieldValidation=Strict' }),
    { name: 'update', method: 'PUT', path: one, body: configMap('cm', {}, { a: 'c' }) },
    patch('merge', one, { data: { b: 'c' } }),
    patch('json', one, [{ op: 'add', path: '/data/x', value: 'y' }], { type: JSON_PATCH }),
    patch('apply', `${one}?fieldManager=m&force=true`, configMap('cm', {}, { z: 'z' }), { type: APPLY }),
    patch('apply new', `${collection('v1', 'ConfigMap')}/new?fieldManager=m&dryRun=All`, configMap('new'), {
      type: APPLY,
    }),
    remove('delete dry', `${one}?dryRun=All&propagationPolicy=Orphan`),
    get('read', one),
    remove('delete collection', `${collection('v1', 'ConfigMap')}?labelSelector=a%3Db`),
    remove('delete', one),
    { name: `${path} again`, method: 'DELETE', path: one },
  ];
  const subresources: Step[] = [
    create('pod', pod('p')),
    patch('status', `${pathOf(pod('p'))}/status`, { status: { phase: 'Running' } }),
    create('eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } } as Object, {
      path: `${pathOf(pod('p'))}/eviction?dryRun=All`,
    }),
    create(
      'binding',
      { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } } as Object,
      {
        path: `${pathOf(pod('p'))}/binding?dryRun=All`,
      },
    ),
    patch('ephemeral', `${pathOf(pod('p'))}/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] },
    }),
    { name: 'exec', method: 'POST', path: `${pathOf(pod('p'))}/exec?command=ls` },
    { name: 'attach', method: 'GET', path: `${pathOf(pod('p'))}/attach?container=c` },
    get('log', `${pathOf(pod('p'))}/log`),
    create(
      'token',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'] } } as Object,
      {
        path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default/token?dryRun=All`,
      },
    ),
    remove('delete', `${pathOf(pod('p'))}?gracePeriodSeconds=0`),
  ];
  const everything = { rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }] };
  const deployment: Object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
  return [
    ...answers.flatMap((path) => validating(path)),
    ...answers.flatMap((path) => mutating(path)),
    ...patches.flatMap((path) => mutating(path)),
    ...['/patch-bad', '/patch-syntax', '/500', '/garbage', '/deny', '/patch-type', '/wrong-uid'].flatMap((path) =>
      mutating(path, { failurePolicy: 'Ignore' }),
    ),
    ...['/500', '/deny', '/garbage', '/wrong-uid', '/404'].flatMap((path) =>
      validating(path, { failurePolicy: 'Ignore' }),
    ),
    ...validating('/silent', { timeoutSeconds: 1 }),
    ...mutating('/silent', { timeoutSeconds: 1 }),
    ...validating('/silent', { timeoutSeconds: 1, failurePolicy: 'Ignore' }),
    ...validating('/allow', { clientConfig: { url: 'https://127.0.0.1:9/x', caBundle: ca } }),
    ...validating('/allow', { clientConfig: { url: 'https://127.0.0.1:9/x', caBundle: ca }, failurePolicy: 'Ignore' }),
    ...validating('/allow', { clientConfig: { service: { name: 'missing', namespace: NAMESPACE } } }),
    ...mutating('/allow', {
      clientConfig: { service: { name: 'missing', namespace: NAMESPACE, path: '/x', port: 8443 } },
    }),
    ...validating('/allow', { clientConfig: { url: `https://127.0.0.1:${port}/allow` } }),
    ...validating('/facts', { sideEffects: 'NoneOnDryRun' }),
    ...validating('/deny', condition('object.metadata.name == "cm"')),
    ...validating('/deny', condition('object.metadata.name == "other"')),
    ...validating('/deny', condition('object.nope == "cm"')),
    ...validating('/deny', { ...condition('object.nope == "cm"'), failurePolicy: 'Ignore' }),
    ...mutating('/deny', condition('object.nope == "cm"')),
    ...validating('/deny', condition('request.operation == "CREATE" && request.userInfo.username == "admin"')),
    ...validating('/deny', condition('authorizer.group("").resource("configmaps").check("get").allowed()')),
    ...validating('/deny', condition('!authorizer.requestResource.check("create").allowed()')),
    ...validating('/deny', {
      matchConditions: [
        { name: 'a', expression: 'object.nope == 1' },
        { name: 'b', expression: 'false' },
      ],
    }),
    ...validating('/deny', { objectSelector: { matchLabels: { a: 'b' } } }),
    ...validating('/deny', { objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] } }),
    ...validating('/deny', { namespaceSelector: { matchLabels: { a: 'b' } } }),
    ...validating('/deny', rules({ operations: ['UPDATE'] })),
    ...validating('/deny', rules({ scope: 'Cluster' })),
    ...validating('/deny', rules({ scope: 'Namespaced' })),
    ...validating('/deny', rules({ resources: ['*'] })),
    ...validating('/deny', rules({ resources: ['*/*'] })),
    ...validating('/deny', rules({ resources: ['*/status'] })),
    ...validating('/deny', rules({ apiGroups: ['apps'] })),
    ...validating('/deny', rules({ apiVersions: ['v2'] })),
    ...within('Mutating', [hook('/echo')], life('echo')),
    ...within('Validating', [hook('/facts', rules({ operations: ['UPDATE', 'DELETE'] }))], life('facts')),
    ...within('Validating', [hook('/warn')], life('warn')),
    ...within('Validating', [hook('/facts', everything)], subresources),
    ...within('Validating', [hook('/facts', rules({ apiGroups: ['*'], resources: ['pods/*'] }))], subresources),
    ...within(
      'Validating',
      [
        hook('/facts', {
          rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['*/scale'] }],
        }),
      ],
      [
        create('deployment', deployment),
        patch('scale', `${pathOf(deployment)}/scale`, { spec: { replicas: 1 } }),
        remove('delete', pathOf(deployment)),
      ],
    ),
    ...within(
      'Mutating',
      [hook('/count', { name: 'a.hook.example', reinvocationPolicy: 'IfNeeded' }), hook('/second')],
      [make('reinvocation')],
    ),
    ...within('Mutating', [hook('/count', { name: 'a.hook.example' }), hook('/second')], [make('no reinvocation')]),
    ...within(
      'Mutating',
      [hook('/label'), hook('/deny', { objectSelector: { matchLabels: { hooked: 'yes' } } })],
      [make('selector sees the earlier patch')],
    ),
    ...within('Mutating', [hook('/deny'), hook('/deny-message')], [make('first denial')]),
    ...within('Validating', [hook('/warn'), hook('/deny-warn')], [make('warnings of both')]),
    ...within(
      'Validating',
      [hook('/deny', { name: 'a.hook.example' })],
      [
        { name: 'other type', method: 'PATCH', path: `${collection('v1', 'ConfigMap')}/none`, body: {}, type: MERGE },
        { name: 'missing deletion', method: 'DELETE', path: `${collection('v1', 'ConfigMap')}/none` },
        create('invalid', configMap('Not Valid_')),
      ],
    ),
  ];
}

export const webhooks = areaOf;
