import type { CustomizeComponentsPatch } from '../../../../../src/api/generated/kubevirt-v1';
import type { PlatformObject } from '../../../../../src/api/platform';
import { patched } from '../../../../../src/runtime/operator/customize/patches';

const labels = { 'kubevirt.io': 'virt-api', 'app.kubernetes.io/managed-by': 'virt-operator', other: 'x' };
const deployment = (name: string): PlatformObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'kubevirt', labels },
  spec: { replicas: 2, template: { spec: { containers: [{ name, image: 'a' }, { name: 'side' }] } } },
});
const service: PlatformObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'virt-api', labels }, spec: {} };
const all = [deployment('virt-api'), deployment('virt-controller'), service];

const patch = (type: string, value: unknown, resourceName = 'virt-api', resourceType = 'Deployment') =>
  ({
    type,
    resourceType,
    resourceName,
    patch: typeof value === 'string' ? value : JSON.stringify(value),
  }) as CustomizeComponentsPatch;
const replicas = ({ objects }: { objects: readonly PlatformObject[] }): unknown[] =>
  objects.map(({ spec }) => (spec as { replicas?: number }).replicas);

describe('a patch changes', () => {
  test.each<[string, CustomizeComponentsPatch[], unknown[]]>([
    [
      'its object with a JSON patch',
      [patch('json', [{ op: 'replace', path: '/spec/replicas', value: 3 }])],
      [3, 2, undefined],
    ],
    ['its object with a merge patch', [patch('merge', { spec: { replicas: 4 } })], [4, 2, undefined]],
    ['its object with a strategic merge patch', [patch('strategic', { spec: { replicas: 5 } })], [5, 2, undefined]],
    ['every object of a kind', [patch('merge', { spec: { replicas: 6 } }, '*')], [6, 6, undefined]],
    [
      'objects of a kind in small letters',
      [patch('merge', { spec: { replicas: 7 } }, '*', 'deployment')],
      [7, 7, undefined],
    ],
    [
      'what the patch before it has changed',
      [patch('merge', { spec: { replicas: 8 } }, '*'), patch('merge', { spec: { replicas: 9 } })],
      [9, 8, undefined],
    ],
    ['a field that it removes', [patch('merge', { spec: { replicas: null } })], [undefined, 2, undefined]],
  ])('%s', (_, patches, want) => {
    const result = patched(all, patches);
    expect(result.problems).toEqual([]);
    expect(replicas(result)).toEqual(want);
  });

  const containers = ({ objects: [first] }: { objects: readonly PlatformObject[] }): unknown =>
    (first!.spec as { template: { spec: { containers: unknown } } }).template.spec.containers;
  const change = { spec: { template: { spec: { containers: [{ name: 'virt-api', image: 'b' }] } } } };

  test('one element of a list only if it is strategic', () => {
    expect(containers(patched(all, [patch('strategic', change)]))).toEqual([
      { name: 'virt-api', image: 'b' },
      { name: 'side' },
    ]);
    expect(containers(patched(all, [patch('merge', change)]))).toEqual([{ name: 'virt-api', image: 'b' }]);
  });

  test('labels and annotations that the operator does not need', () => {
    const value = { metadata: { labels: { other: null, more: 'y' }, annotations: { a: 'b' } } };
    const { objects, problems } = patched(all, [patch('merge', value)]);
    expect(problems).toEqual([]);
    expect(objects[0]!.metadata.annotations).toEqual({ a: 'b' });
  });

  test('copies, not the objects of the install strategy', () => {
    const copy = structuredClone(all);
    patched(all, [
      patch('json', [{ op: 'add', path: '/spec/template/spec/containers/0/args', value: ['--a'] }]),
      patch('merge', { spec: { template: { spec: null } } }),
      patch('strategic', change),
    ]);
    expect(all).toEqual(copy);
  });
});

describe('a patch that does not fit leaves its object as it is, and is reported', () => {
  const WHERE = 'customizeComponents.patches[0]: cannot be applied to Deployment "virt-api": ';
  const IDENTITY = `${WHERE}it changes apiVersion, kind, name or namespace; correct the patch`;

  test.each<[string, CustomizeComponentsPatch, string | RegExp]>([
    [
      'an unknown object',
      patch('merge', {}, 'virt-ape'),
      'customizeComponents.patches[0]: the platform has no Deployment "virt-ape"; correct the name',
    ],
    [
      'an unknown kind',
      patch('merge', {}, '*', 'Pod'),
      'customizeComponents.patches[0]: the platform has no Pod "*"; correct the name',
    ],
    ['text that is not JSON', patch('merge', '{'), /JSON.*; correct the patch$/],
    [
      'a JSON patch that is a map',
      patch('json', {}),
      `${WHERE}a JSON patch is a list of operations; correct the patch`,
    ],
    ['an operation without a path', patch('json', [{ op: 'remove' }]), /; correct the patch$/],
    ['an unknown operation', patch('json', [{ op: 'change', path: '/spec' }]), /; correct the patch$/],
    [
      'an operation on a missing field',
      patch('json', [{ op: 'remove', path: '/spec/other' }]),
      /other.*; correct the patch$/,
    ],
    ['a test that fails', patch('json', [{ op: 'test', path: '/spec/replicas', value: 9 }]), /; correct the patch$/],
    [
      'an element without its key',
      patch('strategic', { spec: { template: { spec: { containers: [{}] } } } }),
      /has no "name"/,
    ],
    ['another name', patch('merge', { metadata: { name: 'x' } }), IDENTITY],
    ['another namespace', patch('merge', { metadata: { namespace: 'x' } }), IDENTITY],
    ['another kind', patch('json', [{ op: 'replace', path: '/kind', value: 'Service' }]), IDENTITY],
    ['another version', patch('strategic', { apiVersion: 'v1' }), IDENTITY],
    ['no metadata', patch('merge', { metadata: null }), IDENTITY],
    ['a number', patch('merge', '5'), IDENTITY],
    ['null', patch('merge', 'null'), IDENTITY],
    ['a list', patch('strategic', '[]'), IDENTITY],
    [
      'no label by which it is watched',
      patch('merge', { metadata: { labels: { 'kubevirt.io': null } } }),
      `${WHERE}it changes the label kubevirt.io; correct the patch`,
    ],
    [
      'no label by which it is removed',
      patch('json', [{ op: 'remove', path: '/metadata/labels' }]),
      `${WHERE}it changes the label kubevirt.io; correct the patch`,
    ],
    [
      'another manager',
      patch('merge', { metadata: { labels: { 'app.kubernetes.io/managed-by': 'Helm' } } }),
      `${WHERE}it changes the label app.kubernetes.io/managed-by; correct the patch`,
    ],
  ])('%s', (_, each, want) => {
    const { objects, problems } = patched(all, [each]);
    expect(objects).toEqual(all);
    expect(problems).toHaveLength(1);
    if (typeof want === 'string') expect(problems).toEqual([want]);
    else expect(problems[0]).toMatch(want);
  });

  test('but other objects and patches are applied', () => {
    const remove = patch('json', [{ op: 'remove', path: '/spec/template' }], '*', 'Service');
    const result = patched(all, [remove, patch('merge', { spec: { replicas: 9 } })]);
    expect(replicas(result)).toEqual([9, 2, undefined]);
    expect(result.problems).toEqual([expect.stringMatching(/^customizeComponents\.patches\[0\].*Service "virt-api"/)]);
  });
});
