import {
  patchedText,
  reachedByMerge,
  reachedByOperations,
} from '../../../../../src/local/api-server/verbs/patched-text';

const object = {
  spec: { ports: [{ port: 80, name: 'a' }], type: 'ClusterIP', selector: { b: '1', a: '2' } },
  metadata: { labels: { b: '1', a: '2' }, name: 'x' },
  kind: 'Service',
};

test.each<[name: string, patch: unknown, want: string]>([
  [
    'nothing below the object',
    { kind: 'Service' },
    '{"kind":"Service","metadata":{"name":"x","labels":{"a":"2","b":"1"}},"spec":{"ports":[{"name":"a","port":80}],"selector":{"a":"2","b":"1"},"type":"ClusterIP"}}',
  ],
  [
    'the metadata',
    { metadata: { labels: null } },
    '{"kind":"Service","metadata":{"labels":{"a":"2","b":"1"},"name":"x"},"spec":{"ports":[{"name":"a","port":80}],"selector":{"a":"2","b":"1"},"type":"ClusterIP"}}',
  ],
])('a patch of %s sorts the keys on its way and keeps the order of other fields', (_, patch, want) => {
  expect(patchedText(object, 'core.v1.Service', reachedByMerge(patch))).toBe(want);
});

test('a JSON patch sorts the keys of the objects that hold its values', () => {
  const operations = [{ op: 'replace', path: '/metadata/labels/a~1b', value: 1 }, { op: 'test' }, null];
  const reached = reachedByOperations(operations);
  expect(JSON.stringify(reached)).toBe('{"metadata":{"labels":{}}}');
  expect(patchedText({ metadata: { name: 'x', annotations: {} } }, 'core.v1.Pod', reached)).toBe(
    '{"metadata":{"annotations":{},"name":"x"}}',
  );
});

test('keys of a patch cannot reach prototypes', () => {
  reachedByOperations([{ op: 'add', path: '/__proto__/polluted/x', value: 1 }]);
  reachedByMerge(JSON.parse('{"__proto__": {"polluted": {}}}'));
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
