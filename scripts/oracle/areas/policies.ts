import { configMap, create, get, NAMESPACE, Object, patch, pathOf, pod, remove, Step } from './scenario';

type Json = Record<string, unknown>;

const GROUP = 'admissionregistration.k8s.io/v1';

interface Case {
  readonly name: string;
  readonly spec: Json;
  readonly binding?: Json;
  /** Requests about objects with the label of the case. Default: one ConfigMap. */
  readonly steps?: (labels: Json) => Step[];
}

const validate = (name: string, validation: Json, spec: Json = {}, binding: Json = {}): Case => ({
  name,
  spec: { validations: [validation], ...spec },
  binding,
});

const params = (fields: Json): Json => ({ paramRef: { parameterNotFoundAction: 'Deny', ...fields } });
const PARAM_KIND = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };

const cases: readonly Case[] = [
  validate('denies', { expression: 'false' }),
  validate('allows', { expression: 'true' }),
  validate('message', { expression: 'false', message: 'no way' }),
  validate('reason', { expression: 'false', message: 'no way', reason: 'Forbidden' }),
  validate('reason unauthorized', { expression: 'false', reason: 'Unauthorized' }),
  validate('reason too large', { expression: 'false', reason: 'RequestEntityTooLarge' }),
  validate('reason invalid', { expression: 'false', reason: 'Invalid' }),
  validate('message expression', { expression: 'false', messageExpression: '"name is " + object.metadata.name' }),
  validate('message expression fails', { expression: 'false', message: 'm', messageExpression: 'object.nope' }),
  validate('empty message expression', { expression: 'false', message: 'm', messageExpression: '""' }),
  validate('message expression with line break', { expression: 'false', messageExpression: '"a\\nb"' }),
  validate('long message expression', {
    expression: 'false',
    messageExpression:
      '"0123456789".replace("", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")',
  }),
  validate('failing expression', { expression: 'object.nope == 1' }),
  validate('failing expression ignored', { expression: 'object.nope == 1' }, { failurePolicy: 'Ignore' }),
  validate('failing map', { expression: 'object.data["missing"] == "x"' }),
  validate('division', { expression: '1 / (size(object.data) - 1) == 0' }),
  validate('old object', { expression: 'oldObject == null' }),
  validate('request', { expression: 'request.operation != "CREATE" || request.userInfo.username != "admin"' }),
  validate('dry run', { expression: '!request.dryRun' }),
  validate('namespace', { expression: `namespaceObject.metadata.name != "${NAMESPACE}"` }),
  validate('authorizer', {
    expression: '!authorizer.group("").resource("secrets").namespace("x").check("get").allowed()',
  }),
  validate('authorizer account', {
    expression: 'authorizer.serviceAccount("default", "x").group("").resource("secrets").check("get").allowed()',
    messageExpression:
      '"reason: " + authorizer.serviceAccount("default", "x").resource("secrets").check("get").reason()',
  }),
  validate('request resource', { expression: '!authorizer.requestResource.check("create").allowed()' }),
  validate(
    'variables',
    { expression: 'variables.b' },
    {
      variables: [
        { name: 'a', expression: 'object.metadata.name' },
        { name: 'b', expression: 'variables.a == "other"' },
      ],
    },
  ),
  validate(
    'failing variable',
    { expression: 'variables.a == 1' },
    { variables: [{ name: 'a', expression: 'object.nope' }] },
  ),
  validate(
    'matching condition',
    { expression: 'false' },
    {
      matchConditions: [{ name: 'm', expression: 'object.metadata.name == "other"' }],
    },
  ),
  validate(
    'failing condition',
    { expression: 'false' },
    { matchConditions: [{ name: 'm', expression: 'object.nope' }] },
  ),
  validate(
    'failing condition ignored',
    { expression: 'false' },
    {
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'm', expression: 'object.nope == 1' }],
    },
  ),
  validate(
    'condition over error',
    { expression: 'false' },
    {
      matchConditions: [
        { name: 'm', expression: 'object.nope == 1' },
        { name: 'n', expression: 'false' },
      ],
    },
  ),
  validate('warns', { expression: 'false', message: 'careful' }, {}, { validationActions: ['Warn'] }),
  validate('audits', { expression: 'false', message: 'careful' }, {}, { validationActions: ['Audit'] }),
  validate(
    'warns and audits',
    { expression: 'false', message: 'careful' },
    {},
    { validationActions: ['Warn', 'Audit'] },
  ),
  validate('warns of failure', { expression: 'object.nope == 1' }, {}, { validationActions: ['Warn'] }),
  validate('denies and audits', { expression: 'false' }, {}, { validationActions: ['Deny', 'Audit'] }),
  validate(
    'audit annotations',
    { expression: 'true' },
    {
      auditAnnotations: [{ key: 'k', valueExpression: '"v " + object.metadata.name' }],
    },
  ),
  validate(
    'failing audit annotation',
    { expression: 'true' },
    {
      auditAnnotations: [{ key: 'k', valueExpression: 'object.nope' }],
    },
  ),
  {
    name: 'two validations',
    spec: {
      validations: [
        { expression: 'false', message: 'first' },
        { expression: 'false', message: 'second' },
      ],
    },
  },
  {
    name: 'two validations that warn',
    spec: {
      validations: [
        { expression: 'false', message: 'first' },
        { expression: 'false', message: 'second' },
      ],
    },
    binding: { validationActions: ['Warn'] },
  },
  validate(
    'params',
    { expression: 'object.data.a != params.data.a', messageExpression: '"is " + params.data.a' },
    PARAM_KIND,
    {
      ...params({ name: 'param', namespace: NAMESPACE }),
    },
  ),
  validate(
    'params of own namespace',
    { expression: 'object.data.a != params.data.a' },
    PARAM_KIND,
    params({ name: 'param' }),
  ),
  validate('missing params', { expression: 'true' }, PARAM_KIND, params({ name: 'missing' })),
  validate('missing params allowed', { expression: 'params == null ? false : true' }, PARAM_KIND, {
    paramRef: { parameterNotFoundAction: 'Allow', name: 'missing' },
  }),
  validate(
    'params by selector',
    { expression: 'object.data.a != params.data.a' },
    PARAM_KIND,
    params({
      selector: { matchLabels: { param: 'yes' } },
    }),
  ),
  validate(
    'no params by selector',
    { expression: 'true' },
    PARAM_KIND,
    params({ selector: { matchLabels: { param: 'no' } } }),
  ),
  validate('no reference to params', { expression: 'params == null', message: 'has params' }, PARAM_KIND),
  validate(
    'unknown kind of params',
    { expression: 'true' },
    { paramKind: { apiVersion: 'nope/v1', kind: 'Nope' } },
    params({ name: 'x' }),
  ),
  validate(
    'binding selects others',
    { expression: 'false' },
    {},
    {
      matchResources: { objectSelector: { matchLabels: { other: 'x' } } },
    },
  ),
  validate(
    'binding of other operations',
    { expression: 'false' },
    {},
    {
      matchResources: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] }],
      },
    },
  ),
  {
    name: 'life',
    spec: {
      validations: [
        { expression: 'request.operation == "CREATE" || has(oldObject.data)', message: 'old' },
        { expression: 'request.operation != "UPDATE" || object.data.a == oldObject.data.a', message: 'immutable' },
        { expression: 'request.operation != "DELETE" || !has(oldObject.data.keep)', message: 'kept' },
      ],
    },
    steps(labels) {
      const object = configMap('life', { labels });
      const one = pathOf(object);
      return [
        create('create', object),
        patch('same', one, { data: { b: 'x' } }),
        patch('changed', one, { data: { a: 'x' } }),
        patch('keep', one, { data: { keep: 'x' } }),
        remove('kept', one),
        patch('release', one, { data: { keep: null } }),
        remove('deleted', one),
      ];
    },
  },
  {
    name: 'pods',
    spec: {
      validations: [
        {
          expression: 'object.spec.containers.all(c, has(c.resources) && has(c.resources.limits))',
          messageExpression: '"limits: " + object.spec.containers.map(c, c.name).join(",")',
          reason: 'Forbidden',
        },
      ],
    },
    steps: (labels) => [
      create('without limits', pod('p', {}, {}, { labels }), { query: 'dryRun=All' }),
      create('with limits', pod('p', {}, { resources: { limits: { cpu: '1' } } }, { labels }), { query: 'dryRun=All' }),
    ],
  },
  {
    name: 'quantities',
    spec: {
      validations: [{ expression: 'quantity(object.data.q).isLessThan(quantity("2Gi"))', message: 'too much' }],
    },
    steps: (labels) => [
      create('less', configMap('q', { labels }, { q: '1Gi' }), { query: 'dryRun=All' }),
      create('more', configMap('q', { labels }, { q: '3Gi' }), { query: 'dryRun=All' }),
      create('wrong', configMap('q', { labels }, { q: 'x' }), { query: 'dryRun=All' }),
    ],
  },
];

const slug = (name: string): string => name.replaceAll(' ', '-');

function objectsOf({ name, spec, binding = {} }: Case): [Object, Object] {
  const policy: Object = {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: `areas-${slug(name)}` },
    spec: {
      matchConstraints: {
        objectSelector: { matchLabels: { case: slug(name) } },
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps', 'pods'] }],
      },
      ...spec,
    },
  };
  return [
    policy,
    {
      apiVersion: GROUP,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `areas-${slug(name)}` },
      spec: { policyName: `areas-${slug(name)}`, validationActions: ['Deny'], ...binding },
    },
  ];
}

/** Policies whose status has warnings about types, or that are rejected. */
function definitions(): Step[] {
  const policy = (name: string, spec: Json): Object => ({
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: `areas-typed-${name}` },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] }],
      },
      ...spec,
    },
  });
  const checked = (name: string, spec: Json): Step[] => [
    create(`checked ${name}`, policy(name, spec), { silent: true }),
    get(`checked ${name}`, pathOf(policy(name, spec)), {
      until: ({ body }) => !!(body as { status?: { observedGeneration?: number } }).status?.observedGeneration,
    }),
    remove(`checked ${name}`, pathOf(policy(name, spec)), { silent: true }),
  ];
  const rejected = (name: string, spec: Json): Step =>
    create(`rejected ${name}`, policy('x', spec), { query: 'dryRun=All' });
  const one = (expression: string, fields: Json = {}): Json => ({ validations: [{ expression, ...fields }] });
  return [
    ...checked('right', one('object.spec.replicas < 5')),
    ...checked('wrong', one('object.spec.replicas == "x"')),
    ...checked('unknown', one('object.spec.nope == 1')),
    ...checked('message', one('true', { messageExpression: 'object.nope' })),
    ...checked('several', {
      validations: [{ expression: 'object.a == 1' }, { expression: 'object.b == 1' }],
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments', 'replicasets'] },
        ],
      },
    }),
    ...checked('wildcard', {
      ...one('object.nope == 1'),
      matchConstraints: {
        resourceRules: [{ apiGroups: ['*'], apiVersions: ['v1'], operations: ['*'], resources: ['*'] }],
      },
    }),
    rejected('syntax', one('object.')),
    rejected('type', one('1 + 1')),
    rejected('undeclared', one('nope == 1')),
    rejected('params without kind', one('params == null')),
    rejected('message type', one('true', { messageExpression: '1' })),
    rejected('message syntax', one('true', { messageExpression: '(' })),
    rejected('empty', one('')),
    rejected('nothing', {}),
    rejected('reason', one('true', { reason: 'Nope' })),
    rejected('message with line break', one('true', { message: 'a\nb' })),
    rejected('long expression with line break', one('true &&\n true')),
    rejected('variables', { ...one('variables.b'), variables: [{ name: 'a', expression: 'true' }] }),
    rejected('variable name', { ...one('true'), variables: [{ name: 'a-b', expression: 'true' }] }),
    rejected('variable twice', {
      ...one('true'),
      variables: [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: 'true' },
      ],
    }),
    rejected('variable order', {
      ...one('variables.a'),
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: 'true' },
      ],
    }),
    rejected('audit key', { auditAnnotations: [{ key: 'a b', valueExpression: '"x"' }] }),
    rejected('audit twice', {
      auditAnnotations: [
        { key: 'a', valueExpression: '"x"' },
        { key: 'a', valueExpression: '"x"' },
      ],
    }),
    rejected('audit type', { auditAnnotations: [{ key: 'a', valueExpression: '1' }] }),
    rejected('audit without value', { auditAnnotations: [{ key: 'a' }] }),
    rejected('conditions', { ...one('true'), matchConditions: [{ name: 'a b', expression: '1' }] }),
    rejected('condition twice', {
      ...one('true'),
      matchConditions: [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: 'true' },
      ],
    }),
    rejected('kind of params', { ...one('true'), paramKind: { apiVersion: 'v1' } }),
    rejected('version of params', { ...one('true'), paramKind: { apiVersion: 'a/b/c', kind: 'X' } }),
    rejected('failure policy', { ...one('true'), failurePolicy: 'Nope' }),
    rejected('no constraints', { ...one('true'), matchConstraints: {} }),
    rejected('null constraints', { ...one('true'), matchConstraints: null }),
    rejected('match policy', {
      ...one('true'),
      matchConstraints: {
        matchPolicy: 'Nope',
        resourceRules: [{ apiGroups: [''], apiVersions: [''], operations: ['X'], resources: ['a/b/c'] }],
      },
    }),
    rejected(
      'expensive',
      one('object.metadata.name.matches("a")  && [1,2,3].all(a, [1,2,3].all(b, [1,2,3].all(c, a+b+c > 0)))'),
    ),
    rejected(
      'very expensive',
      one(
        'object.spec.template.spec.containers.all(a, object.spec.template.spec.containers.all(b, object.spec.template.spec.containers.all(c, object.spec.template.spec.containers.all(d, a.image+b.image+c.image != d.image))))',
      ),
    ),
    ...[
      { policyName: '', validationActions: ['Deny'] },
      { policyName: 'p' },
      { policyName: 'p', validationActions: ['Deny', 'Warn'] },
      { policyName: 'p', validationActions: ['Deny', 'Deny'] },
      { policyName: 'p', validationActions: ['Nope'] },
      { policyName: 'p', validationActions: [] },
      { policyName: 'Not Valid', validationActions: ['Deny'] },
      { policyName: 'p', validationActions: ['Deny'], paramRef: {} },
      { policyName: 'p', validationActions: ['Deny'], paramRef: { name: 'x' } },
      {
        policyName: 'p',
        validationActions: ['Deny'],
        paramRef: { name: 'x', selector: {}, parameterNotFoundAction: 'Deny' },
      },
      { policyName: 'p', validationActions: ['Deny'], paramRef: { name: 'x', parameterNotFoundAction: 'Nope' } },
      { policyName: 'p', validationActions: ['Deny'], matchResources: { matchPolicy: 'Nope' } },
    ].map((spec) =>
      create(
        `binding ${JSON.stringify(spec)}`,
        { apiVersion: GROUP, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'areas-binding' }, spec },
        { query: 'dryRun=All' },
      ),
    ),
  ];
}

export function policies(): Step[] {
  const all = cases.map((item) => ({ ...item, objects: objectsOf(item) }));
  const marker = objectsOf({ name: 'ready', spec: { validations: [{ expression: 'false', message: 'ready' }] } });
  const probe = configMap('probe', { labels: { case: 'ready' } });
  return [
    create('param', configMap('param', { labels: { param: 'yes' } }), { silent: true }),
    ...all.flatMap(({ name, objects }) => objects.map((object) => create(`policy ${name}`, object))),
    ...marker.map((object) => create('ready', object, { silent: true })),
    create('probe', probe, { silent: true, query: 'dryRun=All', until: ({ code }) => code === 422 }),
    create('probe', probe, { silent: true, query: 'dryRun=All', until: ({ code }) => code === 422 }),
    ...all.flatMap(({ name, steps }): Step[] => {
      const labels = { case: slug(name) };
      if (steps) return steps(labels).map((step) => ({ ...step, name: `${name}: ${step.name}` }));
      return [create(name, configMap('cm', { labels }), { query: 'dryRun=All' })];
    }),
    ...[...all.map(({ objects }) => objects), marker].flatMap((objects) =>
      objects.map((object) => remove('policy', pathOf(object), { silent: true })),
    ),
    ...definitions(),
  ];
}
