import { malformedField } from '../../../../../src/runtime/api-server/admission/envelope';

const names = { group: 'kubevirt.io', version: 'v1' };
const request = {
  uid: 'u-1',
  kind: { ...names, kind: 'VirtualMachine' },
  resource: { ...names, resource: 'virtualmachines' },
  operation: 'CREATE',
  object: { metadata: { name: 'web' } },
};

test.each([
  ['of the fewest fields', {}],
  ['of a deletion', { operation: 'DELETE', object: null, oldObject: { metadata: {} } }],
  ['of an API without a group', { kind: { group: '', version: 'v1', kind: 'Pod' } }],
  ['of an object that is not stored yet', { object: { metadata: { generateName: 'web-', creationTimestamp: null } } }],
  ['with all fields', { subResource: 'status', name: 'web', namespace: 'default', oldObject: null, dryRun: false }],
  ['of a user', { userInfo: { username: 'jane', uid: '1', groups: ['a'], extra: { scopes: ['a', 'b'] } } }],
])('a request %s is whole', (_, more) => expect(malformedField({ ...request, ...more })).toBeUndefined());

test.each<[string, unknown]>([
  ['uid', ''],
  ['uid', 1],
  ['kind', 'VirtualMachine'],
  ['kind', { ...names, kind: '' }],
  ['kind', { group: 'kubevirt.io', kind: 'VirtualMachine' }],
  ['resource', { ...names, resource: 5 }],
  ['subResource', null],
  ['name', {}],
  ['namespace', []],
  ['operation', 'PATCH'],
  ['userInfo', null],
  ['userInfo', { username: 1 }],
  ['userInfo', { groups: 'admin' }],
  ['userInfo', { groups: [1] }],
  ['userInfo', { extra: { scopes: 'a' } }],
  ['object', undefined],
  ['object', []],
  ['object', {}],
  ['object', { metadata: null }],
  ['object', { metadata: { name: null } }],
  ['object', { metadata: { labels: { a: 1 } } }],
  ['object', { metadata: { annotations: [] } }],
  ['object', { metadata: { finalizers: 'a' } }],
  ['object', { metadata: { ownerReferences: [null] } }],
  ['object', { kind: 1 }],
  ['oldObject', 'web'],
  ['dryRun', 'true'],
])('a request whose %s is %j is not', (field, value) =>
  expect(malformedField({ ...request, [field]: value })).toBe(field),
);

test.each([undefined, null, 'a', [request]])('%j is not a request', (value) =>
  expect(malformedField(value)).toBe('request'),
);
