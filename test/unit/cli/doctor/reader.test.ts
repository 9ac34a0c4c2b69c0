import { ApiError } from '../../../../src/client';
import { read, type Api } from '../../../../src/cli/doctor/reader';
import { sources } from '../../../../src/cli/doctor/sources';

type Query = Readonly<Record<string, unknown>>;

/** API server that answers with a function, and records the requests. */
function server(answer: (path: string, query: Query) => unknown): Api & { readonly paths: string[] } {
  const paths: string[] = [];
  return {
    paths,
    request: <T>(_method: string, path: string, _body?: unknown, options: { query?: Query } = {}): Promise<T> => {
      paths.push(path);
      return new Promise((resolve) => resolve(answer(path, options.query ?? {}) as T));
    },
  };
}
const refuse = (code: number): never => {
  throw new ApiError(code, '', 'refused');
};
const place = { platform: 'virt' };
const claim = (name: string, phase: string): object => ({ metadata: { name, managedFields: [{}] }, status: { phase } });

test('pages are read to the end, and objects that no check needs are left out', async () => {
  const api = server((_, { continue: next }) =>
    next === undefined
      ? { items: [claim('a', 'Pending'), claim('b', 'Bound')], metadata: { continue: '2' } }
      : { items: [claim('c', 'Lost')], metadata: {} },
  );
  expect(await read(api, sources.claims, place)).toEqual({
    items: ['a', 'c'].map((name) => ({
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name } },
      status: { phase: name === 'a' ? 'Pending' : 'Lost' },
    })),
  });
  expect(api.paths).toEqual(Array(2).fill('/api/v1/persistentvolumeclaims'));
});

test('no page is read after the limit, and the check reports that', async () => {
  let page = 0;
  const api = server(() => ({ items: [claim(`c${page}`, 'Pending')], metadata: { continue: `${++page}` } }));
  const { items, obstacle } = await read(api, { ...sources.claims, most: 3 }, place);
  expect(items).toHaveLength(3);
  expect(obstacle).toBe('only the first 3 persistentvolumeclaims were read');
});

test('a server that gives the same page again and again does not hold the command', async () => {
  const api = server(() => ({ items: [], metadata: { continue: 'same' } }));
  expect(await read(api, sources.claims, place)).toMatchObject({ obstacle: expect.stringContaining('only the first') });
});

test('pages that have expired end the list', async () => {
  const api = server((_, { continue: next }) =>
    next === undefined ? { items: [claim('a', 'Lost')], metadata: { continue: '2' } } : refuse(410),
  );
  expect((await read(api, sources.claims, place)).items).toHaveLength(1);
});

test.each([
  ['nodes', 'requires permission to list nodes'],
  ['deployments', 'requires permission to list deployments.apps in namespace "virt"'],
  ['virtualMachines', 'requires permission to list virtualmachines.kubevirt.io in all namespaces'],
  ['secrets', 'requires permission to get secrets in namespace "virt"'],
] as const)('a refused request for %s names the permission', async (name, obstacle) => {
  expect(
    await read(
      server(() => refuse(403)),
      sources[name] as (typeof sources)['nodes'],
      place,
    ),
  ).toEqual({ obstacle });
});

test('the user may limit VMs to a namespace', async () => {
  const api = server(() => refuse(403));
  const { obstacle } = await read(api, sources.virtualMachines, { ...place, users: 'shop' });
  expect(obstacle).toBe('requires permission to list virtualmachines.kubevirt.io in namespace "shop"');
  expect(api.paths).toEqual(['/apis/kubevirt.io/v1/namespaces/shop/virtualmachines']);
});

test('a kind that the API server does not serve has no objects', async () => {
  expect(
    await read(
      server(() => refuse(404)),
      sources.snapshotClasses,
      place,
    ),
  ).toEqual({ items: [], isAbsent: true });
});

test('other failures are repeated', async () => {
  expect(
    await read(
      server(() => refuse(503)),
      sources.nodes,
      place,
    ),
  ).toEqual({
    obstacle: 'nodes could not be read: refused',
  });
});

test('Secrets are read by name, and their keys are dropped', async () => {
  const data = { 'tls.crt': Buffer.from('PEM').toString('base64'), 'tls.key': 'a2V5' };
  const api = server((path) => (path.endsWith('kubevirt-virt-api-certs') ? secret(data) : refuse(404)));
  const { items } = await read(api, sources.secrets, place);
  expect(items).toEqual([
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'virt' }, certificate: 'PEM' },
  ]);
  expect(api.paths.every((path) => path.startsWith('/api/v1/namespaces/virt/secrets/'))).toBe(true);
});
const secret = (data: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'virt' },
  data,
});
