import { forbiddenLabels } from '../../../../../src/local/api-server/admission/node-restriction';

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  ['labels of its platform', { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': 'a' }, {}, []],
  ['labels of others', { 'example.com/rack': '7', plain: 'x' }, {}, []],
  ['labels of the kubelet', { 'a.kubelet.kubernetes.io/x': '', 'node.kubernetes.io/y': '' }, {}, []],
  ['a role', { 'node-role.kubernetes.io/control-plane': '' }, {}, ['node-role.kubernetes.io/control-plane']],
  ['a role that it has', { 'node-role.kubernetes.io/x': '' }, { 'node-role.kubernetes.io/x': '' }, []],
  ['the removal of a role', {}, { 'node-role.kubernetes.io/x': '' }, ['node-role.kubernetes.io/x']],
  [
    'labels that isolate nodes',
    { 'node-restriction.kubernetes.io/pci': '', 'x.node-restriction.kubernetes.io/y': '' },
    {},
    ['node-restriction.kubernetes.io/pci', 'x.node-restriction.kubernetes.io/y'],
  ],
  ['a prefix that only ends like one', { 'notkubernetes.io/x': '' }, {}, []],
])('a node and %s', (_, next, old, forbidden) => expect(forbiddenLabels(next, old)).toEqual(forbidden));
