import { nodePatch, parseMachines } from '../../../../../src/runtime/handler/node/labels';
import { at, NOW } from '../fixtures';

test('lists the machine types that guests may request', () => {
  const help = [
    'Supported machines are:',
    'microvm              microvm (i386)',
    'pc                   Standard PC (i440FX + PIIX, 1996) (alias of pc-i440fx-10.0)',
    'pc-i440fx-10.0       Standard PC',
    'q35                  Standard PC (Q35 + ICH9, 2009) (alias of pc-q35-10.0)',
    'pc-q35-10.0          Standard PC',
    'none                 empty machine',
  ].join('\n');
  expect(parseMachines(help)).toEqual(['pc', 'pc-i440fx-10.0', 'q35', 'pc-q35-10.0']);
});

test('removes the cause from a node whose KVM works again, and labels of machine types that no longer exist', () => {
  const before = { labels: { 'machine-type.node.kubevirt.io/pc-q35-2.0': 'true', other: 'x' } };
  expect(nodePatch({ kvm: { usable: true }, endpoint: 'h:1', machines: ['q35'] }, before, true, NOW)).toEqual({
    metadata: {
      labels: {
        'kubevirt.io/schedulable': 'true',
        'machine-type.node.kubevirt.io/pc-q35-2.0': null,
        'machine-type.node.kubevirt.io/q35': 'true',
      },
      annotations: {
        'kubevirt.io/heartbeat': at(0),
        'virt8s.io/handler-endpoint': 'h:1',
        'virt8s.io/kvm-unusable': null,
      },
    },
  });
});

test('reports why a node has no KVM, and marks a node whose handler ends as unschedulable', () => {
  const facts = { kvm: { usable: false as const, cause: 'no /dev/kvm' }, endpoint: 'h:1', machines: [] };
  expect(nodePatch(facts, {}, false, NOW)).toMatchObject({
    metadata: {
      labels: { 'kubevirt.io/schedulable': 'false' },
      annotations: { 'virt8s.io/kvm-unusable': 'no /dev/kvm' },
    },
  });
});
