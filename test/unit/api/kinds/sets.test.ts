import { validVmi } from '../fixtures';
import { created, type Loose, object, updated } from './fixtures';

const set = (): Loose =>
  object('kubevirt.io/v1', 'VirtualMachineInstanceReplicaSet', {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: structuredClone(validVmi().spec) },
  });

const pool = (): Loose =>
  object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    virtualMachineTemplate: {
      metadata: { labels: { app: 'web' } },
      spec: { runStrategy: 'Always', template: { spec: structuredClone(validVmi().spec) } },
    },
  });

const changed = (of: Loose, change: (object: Loose) => void): Loose => {
  change(of);
  return of;
};

describe.each([
  ['a replica set', set, 'spec.template', (of: Loose) => of.spec.template],
  ['a pool', pool, 'spec.virtualMachineTemplate.spec.template', (of: Loose) => of.spec.virtualMachineTemplate],
])('%s', (_, make, prefix, templateOf) => {
  const instance = (of: Loose): Loose => templateOf(of).spec.template?.spec ?? templateOf(of).spec;

  test.each<[string, (of: Loose) => void, string[]]>([
    ['a valid one passes', () => {}, []],
    [
      'labels that it does not choose',
      (of) => (templateOf(of).metadata.labels = {}),
      ['selector-matches spec.selector'],
    ],
    ['a template without metadata', (of) => delete templateOf(of).metadata, ['selector-matches spec.selector']],
    [
      'fewer cores than none',
      (of) => (instance(of).domain.cpu = { cores: -1 }),
      [`schema-range ${prefix}.spec.domain.cpu.cores as nothing`],
    ],
    ['an empty selector chooses all', (of) => (of.spec.selector = {}), []],
    [
      'a choice by list',
      (of) => (of.spec.selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }),
      [],
    ],
    [
      'a choice by what it is not',
      (of) => (of.spec.selector = { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }),
      ['selector-matches spec.selector'],
    ],
    [
      'a label name with a space',
      (of) => (of.spec.selector = { matchLabels: { 'a b': 'c' } }),
      ['selector spec.selector'],
    ],
    [
      'an empty list of values',
      (of) => (of.spec.selector = { matchExpressions: [{ key: 'app', operator: 'In' }] }),
      ['selector spec.selector'],
    ],
    [
      'values that mean nothing',
      (of) => (of.spec.selector = { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['a'] }] }),
      ['selector spec.selector'],
    ],
    [
      'a disk without a volume in the template',
      (of) => (instance(of).volumes = instance(of).volumes.slice(1)),
      [`disk-has-volume ${prefix}.spec.domain.devices.disks[0].name`],
    ],
    ['no selector', (of) => delete of.spec.selector, ['selector-matches spec.selector']],
    [
      'a nameless volume, which is validated as one whose name is empty',
      (of) => delete instance(of).volumes[0].name,
      [`disk-has-volume ${prefix}.spec.domain.devices.disks[0].name`],
    ],
  ])('%s', (__, change, want) => expect(created(changed(make(), change))).toEqual(want));
});

test('an update of a replica set follows the same rules', () => {
  expect(
    updated(
      changed(set(), (of) => (of.spec.selector = { matchLabels: { a: 'b' } })),
      set(),
    ),
  ).toEqual(['selector-matches spec.selector']);
});

test.each<[string, (of: Loose) => void, string[]]>([
  [
    'no run strategy',
    (of) => delete of.spec.virtualMachineTemplate.spec.runStrategy,
    ['run-strategy-required spec.virtualMachineTemplate.spec.running'],
  ],
  [
    'two ways to update',
    (of) => (of.spec.updateStrategy = { unmanaged: {}, proactive: {} }),
    ['one-strategy spec.updateStrategy'],
  ],
  [
    'two ways to scale in',
    (of) => (of.spec.scaleInStrategy = { opportunistic: {}, proactive: {} }),
    ['one-strategy spec.scaleInStrategy'],
  ],
  [
    'one way to do each',
    (of) => Object.assign(of.spec, { updateStrategy: { proactive: {} }, scaleInStrategy: { unmanaged: {} } }),
    [],
  ],
])('a pool: %s', (_, change, want) => expect(created(changed(pool(), change))).toEqual(want));

test.each([
  [1, true],
  ['50%', true],
  ['100%', true],
  ['+5%', true],
  [0, false],
  [-1, false],
  ['0%', false],
  ['101%', false],
  ['5', false],
  ['x%', false],
  ['1.5%', false],
])('a pool of which %j may be away is accepted: %s', (maxUnavailable, accepted) => {
  const want = accepted ? [] : ['max-unavailable spec.maxUnavailable'];
  expect(created(changed(pool(), (of) => (of.spec.maxUnavailable = maxUnavailable)))).toEqual(want);
});

test('a pool keeps its selector', () => {
  const other = changed(pool(), (of) => (of.spec.selector = {}));
  expect(updated(other, pool())).toEqual(['selector-immutable spec.selector']);
  expect(updated(pool(), pool())).toEqual([]);
});
