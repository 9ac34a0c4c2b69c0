import { openApiV2, openApiV3, openApiV3Index } from '../../../../src/runtime/api-server/openapi';
import { SUBRESOURCES } from '../../../../src/runtime/api-server/registry';
import { route } from '../../../../src/runtime/api-server/routes';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; schema?: { $ref?: string } }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
  responses: Record<string, unknown>;
}
type Paths = Record<string, Record<string, Operation>>;

const v2 = openApiV2() as unknown as { paths: Paths; definitions: object };
const each = (paths: Paths): [string, string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [method, path, operation]),
  );
const filled = (path: string): string =>
  path.replace('{namespace}', 'a').replace('{name}', 'b').replace('{port}', '80').replace('{protocol}', 'tcp');

test('every path of the documents is served, and every served subresource has a path', () => {
  const served = each(v2.paths).map(([method, path]) => route(method.toUpperCase(), filled(path)));
  expect(served.filter(({ to }) => to !== 'subresource' && to !== 'upload-token')).toEqual([]);
  const found = served.flatMap((to) =>
    to.to === 'subresource' ? [`${to.version} ${to.subresource.owner}/${to.subresource.name}`] : [],
  );
  const expected = ['v1', 'v1alpha3'].flatMap((version) =>
    SUBRESOURCES.map(({ owner, name }) => `${version} ${owner}/${name}`),
  );
  expect([...new Set(found)].sort()).toEqual(expected.sort());
});

test('the names of the operations are unique', () => {
  const ids = each(v2.paths).map(([, , { operationId }]) => operationId);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  expect(ids).toContain('V1VirtualMachineRestart');
});

test.each([
  ['restart', 'put', 'virtualmachines', 'RestartOptions', '202'],
  ['pause', 'put', 'virtualmachineinstances', 'PauseOptions', '200'],
  ['reset', 'put', 'virtualmachineinstances', undefined, '200'],
  ['console', 'get', 'virtualmachineinstances', undefined, '101'],
  ['portforward/{port}/{protocol}', 'get', 'virtualmachines', undefined, '101'],
])('%s has its parameters, body and code', (name, method, owner, body, code) => {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/{namespace}/${owner}/{name}/${name}`;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const old = v2.paths[path]![method]!;
  expect(old.parameters.filter((param) => param.in === 'path').map((param) => param.name)).toEqual(inPath);
  expect(old.parameters.find((param) => param.in === 'body')?.schema?.$ref).toBe(
    body && `#/definitions/io.kubevirt.v1.${body}`,
  );
  expect(Object.keys(old.responses)).toEqual([code]);
  const current = (openApiV3('v1').paths as Paths)[path]![method]!;
  expect(current.parameters.map((param) => param.name)).toEqual(inPath);
  expect(current.requestBody?.content['application/json']?.schema.$ref).toBe(
    body && `#/components/schemas/io.kubevirt.v1.${body}`,
  );
  expect(Object.keys(current.responses)).toEqual([code]);
});

test('every schema that is referred to is defined', () => {
  for (const document of [v2, openApiV3('v1alpha3')]) {
    const refs = [...JSON.stringify(document).matchAll(/"#\/([^"]+)"/g)].map(([, ref]) => ref!);
    expect(refs.length).toBeGreaterThan(0);
    const at = (ref: string): unknown =>
      ref.split('/').reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
  }
});

test('a document of a version has the paths of this version only, and the index leads to it', () => {
  const { paths } = openApiV3Index() as { paths: Record<string, { serverRelativeURL: string }> };
  for (const [groupVersion, { serverRelativeURL }] of Object.entries(paths)) {
    const to = route('GET', serverRelativeURL);
    if (to.to !== 'openapi-v3-group') throw new Error(`${serverRelativeURL} leads to ${to.to}`);
    const described = Object.keys(openApiV3(to.version).paths as object);
    expect(described.length).toBeGreaterThan(0);
    expect(described.filter((path) => !path.startsWith(`/${groupVersion}/`))).toEqual([]);
  }
  // not token requests, which many users create with kubectl
  expect(Object.keys(paths)).toEqual(['apis/subresources.kubevirt.io/v1', 'apis/subresources.kubevirt.io/v1alpha3']);
});
