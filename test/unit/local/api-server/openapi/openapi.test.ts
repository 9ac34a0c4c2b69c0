import {
  OpenApiResource,
  openapiV2,
  openapiV2Protobuf,
  openapiV3,
  openapiV3Index,
} from '../../../../../src/local/api-server/openapi';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const pods: OpenApiResource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true, subresources: ['status'] }; // prettier-ignore
const vms: OpenApiResource = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
  crdSchema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { a: { type: 'string', nullable: true }, b: { 'x-kubernetes-int-or-string': true } },
        required: ['a'],
        oneOf: [{ required: ['a'] }],
      },
    },
  },
};
const core = openapiV3('', 'v1', [pods, vms]) as Json;
const custom = openapiV3('kubevirt.io', 'v1', [pods, vms]) as Json;
const v2 = openapiV2([pods, vms]) as Json;

test('the index points at each group-version', () => {
  expect(
    openapiV3Index([
      { group: '', version: 'v1' },
      { group: 'apps', version: 'v1', hash: 'H' },
    ]),
  ).toEqual({
    paths: {
      'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' },
      'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=H' },
    },
  });
});

test('a document has only the kinds that its group-version serves', () => {
  expect(Object.keys(core.paths)).toEqual([
    '/api/v1/pods',
    '/api/v1/namespaces/{namespace}/pods',
    '/api/v1/namespaces/{namespace}/pods/{name}',
    '/api/v1/namespaces/{namespace}/pods/{name}/status',
  ]);
  expect(Object.keys(custom.paths)[0]).toBe('/apis/kubevirt.io/v1/virtualmachines');
});

test('kubectl finds the kind, and whether strategic merge and validation are supported', () => {
  const gvk = { group: '', version: 'v1', kind: 'Pod' };
  const { patch } = core.paths['/api/v1/namespaces/{namespace}/pods/{name}'];
  expect(core.components.schemas['io.k8s.api.core.v1.Pod']['x-kubernetes-group-version-kind']).toEqual([gvk]);
  expect(patch['x-kubernetes-group-version-kind']).toEqual(gvk);
  expect(patch.parameters.map((p: Json) => p.name)).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
  expect(Object.keys(patch.requestBody.content)).toContain('application/strategic-merge-patch+json');
  const vm = custom.paths['/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines/{name}'].patch;
  expect(Object.keys(vm.requestBody.content)).not.toContain('application/strategic-merge-patch+json');
});

test('merge keys are written at the field', () => {
  expect(core.components.schemas['io.k8s.api.core.v1.PodSpec'].properties.containers).toMatchObject({
    type: 'array',
    items: { $ref: '#/components/schemas/io.k8s.api.core.v1.Container' },
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-list-map-keys': ['name'],
  });
});

test.each([
  ['v3', core],
  ['v3 custom', custom],
  ['v2', v2],
])('every reference of %s has its definition', (_, document) => {
  const definitions = document.components?.schemas ?? document.definitions;
  for (const [, name] of JSON.stringify(document).matchAll(
    /"\$ref":"#\/(?:components\/schemas|definitions)\/([^"]+)"/g,
  ))
    expect(definitions).toHaveProperty([name ?? '']);
});

test('no schema is empty: kubectl explain treats an empty one as missing', () => {
  expect(JSON.stringify(core)).not.toMatch(/:\{\}[,}]/);
});

test('a custom resource keeps its schema, and gets the fields of every object', () => {
  const vm = custom.components.schemas['io.kubevirt.v1.VirtualMachine'];
  expect(vm.properties.spec.oneOf).toHaveLength(1);
  expect(vm.properties.metadata).toEqual({
    allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    description: 'Name, labels and other data that every object has.',
  });
});

test('version 2 omits keywords that it cannot express', () => {
  const { spec } = v2.definitions['io.kubevirt.v1.VirtualMachine'].properties;
  expect(spec.oneOf).toBeUndefined();
  expect(spec.required).toBeUndefined();
  expect(spec.properties.a.type).toBeUndefined();
});

test('the protobuf has the same definitions in the same order', () => {
  const definitions = field(openapiV2Protobuf([pods, vms]), 9)[0] ?? new Uint8Array();
  const names = field(definitions, 1).map((named) => Buffer.from(field(named, 1)[0] ?? []).toString());
  expect(names).toEqual(Object.keys(v2.definitions));
});

/** The length-delimited fields of a number in a message. */
function field(message: Uint8Array, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    if ((tag & 7) === 0) varint();
    else if ((tag & 7) === 1) at += 8;
    else {
      const length = varint();
      if (tag >> 3 === wanted) found.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}

test('built-in kinds and the fields of every object have descriptions', () => {
  const { schemas } = core.components;
  expect(schemas['io.k8s.api.core.v1.Pod']).toMatchObject({
    description: expect.stringContaining('containers'),
    properties: { spec: { description: 'The desired state.' }, apiVersion: { description: expect.any(String) } },
  });
  const meta = schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'];
  for (const [name, field] of Object.entries(meta.properties as Json)) {
    expect([name, (field as Json).description]).toEqual([name, expect.any(String)]);
  }
  // a field of the same name in a type that is not a kind
  expect(schemas['io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference'].properties.kind).not.toHaveProperty(
    'description',
  );
  expect(schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry'].properties.fieldsV1).toEqual({
    $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  });
});

test('operations have the identifiers of Kubernetes, from which clients are generated', () => {
  const ids = Object.values({ ...core.paths, ...custom.paths } as Json).flatMap((item) =>
    Object.values(item as Json).flatMap(({ operationId }) => operationId ?? []),
  );
  expect(ids).toEqual(
    expect.arrayContaining([
      'listCoreV1PodForAllNamespaces',
      'listCoreV1NamespacedPod',
      'createCoreV1NamespacedPod',
      'deleteCoreV1CollectionNamespacedPod',
      'readCoreV1NamespacedPodStatus',
      'patchKubevirtIoV1NamespacedVirtualMachine',
    ]),
  );
});
