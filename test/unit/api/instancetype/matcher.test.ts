import { VirtualMachine } from '../../../../src/api';
import { inferMatchers } from '../../../../src/api/instancetype';
import { kindOf } from '../../../../src/api/instancetype/matcher';
import type { Loose } from '../fixtures';
import { cluster, preference, sizedVm, reported } from './fixtures';

test.each([
  [undefined, 'VirtualMachineClusterInstancetype'],
  ['', 'VirtualMachineClusterInstancetype'],
  ['VirtualMachineInstancetype', 'VirtualMachineInstancetype'],
  ['virtualmachineinstancetypes', 'VirtualMachineInstancetype'],
  ['VirtualMachineClusterInstancetypes', 'VirtualMachineClusterInstancetype'],
  ['VirtualMachinePreference', undefined],
])('an instance type of kind %p is a %p', (kind, want) => {
  expect(kindOf('instancetype', { kind })).toBe(want);
});

test.each([
  [undefined, 'VirtualMachineClusterPreference'],
  ['virtualmachinepreferences', 'VirtualMachinePreference'],
  ['VirtualMachineClusterPreference', 'VirtualMachineClusterPreference'],
  ['VirtualMachineInstancetype', undefined],
])('a preference of kind %p is a %p', (kind, want) => {
  expect(kindOf('preference', { kind })).toBe(want);
});

describe('a reference', () => {
  test.each<[string, Loose, string[]]>([
    ['with a name passes', { name: 'x' }, []],
    ['needs a name or a volume', {}, ['FieldValueNotFound spec.instancetype']],
    [
      'has a volume or a name and kind, not both',
      { name: 'x', kind: 'VirtualMachineInstancetype', inferFromVolume: 'root' },
      ['FieldValueNotSupported spec.instancetype.name', 'FieldValueNotSupported spec.instancetype.kind'],
    ],
    [
      'has a known failure policy',
      { name: 'x', inferFromVolumeFailurePolicy: 'Maybe' },
      ['FieldValueInvalid spec.instancetype.inferFromVolumeFailurePolicy'],
    ],
  ])('%s', (_, matcher, want) => {
    const vm = sizedVm((each) => (each.spec.instancetype = matcher));
    expect(reported(inferMatchers(vm, cluster()).errors)).toEqual(want);
  });

  test.each<[string, Loose, Loose, string[]]>([
    [
      'a new name with the revision of the old one',
      { name: 'b', revisionName: 'r' },
      { name: 'a', revisionName: 'r' },
      ['FieldValueInvalid spec.preference.revisionName'],
    ],
    ['a new name without a revision', { name: 'b' }, { name: 'a', revisionName: 'r' }, []],
    ['a new name with another revision', { name: 'b', revisionName: 's' }, { name: 'a', revisionName: 'r' }, []],
    ['a revision that is added', { name: 'a', revisionName: 'r' }, { name: 'a' }, []],
    ['a reference that is added', { name: 'a', revisionName: 'r' }, undefined, []],
  ])('on update: %s', (_, now, before, want) => {
    const of = (matcher: Loose): VirtualMachine => sizedVm((vm) => (vm.spec.preference = matcher));
    expect(reported(inferMatchers(of(now), cluster(), of(before)).errors)).toEqual(want);
  });
});

describe('what a preference decides in the VM itself', () => {
  const spec = {
    preferredArchitecture: 'arm64',
    machine: { preferredMachineType: 'virt' },
    volumes: { preferredStorageClassName: 'fast' },
  };
  const withTemplates = sizedVm((vm) => {
    vm.spec.preference = { name: 'linux' };
    vm.spec.dataVolumeTemplates = [
      { metadata: { name: 'a' }, spec: { storage: {} } },
      { metadata: { name: 'b' }, spec: { pvc: {} } },
      { metadata: { name: 'c' }, spec: { storage: { storageClassName: 'mine' } } },
    ];
  });

  test('are architecture, machine type, and the storage class of its DataVolumes', () => {
    const { vm } = inferMatchers(withTemplates, cluster([preference(spec)])) as { vm: Loose };
    expect(vm.spec.template.spec.architecture).toBe('arm64');
    expect(vm.spec.template.spec.domain.machine).toEqual({ type: 'virt' });
    expect(vm.spec.dataVolumeTemplates.map(({ spec: dv }: Loose) => (dv.storage ?? dv.pvc).storageClassName)).toEqual([
      'fast',
      'fast',
      'mine',
    ]);
  });

  test('fills only fields that the VM leaves open', () => {
    const own = sizedVm((vm) => {
      delete vm.spec.instancetype;
      vm.spec.preference = { name: 'linux' };
      vm.spec.template.spec.architecture = 'amd64';
      vm.spec.template.spec.domain.machine = { type: 'q35' };
      vm.spec.dataVolumeTemplates = [null, { metadata: { name: 'a' } }];
    });
    expect(inferMatchers(own, cluster([preference(spec)])).vm).toEqual(own);
    const bare = sizedVm((vm) => {
      delete vm.spec.template.spec;
      vm.spec.preference = { name: 'linux' };
    });
    expect(inferMatchers(bare, cluster([preference(spec)])).vm).toEqual(bare);
  });

  test('is all that a VM without an instance type refers to', () => {
    const alone = sizedVm((vm) => {
      delete vm.spec.instancetype;
      vm.spec.preference = { name: 'linux' };
    });
    const { vm } = inferMatchers(alone, cluster([preference(spec)]));
    expect(vm.spec.template.spec?.architecture).toBe('arm64');
  });

  test('does not set an empty storage class, which would mean no class', () => {
    const volumes = { preferredStorageClassName: '' };
    expect(inferMatchers(withTemplates, cluster([preference({ volumes })])).vm).toEqual(withTemplates);
  });

  test('is nothing in a VM that refers to nothing', () => {
    const given = sizedVm((vm) => delete vm.spec.instancetype);
    expect(inferMatchers(given, cluster([preference(spec)])).vm).toBe(given);
  });

  test('is nothing while the preference is not there', () => {
    expect(inferMatchers(withTemplates, cluster()).vm).toEqual(withTemplates);
  });

  test('the given VM is not modified', () => {
    const before = structuredClone(withTemplates);
    inferMatchers(withTemplates, cluster([preference(spec)]));
    expect(withTemplates).toEqual(before);
  });
});
