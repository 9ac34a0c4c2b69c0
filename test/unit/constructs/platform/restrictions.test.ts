import { Chart } from 'cdk8s';
import { PlatformImages, VirtPlatform } from '../../../../src';
import { evaluateCel } from '../../../../src/local/api-server/schema';
import { nodePatch } from '../../../../src/runtime/handler/node/labels';
import type { NodeFacts } from '../../../../src/runtime/handler/node/labels';
import { testApp } from '../../../support/app';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const chart = new Chart(testApp(), 'virt');
const { restrictions } = new VirtPlatform(chart, 'platform', {
  images: PlatformImages.of({ registry: 'registry.example', tag: 'v1' }),
  namespace: 'virtualization',
  definitions: false,
});
const NODE_NAME = 'authentication.kubernetes.io/node-name';
const HANDLER = 'system:serviceaccount:virtualization:kubevirt-handler';
const onNode = (node: string): Manifest => ({ username: HANDLER, extra: { [NODE_NAME]: [node] } });

/** As the API server evaluates the policy: the first message that refuses, or nothing. */
function refusal(policy: Manifest, userInfo: Manifest, oldObject: Manifest, object: Manifest): string | undefined {
  const { matchConditions, variables: declared, validations } = policy.spec;
  const given = { object, oldObject, request: { userInfo } };
  if (!matchConditions.every(({ expression }: Manifest) => evaluateCel(expression, given))) return undefined;
  const variables = Object.fromEntries(
    declared.map(({ name, expression }: Manifest) => [name, evaluateCel(expression, given)]),
  );
  return validations.find(({ expression }: Manifest) => evaluateCel(expression, { ...given, variables }) !== true)
    ?.message;
}

describe('a node', () => {
  const policy = restrictions.nodes.toJson();
  const before = {
    metadata: {
      name: 'node-1',
      labels: { 'kubernetes.io/arch': 'amd64', 'machine-type.node.kubevirt.io/pc': 'true' },
      annotations: { 'example.com/rack': '7' },
    },
    spec: { podCIDR: '10.0.0.0/24' },
  };
  const changed = (change: (node: Manifest) => void): Manifest => {
    const node = JSON.parse(JSON.stringify(before)) as Manifest;
    change(node);
    return node;
  };

  test.each<[string, Manifest, (node: Manifest) => void, string | undefined]>([
    [
      'its own heartbeat',
      onNode('node-1'),
      (node) => (node.metadata.annotations['kubevirt.io/heartbeat'] = 'now'),
      undefined,
    ],
    [
      'its own labels',
      onNode('node-1'),
      (node) => (node.metadata.labels['kubevirt.io/schedulable'] = 'true'),
      undefined,
    ],
    [
      'a machine type that is gone',
      onNode('node-1'),
      (node) => delete node.metadata.labels['machine-type.node.kubevirt.io/pc'],
      undefined,
    ],
    [
      'another node',
      onNode('node-2'),
      (node) => (node.metadata.labels['kubevirt.io/schedulable'] = 'true'),
      'its own node',
    ],
    ['a token without a node', { username: HANDLER }, () => undefined, 'its own node'],
    ['a taint', onNode('node-1'), (node) => (node.spec.taints = []), 'spec of a node'],
    [
      'a label that draws Pods',
      onNode('node-1'),
      (node) => (node.metadata.labels['node-role.kubernetes.io/control-plane'] = ''),
      'labels of',
    ],
    [
      'a label that only looks like ours',
      onNode('node-1'),
      (node) => (node.metadata.labels['notkubevirt.io/x'] = ''),
      'labels of',
    ],
    [
      'a label that ends like ours',
      onNode('node-1'),
      (node) => (node.metadata.labels['example.com/kubevirt.io'] = ''),
      'labels of',
    ],
    ['a label less', onNode('node-1'), (node) => delete node.metadata.labels['kubernetes.io/arch'], 'labels of'],
    [
      'an annotation of others',
      onNode('node-1'),
      (node) => (node.metadata.annotations['example.com/rack'] = '8'),
      'annotations of',
    ],
    ['all annotations less', onNode('node-1'), (node) => delete node.metadata.annotations, 'annotations of'],
    ['a finalizer', onNode('node-1'), (node) => (node.metadata.finalizers = ['x']), 'finalizers'],
    ['an owner', onNode('node-1'), (node) => (node.metadata.ownerReferences = [{ name: 'x' }]), 'ownerReferences'],
    ['others are not held to it', { username: 'admin' }, (node) => (node.spec.taints = []), undefined],
  ])('%s', (_, user, change, refused) => {
    const message = refusal(policy, user, before, changed(change));
    if (refused === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(refused);
  });

  test('everything that virt-handler writes there may be written', () => {
    const facts: NodeFacts = {
      kvm: { usable: false, cause: 'none' },
      endpoint: '10.0.0.1:8186',
      guests: {
        capabilities: {
          machines: ['q35'],
          architectures: ['amd64'],
          tsc: { frequency: 1, scalable: true },
          kvm: {
            models: { Haswell: null },
            features: ['aes'],
            hostModel: { name: 'Haswell', vendor: 'Intel', required: ['aes'] },
            hyperv: ['vpindex'],
            security: ['sev', 'sev-es', 'sev-snp', 'tdx', 's390-pv'],
          },
          qemu: { models: {}, features: [], hyperv: [], security: [] },
        },
        kernel: { realtime: true, ksm: true },
        usesKvm: true,
        obsolete: { Haswell: true },
        machines: [],
      },
      unknown: 'none',
      cpuManager: true,
      ksmManaged: true,
    };
    const { metadata } = nodePatch(facts, before.metadata, true, 0) as Manifest;
    const after = changed((node) => {
      for (const field of ['labels', 'annotations'] as const) {
        Object.assign(node.metadata[field], metadata[field]);
        for (const [key, value] of Object.entries(metadata[field]))
          if (value === null) delete node.metadata[field][key];
      }
    });
    expect(refusal(policy, onNode('node-1'), before, after)).toBeUndefined();
  });

  test('a node without labels and annotations gets ours', () => {
    const bare = { metadata: { name: 'node-1' }, spec: {} };
    const after = { metadata: { name: 'node-1', labels: { 'kubevirt.io/schedulable': 'true' } }, spec: {} };
    expect(refusal(policy, onNode('node-1'), bare, after)).toBeUndefined();
  });
});

describe('an instance', () => {
  const policy = restrictions.instances.toJson();
  const instance = (nodeName: string | undefined, cores = 1): Manifest => ({
    metadata: { name: 'web' },
    spec: { domain: { cpu: { cores } } },
    ...(nodeName === undefined ? {} : { status: { nodeName } }),
  });

  test.each<[string, Manifest, Manifest, string | undefined]>([
    ['that it takes over', instance(undefined), instance('node-1'), undefined],
    ['that it has', instance('node-1'), instance('node-1'), undefined],
    ['of another node', instance('node-2'), instance('node-2'), 'its own node'],
    ['taken from another node', instance('node-2'), instance('node-1'), 'of another node'],
    ['given to another node', instance('node-1'), instance('node-2'), 'its own node'],
    ['changed', instance('node-1'), instance('node-1', 64), 'spec of an instance'],
  ])('%s', (_, before, after, refused) => {
    const message = refusal(policy, onNode('node-1'), before, after);
    if (refused === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(refused);
  });
});
