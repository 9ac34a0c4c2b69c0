import { canonicalForm } from '../../../../src/api/defaulting/canonical';
import type { Loose } from '../fixtures';

test.each<[string, Loose, Loose]>([
  [
    'a name server’s option may be empty, the value of a toleration is absent then',
    { options: [{ name: 'rotate', value: '' }], tolerations: [{ key: 'gpu', value: '' }] },
    { options: [{ name: 'rotate', value: '' }], tolerations: [{ key: 'gpu' }] },
  ],
  [
    'a path in the Pod may be writable by name, a claim is by default',
    { containerPath: { path: '/x', readOnly: false }, persistentVolumeClaim: { claimName: 'c', readOnly: false } },
    { containerPath: { path: '/x', readOnly: false }, persistentVolumeClaim: { claimName: 'c' } },
  ],
  [
    'a panic device may have an empty model, a NIC has none then',
    { panicDevices: [{ model: '' }], interfaces: [{ name: 'a', model: '' }] },
    { panicDevices: [{ model: '' }], interfaces: [{ name: 'a' }] },
  ],
  [
    'ports and ranges of ports have their numbers',
    { ports: [{}], portRanges: [{ protocol: 'UDP', start: 0, end: 5 }, {}] },
    {
      ports: [{ port: 0 }],
      portRanges: [
        { protocol: 'UDP', start: 0, end: 5 },
        { protocol: '', start: 0, end: 0 },
      ],
    },
  ],
  ['what a list holds stays, also null', { tolerations: [null, 'x'] }, { tolerations: [null, 'x'] }],
  [
    'a label without a value is absence, an empty one is not',
    { labels: { a: null, b: undefined, c: '' } },
    { labels: { c: '' } },
  ],
  ['a map that is empty is absence', { labels: {}, limits: {}, nodeSelector: {} }, {}],
  ['an empty list of users stays', { users: [], groups: [] }, { users: [] }],
  [
    'the features of a CPU have names',
    { cpu: { features: [{ policy: 'require' }] } },
    { cpu: { features: [{ policy: 'require', name: '' }] } },
  ],
  [
    'the features of a guest are not a list',
    { domain: { features: { acpi: {} } } },
    { domain: { features: { acpi: {} } } },
  ],
])('%s', (_, given, want) => {
  const before = structuredClone(given);
  expect(canonicalForm(given)).toEqual(want);
  expect(given).toEqual(before);
});

test('a key that is called __proto__ is one like any other', () => {
  const labels = JSON.parse('{"__proto__":"x"}') as object;
  expect(JSON.stringify(canonicalForm({ labels }))).toBe('{"labels":{"__proto__":"x"}}');
});
