import { configMap, create, get, Object, patch, pathOf, pod, remove, Step } from './scenario';

type Json = Record<string, unknown>;

const namespaceOf = (name: string, labels: Json = {}): Object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: `areas-${process.pid}-${name}`, labels } as Object['metadata'],
});

/** Creates a namespace with its account, sends the steps, deletes it. */
export function inNamespace(name: string, steps: (namespace: string) => Step[], labels: Json = {}): Step[] {
  const object = namespaceOf(name, labels);
  const namespace = object.metadata!.name!;
  return [
    create(name, object, { silent: true }),
    get('account', `/api/v1/namespaces/${namespace}/serviceaccounts/default`, {
      silent: true,
      until: ({ code }) => code === 200,
    }),
    get('root certificate', `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`, {
      silent: true,
      until: ({ code }) => code === 200,
    }),
    ...steps(namespace).map((step) => ({ ...step, name: `${name}: ${step.name}` })),
    remove(name, pathOf(object), { silent: true }),
  ];
}

const inside = (namespace: string, object: Object): Object => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

function quotaCase(
  name: string,
  spec: Json,
  objects: Object[],
  extra: (namespace: string) => Step[] = () => [],
): Step[] {
  return inNamespace(name, (namespace) => {
    const quota: Object = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace }, spec };
    return [
      create('quota', quota),
      get('status', pathOf(quota), {
        until: ({ body }) => !!(body as { status?: { hard?: Json } }).status?.hard || !spec.hard,
      }),
      ...objects.map((object) => create(`${object.kind} ${object.metadata?.name}`, inside(namespace, object))),
      get('status after', pathOf(quota)),
      ...extra(namespace),
    ];
  });
}

const resources = (requests: Json, limits?: Json): Json => ({ resources: { requests, ...(limits ? { limits } : {}) } });
const claim = (name: string, storage: string, fields: Json = {}): Object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...fields },
});
const service = (name: string, spec: Json): Object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: {
    ports: [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ],
    ...spec,
  },
});
const deployment = (name: string): Object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
const limitRange = (limits: Json[]): Object => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'l' },
  spec: { limits },
});

function limitCase(name: string, limits: Json[], objects: Object[]): Step[] {
  return inNamespace(name, (namespace) => [
    create('range', inside(namespace, limitRange(limits))),
    // Kubernetes reads limit ranges from a cache.
    create('known', pod('known', {}, {}, { namespace }), {
      silent: true,
      query: 'dryRun=All',
      until: () => Date.now() > (ready[name] ??= Date.now() + 500),
    }),
    ...objects.map((object) => create(`${object.kind} ${object.metadata?.name}`, inside(namespace, object))),
  ]);
}
const ready: Record<string, number> = {};

const rejected = (name: string, kind: string, spec: Json): Step =>
  create(
    `rejected ${kind} ${name}`,
    { apiVersion: 'v1', kind, metadata: { name: 'x' }, spec },
    { query: 'dryRun=All' },
  );

export function quotas(): Step[] {
  return [
    ...quotaCase('pods', { hard: { pods: '1' } }, [pod('a'), pod('b')], (namespace) => [
      remove('delete', `${pathOf(inside(namespace, pod('a')))}?gracePeriodSeconds=0`, { silent: true }),
      get('status after delete', `/api/v1/namespaces/${namespace}/resourcequotas/q`, {
        until: ({ body }) => (body as { status?: { used?: Json } }).status?.used?.pods === '0',
      }),
      create('b again', inside(namespace, pod('b'))),
    ]),
    ...quotaCase(
      'compute',
      { hard: { 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2', 'limits.memory': '2Gi' } },
      [
        pod('none'),
        pod('requests', {}, resources({ cpu: '100m', memory: '64Mi' })),
        pod('limits', {}, { resources: { limits: { cpu: '500m', memory: '512Mi' } } }),
        pod('both', {}, resources({ cpu: '100m', memory: '64Mi' }, { cpu: '200m', memory: '128Mi' })),
        pod('too-much', {}, resources({ cpu: '600m', memory: '600Mi' }, { cpu: '2', memory: '2Gi' })),
        pod('two', {
          containers: [
            { name: 'a', image: 'i' },
            { name: 'b', image: 'i', ...resources({ cpu: '1m', memory: '1Mi' }, { cpu: '1m', memory: '1Mi' }) },
          ],
        }),
        pod(
          'init',
          {
            initContainers: [
              { name: 'i', image: 'i', ...resources({ cpu: '400m', memory: '1Mi' }, { cpu: '400m', memory: '1Mi' }) },
            ],
          },
          resources({ cpu: '1m', memory: '1Mi' }, { cpu: '1m', memory: '1Mi' }),
        ),
        pod('level', { resources: { requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1m', memory: '1Mi' } } }),
      ],
      (namespace) => [
        patch('resize', `${pathOf(inside(namespace, pod('both')))}/resize`, {
          spec: {
            containers: [
              {
                name: 'c',
                image: 'registry.example/app:1',
                ...resources({ cpu: '900m', memory: '64Mi' }, { cpu: '900m', memory: '128Mi' }),
              },
            ],
          },
        }),
      ],
    ),
    ...quotaCase('cpu', { hard: { cpu: '1', memory: '1Gi' } }, [
      pod('none'),
      pod('fits', {}, resources({ cpu: '1', memory: '1Gi' })),
      pod('exceeds', {}, resources({ cpu: '1m', memory: '1' })),
    ]),
    ...quotaCase(
      'objects',
      {
        hard: {
          configmaps: '2',
          secrets: '1',
          services: '2',
          'services.nodeports': '2',
          'services.loadbalancers': '1',
          replicationcontrollers: '1',
          resourcequotas: '1',
          persistentvolumeclaims: '1',
          'requests.storage': '5Gi',
        },
      },
      [
        configMap('a'),
        configMap('b'),
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' } },
        service('a', {}),
        service('b', { type: 'NodePort' }),
        service('c', { type: 'LoadBalancer' }),
        claim('big', '6Gi'),
        claim('a', '4Gi'),
        claim('b', '1Gi'),
        { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'second' }, spec: { hard: { pods: '1' } } },
      ],
      (namespace) => [
        patch('to node port', `/api/v1/namespaces/${namespace}/services/a`, { spec: { type: 'NodePort' } }),
        remove('configmap', `/api/v1/namespaces/${namespace}/configmaps/a`),
        create('configmap again', inside(namespace, configMap('c'))),
      ],
    ),
    ...quotaCase(
      'counts',
      {
        hard: {
          'count/configmaps': '2',
          'count/deployments.apps': '1',
          'count/pods': '1',
          'count/leases.coordination.k8s.io': '0',
        },
      },
      [
        configMap('a'),
        configMap('b'),
        deployment('a'),
        deployment('b'),
        pod('a'),
        pod('b'),
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } },
      ],
      (namespace) => [
        create('dry run', inside(namespace, deployment('c')), { query: 'dryRun=All' }),
        patch('raise', `/api/v1/namespaces/${namespace}/resourcequotas/q`, {
          spec: { hard: { 'count/deployments.apps': '2' } },
        }),
        get('raised', `/api/v1/namespaces/${namespace}/resourcequotas/q`, {
          until: ({ body }) => (body as { status?: { hard?: Json } }).status?.hard?.['count/deployments.apps'] === '2',
        }),
        create('deployment c', inside(namespace, deployment('c'))),
      ],
    ),
    ...quotaCase('terminating', { hard: { pods: '1' }, scopes: ['Terminating'] }, [
      pod('long'),
      pod('a', { activeDeadlineSeconds: 5 }),
      pod('b', { activeDeadlineSeconds: 5 }),
    ]),
    ...quotaCase('not-terminating', { hard: { pods: '1' }, scopes: ['NotTerminating'] }, [
      pod('a', { activeDeadlineSeconds: 5 }),
      pod('b'),
      pod('c'),
    ]),
    ...quotaCase('best-effort', { hard: { pods: '1' }, scopes: ['BestEffort'] }, [
      pod('x', {}, resources({ cpu: '1m' })),
      pod('a'),
      pod('b'),
    ]),
    ...quotaCase('not-best-effort', { hard: { pods: '1', 'requests.cpu': '1' }, scopes: ['NotBestEffort'] }, [
      pod('a'),
      pod('b', {}, resources({ memory: '1Mi' })),
      pod('c', {}, resources({ cpu: '1m' })),
      pod('d', {}, resources({ cpu: '1m' })),
    ]),
    ...quotaCase(
      'priority',
      {
        hard: { pods: '0' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }],
        },
      },
      [
        pod('a'),
        pod('b', { priorityClassName: 'system-node-critical' }),
        pod('c', { priorityClassName: 'system-cluster-critical' }),
      ],
    ),
    ...quotaCase(
      'priority-exists',
      {
        hard: { pods: '0' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
      },
      [pod('a'), pod('b', { priorityClassName: 'system-cluster-critical' })],
    ),
    ...quotaCase('affinity', { hard: { pods: '0' }, scopes: ['CrossNamespacePodAffinity'] }, [
      pod('a'),
      pod('b', {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'x', labelSelector: {}, namespaces: ['default'] },
            ],
          },
        },
      }),
    ]),
    ...quotaCase(
      'classes',
      {
        hard: {
          'fast.storageclass.storage.k8s.io/requests.storage': '1Gi',
          'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
        },
      },
      [
        claim('slow', '5Gi', { storageClassName: 'slow' }),
        claim('big', '2Gi', { storageClassName: 'fast' }),
        claim('a', '1Gi', { storageClassName: 'fast' }),
        claim('b', '1', { storageClassName: 'fast' }),
      ],
    ),
    ...quotaCase(
      'extended',
      { hard: { 'requests.example.com/gpu': '1', 'requests.ephemeral-storage': '1Gi', 'hugepages-2Mi': '4Mi' } },
      [
        pod('none'),
        pod('one', {}, resources({ 'ephemeral-storage': '1Mi', 'example.com/gpu': '1' }, { 'example.com/gpu': '1' })),
        pod('two', {}, resources({ 'ephemeral-storage': '1Mi', 'example.com/gpu': '1' }, { 'example.com/gpu': '1' })),
      ],
    ),
    ...quotaCase('empty', {}, [pod('a')]),
    ...inNamespace('two', (namespace) => [
      ...['x', 'y'].flatMap((name) => {
        const hard = name === 'x' ? { configmaps: '1', secrets: '0' } : { configmaps: '1' };
        const quota: Object = {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name, namespace },
          spec: { hard },
        };
        return [
          create(name, quota),
          get(name, pathOf(quota), {
            silent: true,
            until: ({ body }) => !!(body as { status?: { used?: Json } }).status?.used,
          }),
        ];
      }),
      create('configmap', inside(namespace, configMap('a'))),
      create('secret', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace } }),
    ]),
    ...[
      {},
      { hard: { 'Not Valid': '1' } },
      { hard: { pods: '-1' } },
      { hard: { pods: '1.5' } },
      { hard: { nope: '1' } },
      { hard: { 'count/nope': '1' } },
      { hard: { pods: 'x' } },
      { hard: { 'requests.cpu': '1' }, scopes: ['BestEffort'] },
      { hard: { pods: '1' }, scopes: ['Nope'] },
      { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] },
      { hard: { pods: '1' }, scopes: ['Terminating', 'Terminating'] },
      { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } },
      {
        hard: { pods: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['x'] }] },
      },
      {
        hard: { pods: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'In', values: ['x'] }] },
      },
      { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'Nope', operator: 'Nope' }] } },
      { hard: { configmaps: '1' }, scopes: ['Terminating'] },
    ].map((spec) => rejected(JSON.stringify(spec), 'ResourceQuota', spec)),
  ];
}

export function limits(): Step[] {
  const container = (fields: Json): Json => ({ type: 'Container', ...fields });
  return [
    ...limitCase(
      'defaults',
      [container({ default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m', memory: '128Mi' } })],
      [
        pod('none'),
        pod('requests', {}, resources({ cpu: '10m' })),
        pod('limits', {}, { resources: { limits: { cpu: '2' } } }),
        pod('more', {}, resources({ cpu: '2' })),
        pod('init', { initContainers: [{ name: 'i', image: 'i' }] }),
        pod('level', { resources: { requests: { cpu: '1m' } } }),
      ],
    ),
    ...limitCase(
      'only-limits',
      [container({ default: { cpu: '1' } })],
      [pod('none'), pod('requests', {}, resources({ cpu: '10m' }))],
    ),
    ...limitCase(
      'only-max',
      [container({ max: { cpu: '1' } })],
      [pod('none'), pod('limits', {}, { resources: { limits: { cpu: '2' } } })],
    ),
    ...limitCase(
      'bounds',
      [
        container({
          min: { cpu: '100m', memory: '10Mi' },
          max: { cpu: '1', memory: '1Gi' },
          maxLimitRequestRatio: { cpu: '2' },
        }),
      ],
      [
        pod('none'),
        pod('small', {}, resources({ cpu: '10m', memory: '1Mi' }, { cpu: '10m', memory: '1Mi' })),
        pod('equal', {}, resources({ cpu: '100m', memory: '10Mi' }, { cpu: '200m', memory: '1Gi' })),
        pod('large', {}, resources({ cpu: '2', memory: '2Gi' }, { cpu: '2', memory: '2Gi' })),
        pod('ratio', {}, resources({ cpu: '100m', memory: '10Mi' }, { cpu: '1', memory: '1Gi' })),
        pod('requests', {}, resources({ cpu: '2' })),
      ],
    ),
    ...limitCase(
      'pod',
      [{ type: 'Pod', max: { cpu: '1', memory: '1Gi' }, min: { cpu: '100m' }, maxLimitRequestRatio: { memory: '2' } }],
      [
        pod('none'),
        pod('large', {}, resources({ cpu: '2', memory: '2Gi' }, { cpu: '2', memory: '2Gi' })),
        pod('small', {}, resources({ cpu: '10m', memory: '1Mi' }, { cpu: '10m', memory: '1Mi' })),
        pod('fits', {}, resources({ cpu: '500m', memory: '512Mi' }, { cpu: '500m', memory: '512Mi' })),
        pod('sum', {
          containers: ['a', 'b'].map((name) => ({
            name,
            image: 'i',
            ...resources({ cpu: '600m', memory: '1Mi' }, { cpu: '600m', memory: '1Mi' }),
          })),
        }),
        pod(
          'init',
          {
            initContainers: [
              { name: 'i', image: 'i', ...resources({ cpu: '2', memory: '1Mi' }, { cpu: '2', memory: '1Mi' }) },
            ],
          },
          resources({ cpu: '500m', memory: '1Mi' }, { cpu: '500m', memory: '1Mi' }),
        ),
      ],
    ),
    ...limitCase(
      'claims',
      [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } }],
      [claim('small', '1Mi'), claim('min', '1Gi'), claim('max', '2Gi'), claim('large', '3Gi')],
    ),
    ...[
      {},
      { limits: [{}] },
      { limits: [{ type: 'Nope', max: { cpu: '1' } }] },
      { limits: [{ type: 'example.com/x', max: { cpu: '1' } }] },
      { limits: [container({}), container({})] },
      { limits: [container({ min: { cpu: '2' }, max: { cpu: '1' } })] },
      { limits: [container({ default: { cpu: '2' }, max: { cpu: '1' } })] },
      { limits: [container({ default: { cpu: '1' }, min: { cpu: '2' } })] },
      { limits: [container({ defaultRequest: { cpu: '3' }, default: { cpu: '2' } })] },
      { limits: [container({ defaultRequest: { cpu: '3' }, max: { cpu: '2' }, min: { cpu: '4' } })] },
      { limits: [container({ maxLimitRequestRatio: { cpu: '0.5' } })] },
      { limits: [container({ maxLimitRequestRatio: { cpu: '9' }, min: { cpu: '1' }, max: { cpu: '2' } })] },
      { limits: [{ type: 'Pod', default: { cpu: '1' } }] },
      { limits: [{ type: 'Pod', defaultRequest: { cpu: '1' } }] },
      { limits: [{ type: 'PersistentVolumeClaim' }] },
      { limits: [{ type: 'PersistentVolumeClaim', max: { cpu: '1' } }] },
      { limits: [container({ max: { nope: '1' } })] },
      { limits: [container({ max: { cpu: '-1' } })] },
      { limits: [container({ max: { 'example.com/x': '1' } })] },
    ].map((spec) => rejected(JSON.stringify(spec), 'LimitRange', spec)),
  ];
}
