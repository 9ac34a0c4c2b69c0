import { nodePatch, parseMachines } from '../../../../../src/runtime/handler/node/labels';
import type { NodeFacts, NodeMetadata } from '../../../../../src/runtime/handler/node/labels';
import { at, NOW } from '../fixtures';

const facts = (more: Partial<NodeFacts> = {}): NodeFacts => ({
  kvm: { usable: true },
  endpoint: 'h:1',
  guests: { kernel: { realtime: false, ksm: false }, usesKvm: true, machines: ['q35'] },
  cpuManager: false,
  ...more,
});
const patch = (of: NodeFacts, before: NodeMetadata, schedulable = true) =>
  (nodePatch(of, before, schedulable, NOW) as { metadata: { labels?: object; annotations: object } }).metadata;

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

test('a new node gets all labels and annotations', () => {
  expect(patch(facts({ cpuManager: true, ksmManaged: true, unknown: 'no libvirt' }), {})).toEqual({
    labels: {
      'kubevirt.io/schedulable': 'true',
      'kubevirt.io/cpumanager': 'true',
      'machine-type.node.kubevirt.io/q35': 'true',
    },
    annotations: {
      'kubevirt.io/heartbeat': at(0),
      'virt8s.io/handler-endpoint': 'h:1',
      'virt8s.io/capabilities-unknown': 'no libvirt',
      'kubevirt.io/ksm-handler-managed': 'true',
    },
  });
});

describe('a labelled node', () => {
  const before = {
    labels: {
      'kubevirt.io/schedulable': 'true',
      'kubevirt.io/cpumanager': 'false',
      'machine-type.node.kubevirt.io/q35': 'true',
      'machine-type.node.kubevirt.io/pc-q35-2.0': 'true',
      'cpu-model.node.kubevirt.io/Haswell': 'true',
      'kubevirt.io/sev': 'true',
      'kubevirt.io/workload': 'x',
      'feature.node.kubernetes.io/cpu': 'x',
    },
    annotations: {
      'virt8s.io/handler-endpoint': 'h:1',
      'virt8s.io/kvm-unusable': 'broken',
      'virt8s.io/capabilities-unknown': 'no libvirt',
      'kubevirt.io/ksm-handler-managed': 'true',
    },
  };
  const current = {
    'machine-type.node.kubevirt.io/pc-q35-2.0': null,
    'cpu-model.node.kubevirt.io/Haswell': null,
    'kubevirt.io/sev': null,
  };

  test('loses what no longer applies and nothing of others; what is right is not written again', () => {
    expect(patch(facts(), before)).toEqual({
      labels: current,
      annotations: {
        'virt8s.io/kvm-unusable': null,
        'virt8s.io/capabilities-unknown': null,
        'kubevirt.io/ksm-handler-managed': null,
        'kubevirt.io/heartbeat': at(0),
      },
    });
  });

  test('keeps the labels of a CPU that is not known at the moment', () => {
    expect(patch(facts({ unknown: 'not asked yet' }), before).labels).toEqual({
      'machine-type.node.kubevirt.io/pc-q35-2.0': null,
    });
  });

  test('keeps all labels of its administrator, who asked for that, and loses no VM to a handler that ended', () => {
    const annotations = { ...before.annotations, 'node-labeller.kubevirt.io/skip-node': '' };
    expect(patch(facts({ cpuManager: true }), { ...before, annotations }, false).labels).toEqual({
      'kubevirt.io/schedulable': 'false',
      'kubevirt.io/cpumanager': 'true',
    });
  });

  test('gets only a heartbeat if nothing changed', () => {
    const now = {
      labels: {
        'kubevirt.io/schedulable': 'true',
        'kubevirt.io/cpumanager': 'false',
        'machine-type.node.kubevirt.io/q35': 'true',
      },
      annotations: { 'virt8s.io/handler-endpoint': 'h:1' },
    };
    expect(patch(facts(), now)).toEqual({ annotations: { 'kubevirt.io/heartbeat': at(0) } });
  });
});

test('reports why a node has no KVM, and marks a node whose handler ends as unschedulable', () => {
  expect(patch(facts({ kvm: { usable: false, cause: 'no /dev/kvm' } }), {}, false)).toMatchObject({
    labels: { 'kubevirt.io/schedulable': 'false' },
    annotations: { 'virt8s.io/kvm-unusable': 'no /dev/kvm' },
  });
});
