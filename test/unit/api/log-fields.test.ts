import { keyFields, vmFields } from '../../../src/api/log-fields';

test.each<[string, object, object]>([
  ['an instance', { namespace: 'web', name: 'db', uid: 'u1' }, { vm: 'web/db', uid: 'u1' }],
  ['an instance whose UID is not known', { namespace: 'web', name: 'db' }, { vm: 'web/db' }],
])('%s has the fields of its VM', (_, of, want) => expect(vmFields(of)).toEqual(want));

test.each<[string, object]>([
  ['vm', { kind: 'vm', vm: 'web/db' }],
  ['vmi', { kind: 'vmi', vm: 'web/db' }],
  ['datavolume', { kind: 'datavolume', key: 'web/db' }],
])('a key of %s is named', (kind, want) => expect(keyFields(kind, 'web/db')).toEqual(want));
