import type { Scenario } from '.';

export const defaults: Scenario[] = [
  {
    name: 'defaults',
    schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          default: {},
          properties: {
            s: { type: 'string', default: 'x' },
            n: { type: 'string', nullable: true, default: 'y' },
            o: { type: 'object', default: { a: 1 }, properties: { a: { type: 'integer', default: 5 }, b: { type: 'integer', default: 6 } } },
            p: { type: 'object', properties: { a: { type: 'integer', default: 5 } } },
            l: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 7 }, b: { type: 'string' } } } },
            m: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'boolean', default: false } } } },
            k: { type: 'array', default: ['a'], items: { type: 'string', default: 'q' } },
          },
        },
      },
    },
    objects: {
      nothing: [{ do: 'create', object: {} }],
      empty: [{ do: 'create', object: { spec: {} } }],
      nested: [{ do: 'create', object: { spec: { p: {}, l: [{}, { a: 1 }, { b: 'c' }], m: { x: {}, y: { a: true } } } } }],
      nulls: [{ do: 'create', object: { spec: { s: null, n: null, o: null, p: null, l: [null], m: { x: null }, k: [null] } } }],
      'patched to null': [
        { do: 'create', object: { spec: { s: 'a' } } },
        { do: 'merge', patch: { spec: { s: null, o: { a: null } } } },
      ],
      applied: [
        { do: 'apply', manager: 'm', object: { spec: { o: { b: 1 } } } },
        { do: 'apply', manager: 'm', object: { spec: { s: 'z' } } },
        { do: 'apply', manager: 'n', object: { spec: { s: 'x' } } },
      ],
    },
  },
  {
    name: 'pruning',
    schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            a: { type: 'string' },
            keep: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'object', properties: { b: { type: 'string' } } } } },
            m: { type: 'object', additionalProperties: { type: 'object', properties: { c: { type: 'string' } } } },
            l: { type: 'array', items: { type: 'object', properties: { d: { type: 'string' } } } },
          },
        },
      },
    },
    objects: {
      unknown: [{ do: 'create', object: { top: 1, spec: { a: 'x', b: 'gone', keep: { x: { y: 1 }, known: { b: 'b', z: 1 } }, m: { k: { c: 'c', e: 1 } }, l: [{ d: 'd', f: 1 }] } } }],
      metadata: [{ do: 'create', object: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['x.io/y'], unknown: 1 }, spec: {} } }],
      patched: [
        { do: 'create', object: { spec: { a: 'x' } } },
        { do: 'merge', patch: { spec: { q: 1 }, other: 2 } },
        { do: 'json', patch: [{ op: 'add', path: '/spec/l', value: [{ d: '1', g: 2 }] }, { op: 'test', path: '/spec/a', value: 'x' }] },
        { do: 'json', patch: [{ op: 'test', path: '/spec/a', value: 'y' }] },
        { do: 'json', patch: [{ op: 'remove', path: '/spec/nope' }] },
        { do: 'json', patch: [{ op: 'add', path: '/spec/l/-', value: { d: '2' } }, { op: 'copy', from: '/spec/l/0', path: '/spec/l/1' }, { op: 'move', from: '/spec/l/2', path: '/spec/l/0' }] },
        { do: 'json', patch: [{ op: 'replace', path: '/spec/l/5/d', value: 'x' }] },
        { do: 'json', patch: [{ op: 'add', path: '/spec/l/9', value: {} }] },
        { do: 'json', patch: [{ op: 'frobnicate', path: '/spec' }] },
        { do: 'json', patch: [{ op: 'add', path: '/spec' }] },
        { do: 'json', patch: { op: 'add' } },
      ],
    },
  },
]; // prettier-ignore
