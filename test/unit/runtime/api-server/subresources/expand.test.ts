import type { KubeObject } from '../../../../../src/api';
import type { KubeClient } from '../../../../../src/runtime/kube';
import { ApiError } from '../../../../../src/runtime/kube';
import { Refusal } from '../../../../../src/runtime/api-server/status';
import { expandGiven, expandStored } from '../../../../../src/runtime/api-server/subresources/expand';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- objects that are broken on purpose
type Loose = any;

const small: Loose = {
  apiVersion: 'instancetype.kubevirt.io/v1beta1',
  kind: 'VirtualMachineClusterInstancetype',
  metadata: { name: 'small' },
  spec: { cpu: { guest: 2 }, memory: { guest: '2Gi' } },
};
const vm = (change: (vm: Loose) => void = () => {}): Loose => {
  const made: Loose = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web' },
    spec: { runStrategy: 'Always', instancetype: { name: 'small' }, template: { spec: { domain: { devices: {} } } } },
  };
  change(made);
  return made;
};
function cluster(...objects: KubeObject[]): KubeClient {
  const find = (resource: Loose, { name }: Loose): Promise<Loose> =>
    Promise.resolve(objects.find((o) => o.kind === resource.kind && o.metadata.name === name));
  return {
    find,
    list: () => Promise.resolve({ items: [] }),
    get: async (resource: Loose, ref: Loose) => {
      const found = await find(resource, ref);
      if (!found) throw new ApiError(404, 'NotFound', 'not found');
      return found;
    },
  } as unknown as KubeClient;
}
const refused = (answer: Promise<string>): Promise<Refusal> => answer.then(() => undefined as never).catch((e) => e);

test('a VM that is described is answered with its size and its defaults, and refers to nothing', async () => {
  const answer = JSON.parse(await expandGiven(cluster(small), 'default', JSON.stringify(vm())));
  expect(answer.spec.instancetype).toBeUndefined();
  expect(answer.metadata.namespace).toBe('default');
  expect(answer.spec.template.spec).toMatchObject({
    architecture: 'amd64',
    domain: { cpu: { sockets: 2, cores: 1, threads: 1 }, memory: { guest: '2Gi' }, machine: { type: 'q35' } },
    networks: [{ name: 'default', pod: {} }],
  });
});

test('a VM that is stored, too', async () => {
  const client = cluster(small, vm());
  const answer = JSON.parse(await expandStored(client, { namespace: 'default', name: 'web' }));
  expect(answer.spec.template.spec.domain.cpu.sockets).toBe(2);
});

test.each<[string, string, number, string]>([
  ['nothing', '', 400, 'empty request body'],
  ['no JSON', '{', 400, 'Can not unmarshal'],
  ['another kind', JSON.stringify(small), 400, 'not a valid VirtualMachine'],
  ['a misspelt field', JSON.stringify(vm((v) => (v.spec.instancetypes = {}))), 400, 'not a valid VirtualMachine'],
  ['another namespace', JSON.stringify(vm((v) => (v.metadata.namespace = 'x'))), 400, 'must be empty or default'],
  ['a size that is not there', JSON.stringify(vm((v) => (v.spec.instancetype.name = 'x'))), 400, '"x" not found'],
  [
    'more values than any VM has',
    JSON.stringify(vm((v) => (v.spec.dataVolumeTemplates = Array(50_000).fill(1)))),
    400,
    'it has more than 40000 fields and items',
  ],
  [
    'a VM that is too large to be stored',
    JSON.stringify(vm((v) => (v.spec.dataVolumeTemplates = Array(20_000).fill({})))),
    400,
    'not a valid VirtualMachine',
  ],
  [
    'lists in lists',
    JSON.stringify(vm()).replace('"Always"', '['.repeat(50_000) + ']'.repeat(50_000)),
    400,
    'it has more than 128 nested objects and lists',
  ],
  [
    'a size of its own',
    JSON.stringify(
      vm((v) => (v.spec.template.spec.domain = { devices: {}, cpu: { cores: 1 }, memory: { guest: '1Gi' } })),
    ),
    400,
    'VM field(s) spec.template.spec.domain.cpu.cores, spec.template.spec.domain.memory.guest conflicts with',
  ],
])('%s is rejected', async (_, body, code, message) => {
  const refusal = await refused(expandGiven(cluster(small), 'default', body));
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.code).toBe(code);
  expect(refusal.message).toContain(message);
});

test('reports only the size of a VM that is too large', async () => {
  const body = JSON.stringify(
    vm(
      (v) => (v.spec.template.spec.nodeSelector = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, 'x']))),
    ),
  );
  const { causes } = (await refused(expandGiven(cluster(small), 'default', body))).toStatus().details ?? {};
  expect(causes).toMatchObject([{ field: 'spec.template.spec.nodeSelector', reason: 'FieldValueTooLong' }]);
});

test('a conflict names its fields', async () => {
  const body = JSON.stringify(vm((v) => (v.spec.template.spec.domain.memory = { guest: '1Gi' })));
  const refusal = await refused(expandGiven(cluster(small), 'default', body));
  expect(refusal.toStatus().details?.causes?.[0]).toMatchObject({
    field: 'spec.template.spec.domain.memory.guest',
    reason: 'FieldValueInvalid',
  });
});
