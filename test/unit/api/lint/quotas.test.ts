import type { Loose } from '../fixtures';
import { object, together } from './worlds';

const vm = (domain: Loose, metadata: Loose = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'web', { template: { spec: { domain } } }, metadata);
const quota = (hard: Loose, more: Loose = {}, metadata: Loose = {}): Loose =>
  object('v1', 'ResourceQuota', 'quota', { hard, ...more }, metadata);
const limits = (limit: Loose): Loose => object('v1', 'LimitRange', 'limits', { limits: [limit] });
const guest = vm({ memory: { guest: '2Gi' } });
const at = 'spec.template.spec.domain';

test.each<[string, Loose[], string[]]>([
  ['accepts a guest of the size of the quota', [quota({ 'requests.memory': '2Gi' }), guest], []],
  ['reports a larger guest', [quota({ 'requests.memory': '2047Mi' }), guest], [`quota-memory ${at}.memory.guest`]],
  ['reads the short name', [quota({ memory: '1Gi' }), guest], [`quota-memory ${at}.memory.guest`]],
  [
    'prefers the request',
    [quota({ memory: '1Gi' }), vm({ memory: { guest: '2Gi' }, resources: { requests: { memory: '1Gi' } } })],
    [],
  ],
  ['accepts a quota with scopes', [quota({ memory: '1Gi' }, { scopes: ['BestEffort'] }), guest], []],
  ['accepts a quota of another namespace', [quota({ memory: '1Gi' }, {}, { namespace: 'a' }), guest], []],
  ['accepts a quota of other resources', [quota({ pods: '5' }), guest], []],
  ['accepts a guest of the size of the limit', [limits({ type: 'Container', max: { memory: '2Gi' } }), guest], []],
  [
    'reports a guest above the limit',
    [limits({ type: 'Pod', max: { memory: '1Gi' } }), guest],
    [`limit-range ${at}.memory.guest`],
  ],
  ['accepts limits of claims', [limits({ type: 'PersistentVolumeClaim', max: { memory: '1Gi' } }), guest], []],
  [
    'reports CPUs above the limit',
    [limits({ type: 'Container', max: { cpu: '500m' } }), vm({ resources: { requests: { cpu: '501m' } } })],
    [`limit-range ${at}.resources.requests.cpu`],
  ],
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

const policy = (name: string, spec: Loose): Loose =>
  object('migrations.kubevirt.io/v1alpha1', 'MigrationPolicy', name, spec);
const labels = { selectors: { virtualMachineInstanceSelector: { tier: 'a' } } };
const others = { selectors: { virtualMachineInstanceSelector: { tier: 'b' } } };

test.each<[string, Loose[], string[]]>([
  ['accepts policies for different guests', [policy('a', labels), policy('b', others)], []],
  ['accepts the first of two equal policies', [policy('b', labels), policy('a', labels)], []],
  ['reports the second', [policy('a', labels), policy('b', labels)], ['policy-unique spec.selectors']],
  ['reports a policy without selectors', [policy('a', {})], ['policy-selectors spec.selectors']],
  ['accepts a policy for every guest', [policy('a', { selectors: {} })], []],
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
