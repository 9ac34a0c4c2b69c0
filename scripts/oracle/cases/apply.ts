import { JsonSchema } from '../../../src/local/api-server/schema';
import type { Scenario } from '.';

export const applySchema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        s: { type: 'string' },
        i: { type: 'integer' },
        atomicList: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              value: { type: 'integer' },
              other: { type: 'string' },
              set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
            },
          },
        },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            required: ['port'],
            properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: { type: 'string' } },
          },
        },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
        nested: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'string' }, d: { type: 'string' } } } } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' }, count: { type: 'integer' } } },
  },
}; // prettier-ignore

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export const apply: Scenario[] = [
  {
    name: 'apply',
    schema: applySchema,
    objects: {
      'one manager adds and removes': [
        { do: 'apply', manager: 'a', object: { metadata: { labels: { l: '1' } }, spec: { s: 'x', i: 1, map: { k: 'v' }, list: [{ name: 'p', value: 1 }] } } },
        { do: 'apply', manager: 'a', object: { spec: { s: 'y', list: [{ name: 'q', value: 2 }] } } },
        { do: 'apply', manager: 'a', object: { spec: { s: 'y', list: [{ name: 'q', value: 2 }] } } },
        { do: 'apply', manager: 'a', object: {} },
      ],
      'two managers conflict': [
        { do: 'apply', manager: 'a', object: { spec: { s: 'x', i: 1, list: [{ name: 'p', value: 1 }] } } },
        { do: 'apply', manager: 'b', object: { spec: { s: 'y' } } },
        { do: 'apply', manager: 'b', object: { spec: { s: 'y', i: 2, list: [{ name: 'p', value: 2 }] } } },
        { do: 'apply', manager: 'b', force: true, object: { spec: { s: 'y', list: [{ name: 'p', value: 2, other: 'o' }] } } },
        { do: 'apply', manager: 'a', object: { spec: { i: 1 } } },
      ],
      'two managers share': [
        { do: 'apply', manager: 'a', object: { spec: { s: 'x', set: ['1', '2'], map: { k: 'v' } } } },
        { do: 'apply', manager: 'b', object: { spec: { s: 'x', set: ['2', '3'], map: { k: 'v', m: 'w' } } } },
        { do: 'apply', manager: 'a', object: { spec: { set: ['1'] } } },
        { do: 'apply', manager: 'b', object: { spec: { set: ['3'] } } },
      ],
      'apply over update': [
        { do: 'create', manager: 'u', object: { spec: { s: 'x', list: [{ name: 'p', value: 1 }], nested: { a: '1', b: { c: '2' } } } } },
        { do: 'apply', manager: 'a', object: { spec: { s: 'x', list: [{ name: 'p', value: 2 }] } } },
        { do: 'apply', manager: 'a', force: true, object: { spec: { s: 'x', list: [{ name: 'p', value: 2 }], nested: { b: { d: '3' } } } } },
        { do: 'merge', manager: 'u', patch: { spec: { i: 5, nested: { b: { d: '4' } } } } },
        { do: 'json', manager: 'v', patch: [{ op: 'remove', path: '/spec/list' }] },
        { do: 'apply', manager: 'a', object: { spec: {} } },
      ],
      'atomic values': [
        { do: 'apply', manager: 'a', object: { spec: { atomicList: ['1', '2'], atomicMap: { k: 'v' } } } },
        { do: 'apply', manager: 'b', object: { spec: { atomicList: ['1'] } } },
        { do: 'apply', manager: 'b', object: { spec: { atomicMap: { k: 'v', l: 'w' } } } },
        { do: 'apply', manager: 'b', force: true, object: { spec: { atomicMap: { l: 'w' } } } },
        { do: 'apply', manager: 'a', object: { spec: { atomicList: [] } } },
      ],
      'keys with defaults': [
        { do: 'apply', manager: 'a', object: { spec: { ports: [{ port: 80, name: 'http' }] } } },
        { do: 'apply', manager: 'b', object: { spec: { ports: [{ port: 80, protocol: 'UDP' }, { port: 80, protocol: 'TCP', name: 'web' }] } } },
        { do: 'apply', manager: 'b', object: { spec: { ports: [{ port: 80, protocol: 'UDP' }, { port: 80, protocol: 'TCP' }] } } },
        { do: 'apply', manager: 'a', object: { spec: { ports: [] } } },
      ],
      'free form': [
        { do: 'apply', manager: 'a', object: { spec: { free: { x: { y: 1, l: [1, { z: 2 }] }, n: null } } } },
        { do: 'apply', manager: 'b', object: { spec: { free: { x: { y: 2 } } } } },
        { do: 'apply', manager: 'b', object: { spec: { free: { x: { w: 3 } } } } },
        { do: 'apply', manager: 'a', object: { spec: { free: { x: 'scalar now' } } } },
        { do: 'apply', manager: 'b', object: { spec: {} } },
      ],
      'null and empty': [
        { do: 'apply', manager: 'a', object: { spec: { map: {}, list: [], set: [], nested: {} } } },
        { do: 'apply', manager: 'a', object: { spec: { map: { a: 'b' }, list: [{ name: 'x' }] } } },
        { do: 'apply', manager: 'a', object: { spec: { map: {}, list: [] } } },
        { do: 'apply', manager: 'a', object: { spec: null } },
      ],
      'what apply refuses: unknown field': [{ do: 'apply', manager: 'a', object: { spec: { unknown: 1, s: 'x' } } }],
      'what apply refuses: unknown deep field': [{ do: 'apply', manager: 'a', object: { spec: { list: [{ name: 'a', what: 1 }], nested: { z: 1 } } } }],
      'what apply refuses: wrong types': [{ do: 'apply', manager: 'a', object: { spec: { s: 1 } } }],
      'what apply refuses: wrong integer': [{ do: 'apply', manager: 'a', object: { spec: { i: 'x' } } }],
      'what apply refuses: map for list': [{ do: 'apply', manager: 'a', object: { spec: { list: {}, map: [], nested: 'x' } } }],
      'what apply refuses: no key': [{ do: 'apply', manager: 'a', object: { spec: { list: [{ value: 1 }] } } }],
      'what apply refuses: repeated key': [{ do: 'apply', manager: 'a', object: { spec: { list: [{ name: 'a' }, { name: 'a' }], set: ['x', 'x'] } } }],
      'what apply refuses: managed fields': [{ do: 'apply', manager: 'a', object: { metadata: { managedFields: [{ manager: 'x' }] }, spec: {} } }],
      'what apply refuses: invalid values': [{ do: 'apply', manager: 'a', object: { spec: { list: [{ name: 'a', set: [] }], s: 'x' } } }],
      'owner references and finalizers': [
        { do: 'apply', manager: 'a', object: { metadata: { finalizers: ['x.io/a'], annotations: { a: '1' }, ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'n', uid: 'u1' }] } } },
        { do: 'apply', manager: 'b', object: { metadata: { finalizers: ['x.io/b'], annotations: { b: '<&>' }, ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'm', uid: 'u2' }] } } },
        { do: 'apply', manager: 'a', object: { metadata: { finalizers: ['x.io/c'] } } },
      ],
      'resetting managed fields': [
        { do: 'apply', manager: 'a', object: { spec: { s: 'x' } } },
        { do: 'merge', manager: 'b', patch: { metadata: { managedFields: [] } } },
        { do: 'merge', manager: 'b', patch: { spec: { s: 'y' } } },
        { do: 'apply', manager: 'a', object: { spec: { s: 'z' } } },
      ],
      'resetting managed fields by an empty entry': [
        { do: 'apply', manager: 'a', object: { spec: { s: 'x' } } },
        { do: 'merge', manager: 'b', patch: { metadata: { managedFields: [{}] } } },
        { do: 'apply', manager: 'a', object: { spec: { s: 'x', i: 3 } } },
      ],
      'rubbish in managed fields': [
        { do: 'apply', manager: 'a', object: { spec: { s: 'x' } } },
        { do: 'merge', manager: 'b', patch: { metadata: { managedFields: [{ manager: 'q', operation: 'Nonsense' }] }, spec: { i: 1 } } },
      ],
      'from client side apply': [
        { do: 'create', manager: 'kubectl-client-side-apply', object: { metadata: { annotations: { [LAST_APPLIED]: '{"apiVersion":"oracle.virt8s.io/v1","kind":"X","metadata":{"name":"n"},"spec":{"s":"x","i":1}}\n' } }, spec: { s: 'x', i: 1, nested: { a: 'not in the annotation' } } } },
        { do: 'apply', manager: 'kubectl', object: { spec: { s: 'y', i: 1, nested: { a: 'changed' } } } },
        { do: 'apply', manager: 'other', object: { spec: { s: 'y' } } },
        { do: 'apply', manager: 'kubectl', object: { spec: { s: 'y', i: 2 } } },
      ],
      'from client side apply, same kind': [
        { do: 'create', manager: 'kubectl-client-side-apply', object: { metadata: { annotations: { [LAST_APPLIED]: '{"apiVersion":"oracle.virt8s.io/v1","kind":"$KIND","metadata":{"name":"n"},"spec":{"s":"x","i":1}}\n' } }, spec: { s: 'x', i: 1, nested: { a: 'not in the annotation' } } } },
        { do: 'apply', manager: 'kubectl', object: { spec: { s: 'y', i: 1, nested: { a: 'changed' } } } },
        { do: 'apply', manager: 'kubectl', object: { spec: { s: 'y', i: 2 } } },
        { do: 'apply', manager: 'kubectl', object: { metadata: { annotations: { a: '<b>' } }, spec: { s: 'y' } } },
      ],
      'an update takes over': [
        { do: 'apply', manager: 'a', object: { spec: { s: 'x', list: [{ name: 'p', value: 1 }, { name: 'q' }] } } },
        { do: 'update', manager: 'u', object: { spec: { s: 'y', list: [{ name: 'q', value: 3 }] } } },
        { do: 'update', manager: 'u', object: { spec: { s: 'y', list: [{ name: 'q', value: 3 }] } } },
        { do: 'update', manager: 'w', object: { spec: { list: [{ name: 'q', value: 3 }, { name: 'q2' }] } } },
      ],
      'an update with duplicates': [
        { do: 'create', manager: 'u', object: { spec: { set: ['a', 'b'] } } },
        { do: 'merge', manager: 'v', patch: { spec: { set: ['a', 'b', 'c'] } } },
      ],
      'the order of list elements': [
        { do: 'create', manager: 'u', object: { spec: { list: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }], set: ['1', '2', '3', '4'] } } },
        { do: 'apply', manager: 'm', object: { spec: { list: [{ name: 'x' }, { name: 'd' }, { name: 'b' }, { name: 'y' }], set: ['4', '9', '1'] } } },
        { do: 'apply', manager: 'm', object: { spec: { list: [{ name: 'b' }, { name: 'z' }], set: ['1', '4'] } } },
      ],
      'many updaters': Array.from({ length: 14 }, (_, i) =>
        i === 0
          ? { do: 'create', manager: 'm0', object: { spec: { map: { k0: 'v' } } } }
          : { do: 'merge', manager: `m${i}`, patch: { spec: { map: { [`k${i}`]: 'v' } } } },
      ),
    },
  },
  {
    name: 'apply with status',
    schema: applySchema,
    status: true,
    objects: {
      'status by its own endpoint': [
        { do: 'apply', manager: 'a', object: { spec: { s: 'x' }, status: { phase: 'ignored' } } },
        { do: 'updateStatus', manager: 'c', object: { spec: { s: 'ignored' }, status: { phase: 'Running', count: 1 } } },
        { do: 'applyStatus', manager: 'd', object: { status: { phase: 'Stopped' } } },
        { do: 'applyStatus', manager: 'd', force: true, object: { status: { phase: 'Stopped' } } },
        { do: 'applyStatus', manager: 'd', object: { metadata: { labels: { a: 'b' } }, spec: { s: 'q' }, status: {} } },
        { do: 'apply', manager: 'a', object: { spec: { s: 'y' }, status: { phase: 'ignored' } } },
        { do: 'updateStatus', manager: 'c', object: { status: { phase: 1, count: 'x' } } },
        { do: 'merge', manager: 'a', patch: { status: { phase: 'no' }, spec: { i: 1 } } },
      ],
    },
  },
]; // prettier-ignore
