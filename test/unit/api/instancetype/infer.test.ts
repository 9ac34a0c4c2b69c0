import { inferMatchers } from '../../../../src/api/instancetype';
import type { Loose } from '../fixtures';
import { cluster, sizedVm } from './fixtures';

const labels = {
  'instancetype.kubevirt.io/default-instancetype': 'u1.small',
  'instancetype.kubevirt.io/default-instancetype-kind': 'VirtualMachineInstancetype',
  'instancetype.kubevirt.io/default-preference': 'fedora',
};
const object = (kind: string, name: string, more: Loose = {}, namespace = 'default'): Loose => ({
  kind,
  metadata: { name, namespace, ...(more.labels ? { labels: more.labels } : {}) },
  ...(more.spec ? { spec: more.spec } : {}),
});
const pvc = object('PersistentVolumeClaim', 'disk', { labels });
const inferring = (change: (vm: Loose) => void = () => {}) =>
  sizedVm((vm) => {
    vm.spec.instancetype = { inferFromVolume: 'root' };
    vm.spec.preference = { inferFromVolume: 'root' };
    vm.spec.template.spec.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'disk' } }];
    change(vm);
  });
const dataVolume = (vm: Loose): void => {
  vm.spec.template.spec.volumes = [{ name: 'root', dataVolume: { name: 'dv' } }];
};
const template =
  (spec: Loose) =>
  (vm: Loose): void => {
    dataVolume(vm);
    vm.spec.dataVolumeTemplates = [{ metadata: { name: 'dv' }, spec }];
  };
const dataSource = { sourceRef: { kind: 'DataSource', name: 'ds' } };
const elsewhere = { sourceRef: { kind: 'DataSource', name: 'ds', namespace: 'images' } };

describe('the labels are found on', () => {
  test.each<[string, (vm: Loose) => void, Loose[]]>([
    ['the claim', () => {}, [pvc]],
    ['a DataVolume', dataVolume, [object('DataVolume', 'dv', { labels })]],
    ['the claim of a DataVolume that is gone', dataVolume, [object('PersistentVolumeClaim', 'dv', { labels })]],
    [
      'the claim that a DataVolume copies',
      dataVolume,
      [object('DataVolume', 'dv', { spec: { source: { pvc: { name: 'disk', namespace: 'default' } } } }), pvc],
    ],
    [
      'the snapshot that a DataVolume copies',
      dataVolume,
      [
        object('DataVolume', 'dv', { spec: { source: { snapshot: { name: 'snap', namespace: 'images' } } } }),
        object('VolumeSnapshot', 'snap', { labels }, 'images'),
      ],
    ],
    [
      'the claim that a template copies',
      template({ source: { pvc: { name: 'disk', namespace: 'images' } } }),
      [object('PersistentVolumeClaim', 'disk', { labels }, 'images')],
    ],
    ['the DataSource of a template', template(dataSource), [object('DataSource', 'ds', { labels })]],
    ['a DataSource of another namespace', template(elsewhere), [object('DataSource', 'ds', { labels }, 'images')]],
    [
      "the DataSource's claim",
      template(dataSource),
      [object('DataSource', 'ds', { spec: { source: { pvc: { name: 'disk', namespace: 'default' } } } }), pvc],
    ],
    [
      "the DataSource's snapshot",
      template(dataSource),
      [
        object('DataSource', 'ds', { spec: { source: { snapshot: { name: 'snap', namespace: 'default' } } } }),
        object('VolumeSnapshot', 'snap', { labels }),
      ],
    ],
  ])('%s', (_, change, objects) => {
    const { vm, errors } = inferMatchers(inferring(change), cluster(objects));
    expect(errors).toEqual([]);
    expect(vm.spec.instancetype).toEqual({ name: 'u1.small', kind: 'VirtualMachineInstancetype' });
    expect(vm.spec.preference).toStrictEqual({ name: 'fedora' });
  });
});

describe('without labels', () => {
  const bare = object('PersistentVolumeClaim', 'disk');
  test.each<[string, (vm: Loose) => void, Loose[], string, boolean]>([
    [
      'a volume that is not there',
      (vm) => (vm.spec.template.spec.volumes = []),
      [],
      'unable to find volume root',
      false,
    ],
    ['a claim that is not there', () => {}, [], 'persistentvolumeclaims "disk" not found', false],
    ['a DataSource that is not there', template(dataSource), [], 'datasources.cdi.kubevirt.io "ds" not found', false],
    ['a claim without labels', () => {}, [bare], 'unable to find required instancetype', true],
    [
      'a volume of another kind',
      (vm) => (vm.spec.template.spec.volumes = [{ name: 'root', emptyDisk: { capacity: '1Gi' } }]),
      [],
      'unable to infer defaults from volume root as type is not supported',
      true,
    ],
    ['a template from elsewhere', template({ source: { http: { url: 'http://x' } } }), [], 'DataVolumeSource is', true],
    ['a reference to something else', template({ sourceRef: { kind: 'X', name: 'y' } }), [], 'as Kind X is not', true],
    [
      'a DataSource of something else',
      template(dataSource),
      [object('DataSource', 'ds', { spec: { source: {} } })],
      "from DataSource that doesn't provide",
      true,
    ],
  ])('%s is refused, or ignored where that may be', (_, change, objects, message, ignorable) => {
    const context = cluster(objects);
    const refused = inferMatchers(inferring(change), context);
    expect(refused.errors[0].cause).toContain(message);
    expect(`${refused.errors[0].path}`).toBe('spec.instancetype.inferFromVolume');
    const lenient = inferMatchers(
      inferring((vm) => {
        change(vm);
        vm.spec.instancetype.inferFromVolumeFailurePolicy = 'Ignore';
        delete vm.spec.preference;
      }),
      context,
    );
    expect(lenient.errors).toHaveLength(ignorable ? 0 : 1);
    if (ignorable) expect(lenient.vm.spec.instancetype).toBeUndefined();
  });
});

test('the memory of a VM with policy Ignore is only for the case that nothing is found', () => {
  const vm = inferring((each) => {
    each.spec.instancetype.inferFromVolumeFailurePolicy = 'Ignore';
    each.spec.template.spec.domain.memory = { guest: '512Mi' };
  });
  expect(inferMatchers(vm, cluster([pvc])).vm.spec.template.spec!.domain.memory).toBeUndefined();
  const without = inferMatchers(
    vm,
    cluster([
      object('PersistentVolumeClaim', 'disk', { labels: { 'instancetype.kubevirt.io/default-preference': 'x' } }),
    ]),
  );
  expect(without.vm.spec.template.spec!.domain.memory).toEqual({ guest: '512Mi' });
});

test.each([
  ['instancetype', 'Reject'],
  ['preference', 'Ignore'],
])('the memory of a VM stays when its %s is found with policy %s', (field, inferFromVolumeFailurePolicy) => {
  const vm = inferring((each) => {
    each.spec[field].inferFromVolumeFailurePolicy = inferFromVolumeFailurePolicy;
    each.spec.template.spec.domain.memory = { guest: '512Mi' };
  });
  expect(inferMatchers(vm, cluster([pvc])).vm.spec.template.spec!.domain.memory).toEqual({ guest: '512Mi' });
});

test('inferring twice is inferring once', () => {
  const once = inferMatchers(inferring(), cluster([pvc])).vm;
  expect(inferMatchers(once, cluster([pvc])).vm).toEqual(once);
});
