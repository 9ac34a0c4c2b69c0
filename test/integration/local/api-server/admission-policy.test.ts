import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { until } from '../../../support/until';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
  await until(async () => (await send('GET', '/api/v1/namespaces/default')).code === 200);
});
afterAll(() => server.close());

const apiVersion = 'admissionregistration.k8s.io/v1';
const rules = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps'] },
];

/** Creates a policy with a binding, and returns a function that deletes both. */
async function bind(name: string, spec: object, binding: object = {}): Promise<() => Promise<unknown>> {
  const policy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, ...spec },
  };
  expect(await send('POST', POLICIES, policy)).toMatchObject({ code: 201 });
  const bound = { policyName: name, validationActions: ['Deny'], ...binding };
  expect(
    await send('POST', BINDINGS, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `${name}-b` },
      spec: bound,
    }),
  ).toMatchObject({ code: 201 });
  return async () => {
    await send('DELETE', `${BINDINGS}/${name}-b`);
    await send('DELETE', `${POLICIES}/${name}`);
  };
}

const create = (name: string, data: object = {}) =>
  send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

test('a policy rejects creates, updates and deletes with its reason', async () => {
  await create('kept', { x: 'ok' });
  const remove = await bind('deny', {
    validations: [
      {
        expression: 'object == null ? oldObject.data.x != "ok" : object.data.x == "ok"',
        message: 'x must be ok',
        reason: 'Forbidden',
      },
    ],
  });
  const message = (name: string) =>
    `configmaps "${name}" is forbidden: ValidatingAdmissionPolicy 'deny' with binding 'deny-b' denied request: x must be ok`;
  expect(await create('bad', { x: 'no' })).toMatchObject({
    code: 403,
    body: { reason: 'Forbidden', message: message('bad') },
  });
  expect((await create('good', { x: 'ok' })).code).toBe(201);
  const patched = await send('PATCH', `${CONFIG_MAPS}/kept`, { data: { x: 'no' } }, 'application/merge-patch+json');
  expect(patched).toMatchObject({ code: 403, body: { message: message('kept') } });
  expect(await send('DELETE', `${CONFIG_MAPS}/kept`)).toMatchObject({ code: 403 });
  await remove();
  expect((await create('bad', { x: 'no' })).code).toBe(201);
});

test('a binding that warns rejects nothing', async () => {
  const remove = await bind(
    'warn',
    { validations: [{ expression: 'false', message: 'never' }] },
    { validationActions: ['Warn'] },
  );
  const { code, headers } = await create('warned');
  expect(code).toBe(201);
  expect(headers.warning).toContain(
    `Validation failed for ValidatingAdmissionPolicy 'warn' with binding 'warn-b': never`,
  );
  await remove();
});

test.each([
  ['found', 'limit', 'Deny', 422, 'failed expression: int(params.data.max) >= size(object.metadata.name)'],
  [
    'missing and required',
    'none',
    'Deny',
    422,
    'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  ],
  ['missing and not required', 'none', 'Allow', 201, undefined],
])('a parameter that is %s', async (_, name, parameterNotFoundAction, code, why) => {
  await create('limit', { max: '3' });
  const remove = await bind(
    'params',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'int(params.data.max) >= size(object.metadata.name)' }],
    },
    { paramRef: { name, namespace: 'default', parameterNotFoundAction } },
  );
  const answer = await create(`long-name-${name}`);
  expect(answer.code).toBe(code);
  if (why) expect(answer.body.message).toContain(`denied request: ${why}`);
  await remove();
});

test('the authorizer of the server answers for the user', async () => {
  const remove = await bind('authorizer', {
    validations: [
      {
        expression:
          'authorizer.requestResource.check("delete").allowed() && authorizer.path("/healthz").check("get").allowed()',
      },
    ],
  });
  expect((await create('authorized')).code).toBe(201);
  await remove();
});

test('the status has the findings of the type check for each generation', async () => {
  const remove = await bind('typed', { validations: [{ expression: 'object.nope == 1' }] });
  const status = async (generation: number) => {
    const { body } = await send('GET', `${POLICIES}/typed`);
    return body.status.observedGeneration === generation && body.status;
  };
  const first = await until(() => status(1));
  expect(first.typeChecking.expressionWarnings).toMatchObject([{ fieldRef: 'spec.validations[0].expression' }]);
  const spec = { validations: [{ expression: 'object.metadata.name != ""' }] };
  await send('PATCH', `${POLICIES}/typed`, { spec }, 'application/merge-patch+json');
  expect(await until(() => status(2))).toEqual({ observedGeneration: 2, typeChecking: {} });
  await remove();
});
