import { KubeObject } from '../../../../../src/api/meta';
import {
  ConflictError,
  keepTimesIfUnchanged,
  PatchError,
  serverSideApply,
  updateManagedFields,
} from '../../../../../src/local/api-server/patch';
import { builtinSchema, TypeSchema } from '../../../../../src/local/api-server/schema';
import { compileCrdSchema } from '../../../../../src/local/api-server/crd/schema/compile';

const custom = compileCrdSchema({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        s: { type: 'string' },
        atomic: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'integer' } } },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
}).typeSchema;

const common = { apiVersion: 'x.io/v1', schema: custom, now: new Date('2026-11-20T01:02:03.456Z') };
const objectOf = (spec: object, metadata: object = {}): KubeObject =>
  ({ apiVersion: 'x.io/v1', kind: 'X', metadata: { name: 'n', ...metadata }, spec }) as unknown as KubeObject;

function apply(live: unknown, manager: string, spec: object, more: object = {}): KubeObject & { spec: unknown } {
  const { object } = serverSideApply({ ...common, live, manager, config: objectOf(spec), ...more });
  const stored = object as KubeObject & { spec: unknown };
  stored.metadata.uid = 'u';
  return stored;
}

const owners = (object: KubeObject): Record<string, unknown> =>
  Object.fromEntries((object.metadata.managedFields ?? []).map((e) => [e.manager ?? '', e.fieldsV1]));

const conflictOf = (run: () => unknown): ConflictError => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConflictError) return error;
    throw error;
  }
  throw new Error('no conflict');
};

describe('server-side apply', () => {
  test('owns the fields that it sets, by list key, with the time in seconds', () => {
    const object = apply(undefined, 'm', { s: 'x', list: [{ name: 'a', value: 1 }], set: ['p'] });
    expect(object.metadata.managedFields).toEqual([
      {
        manager: 'm',
        operation: 'Apply',
        apiVersion: 'x.io/v1',
        time: '2026-11-20T01:02:03Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:list': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
            'f:s': {},
            'f:set': { 'v:"p"': {} },
          },
        },
      },
    ]);
  });

  test('removes fields that the manager no longer applies, except those that others own', () => {
    const first = apply(undefined, 'one', { s: 'x', list: [{ name: 'a' }, { name: 'b' }] });
    const second = apply(first, 'two', { list: [{ name: 'b' }] });
    expect(apply(second, 'one', {}).spec).toEqual({ list: [{ name: 'b' }] });
  });

  test('a field of another manager is a conflict that names manager and path', () => {
    const live = apply(undefined, 'one', { s: 'x' });
    const error = conflictOf(() => apply(live, 'two', { s: 'y' }));
    expect(error.message).toBe('Apply failed with 1 conflict: conflict with "one": .spec.s');
    expect(error.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.s' },
    ]);
  });

  test('conflicts with an updater name its version, and are listed by manager', () => {
    const next = objectOf({ s: 'x', list: [{ name: 'a', value: 1 }] });
    const live = updateManagedFields({
      ...common,
      live: undefined,
      next,
      manager: 'kubectl-client-side-apply',
      operation: 'Update',
    }) as KubeObject;
    live.metadata.uid = 'u';
    const error = conflictOf(() => apply(live, 'two', { s: 'y', list: [{ name: 'a', value: 2 }] }));
    expect(error.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using x.io/v1:\n- .spec.s\n- .spec.list[name="a"].value',
    );
  });

  test('force takes over the field', () => {
    const live = apply(undefined, 'one', { s: 'x' });
    const forced = apply(live, 'two', { s: 'y' }, { force: true });
    expect(owners(forced)).toEqual({ two: { 'f:spec': { 'f:s': {} } } });
  });

  test('equal values are shared without a conflict', () => {
    const both = apply(apply(undefined, 'one', { s: 'x' }), 'two', { s: 'x' });
    expect(Object.keys(owners(both)).sort()).toEqual(['one', 'two']);
    expect(apply(both, 'one', {}).spec).toEqual({ s: 'x' });
  });

  test('an atomic list is one field', () => {
    const live = apply(undefined, 'one', { atomic: ['a', 'b'] });
    expect(conflictOf(() => apply(live, 'two', { atomic: ['a'] })).causes[0]?.field).toBe('.spec.atomic');
  });

  test.each([
    ['an unknown field', { what: 1 }, '.spec.what: field not declared in schema'],
    ['a list element without its key', { list: [{ value: 1 }] }, '.spec.list: element 0: associative list with keys'],
    ['a repeated key', { list: [{ name: 'a' }, { name: 'a' }] }, 'duplicate entries for key [name="a"]'],
    ['a wrong type', { s: 1 }, '.spec.s: expected string, got &value.valueUnstructured{Value:1}'],
  ])('%s is rejected', (_, spec, message) => {
    expect(() => apply(undefined, 'm', spec)).toThrow(message);
    expect(() => apply(undefined, 'm', spec)).toThrow(PatchError);
  });

  test('another version and managedFields in the configuration are bad requests', () => {
    const config = { ...objectOf({}), apiVersion: 'x.io/v2' };
    expect(() => serverSideApply({ ...common, live: undefined, manager: 'm', config })).toThrow(
      'Specified patch version: x.io/v2, expected: x.io/v1',
    );
    const managed = objectOf({}, { managedFields: [] });
    expect(() => serverSideApply({ ...common, live: undefined, manager: 'm', config: managed })).toThrow(
      'metadata.managedFields must be nil',
    );
  });

  test('no manager owns fields that the endpoint resets', () => {
    const config = { ...objectOf({ s: 'x' }), status: { phase: 'p' } };
    const { object } = serverSideApply({ ...common, live: undefined, manager: 'm', config, resetFields: ['status'] });
    expect(owners(object as KubeObject)).toEqual({ m: { 'f:spec': { 'f:s': {} } } });
  });

  test('a pod is merged by the keys of its type', () => {
    const schema = builtinSchema('', 'v1', 'Pod') as TypeSchema;
    const pod = (containers: object[]) => ({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers } });
    const options = { apiVersion: 'v1', schema, now: common.now };
    const first = serverSideApply({
      ...options,
      live: undefined,
      manager: 'a',
      config: pod([{ name: 'c', ports: [{ containerPort: 80 }] }]),
    }).object as KubeObject;
    first.metadata.uid = 'u';
    const { object } = serverSideApply({
      ...options,
      live: first,
      manager: 'b',
      config: pod([{ name: 'c', image: 'i' }]),
    });
    expect((object as { spec: unknown }).spec).toEqual({
      containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }],
    });
    expect(JSON.stringify(owners(object as KubeObject).a)).toContain(
      'k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}',
    );
  });
});

describe('managed fields of other writes', () => {
  const update = (live: unknown, next: KubeObject, manager: string, schema = custom): KubeObject =>
    updateManagedFields({ ...common, schema, live, next, manager, operation: 'Update' }) as KubeObject;

  test('an update takes over the fields that it changes', () => {
    const live = apply(undefined, 'one', { s: 'x', set: ['a'] });
    const next = structuredClone(live);
    next.spec = { s: 'y', set: ['a'] };
    expect(owners(update(live, next, 'editor'))).toEqual({
      one: { 'f:spec': { 'f:set': { 'v:"a"': {} } } },
      editor: { 'f:spec': { 'f:s': {} } },
    });
  });

  test('an untracked object stays untracked', () => {
    const live = objectOf({ s: 'x' }, { uid: 'u' });
    expect(update(live, objectOf({ s: 'y' }, { uid: 'u' }), 'm').metadata.managedFields).toBeUndefined();
  });

  test('one empty entry resets, an empty list does so on built-in types only', () => {
    const live = apply(undefined, 'one', { s: 'x' });
    const reset = (managedFields: object[], schema?: TypeSchema) =>
      update(live, { ...live, metadata: { ...live.metadata, managedFields } } as KubeObject, 'm', schema).metadata
        .managedFields;
    expect(reset([{}])).toBeUndefined();
    expect(reset([])).toHaveLength(1);
    expect(reset([], { ...custom, name: 'io.k8s.api.core.v1.Pod' })).toBeUndefined();
  });

  test('more than ten updaters are folded into one entry', () => {
    let live = apply(undefined, 'one', {});
    live = { ...live, ...update(undefined, objectOf({ set: ['s0'] }), 'm0') } as typeof live;
    live.metadata.uid = 'u';
    for (let i = 1; i < 14; i++) {
      const set = Array.from({ length: i + 1 }, (_, k) => `s${k}`);
      live = update(live, objectOf({ set }, live.metadata), `m${i}`) as typeof live;
    }
    const managers = (live.metadata.managedFields ?? []).map((e) => e.manager);
    expect(managers).toHaveLength(10);
    expect(managers).toContain('ancient-changes');
  });

  test('a write that changes only times leaves the object unchanged', () => {
    const old = apply(undefined, 'one', { s: 'x' });
    const again = { ...common, live: old, manager: 'one', config: objectOf({ s: 'x' }), now: new Date() };
    const next = serverSideApply(again).object as typeof old;
    expect(keepTimesIfUnchanged(old, next)).toEqual(old);
  });
});

test('kubectl takes over fields of client-side apply, and updates its annotation', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration';
  const last = JSON.stringify(objectOf({ s: 'x' }));
  const next = objectOf({ s: 'x' }, { annotations: { [key]: last } });
  const live = updateManagedFields({
    ...common,
    live: undefined,
    next,
    manager: 'kubectl-client-side-apply',
    operation: 'Update',
  }) as KubeObject;
  live.metadata.uid = 'u';
  const object = apply(live, 'kubectl', { s: '<y>' });
  expect(object.spec).toEqual({ s: '<y>' });
  expect(object.metadata.annotations?.[key]).toBe(
    '{"apiVersion":"x.io/v1","kind":"X","metadata":{"name":"n"},"spec":{"s":"\\u003cy\\u003e"}}\n',
  );
  expect(() => apply(live, 'other', { s: 'y' })).toThrow(ConflictError);
});
