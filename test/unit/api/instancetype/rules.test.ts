import { admissionOf, KubeObject } from '../../../../src/api';
import type { Loose } from '../fixtures';
import { cluster, instancetype, preference, reported } from './fixtures';

const validated = (object: Loose): string[] => reported(admissionOf(object as KubeObject)!.create(object, cluster()));
const warned = (object: Loose): string[] => admissionOf(object as KubeObject)!.warnings!(object, cluster());

describe.each(['VirtualMachineInstancetype', 'VirtualMachineClusterInstancetype'])('a %s', (kind) => {
  const percent = 'FieldValueInvalid spec.memory.overcommitPercent';
  test.each<[string, Loose, string[]]>([
    ['that is valid passes', {}, []],
    ['overcommits no more than all', { memory: { guest: '1Gi', overcommitPercent: 101 } }, [percent]],
    ['overcommits no less than nothing', { memory: { guest: '1Gi', overcommitPercent: -1 } }, [percent]],
    [
      'overcommits no huge pages',
      { memory: { guest: '1Gi', overcommitPercent: 10, hugepages: { pageSize: '2Mi' } } },
      [percent],
    ],
    ['has a size', { cpu: {} }, ['FieldValueRequired spec.cpu.guest']],
  ])('%s', (_, spec, want) => {
    expect(validated(instancetype(spec, kind))).toEqual(want);
  });

  test('with launch security is accepted with a warning', () => {
    expect(warned(instancetype({ launchSecurity: {} }, kind))[0]).toMatch(/^launchSecurity is deprecated/);
    expect(warned(instancetype({}, kind))).toEqual([]);
  });
});

describe.each(['VirtualMachinePreference', 'VirtualMachineClusterPreference'])('a %s', (kind) => {
  const spread = (spreadOptions: Loose): Loose => ({ cpu: { preferredCPUTopology: 'spread', spreadOptions } });
  test.each<[string, Loose, string[]]>([
    ['that is empty passes', {}, []],
    [
      'has a known topology',
      { cpu: { preferredCPUTopology: 'sideways' } },
      ['FieldValueInvalid spec.cpu.preferredCPUTopology'],
    ],
    ['spreads over known parts', spread({ across: 'Nodes' }), ['FieldValueInvalid spec.cpu.spreadOptions.across']],
    [
      'has two threads per core',
      spread({ across: 'CoresThreads', ratio: 4 }),
      ['FieldValueInvalid spec.cpu.spreadOptions.ratio'],
    ],
    ['divides by something', spread({ ratio: 0 }), ['FieldValueInvalid spec.cpu.spreadOptions.ratio']],
    ['spreads', spread({ across: 'SocketsCoresThreads', ratio: 4 }), []],
  ])('%s', (_, spec, want) => {
    expect(validated(preference(spec, kind))).toEqual(want);
  });

  test('with an older word for its topology is accepted with a warning', () => {
    expect(warned(preference({ cpu: { preferredCPUTopology: 'preferCores' } }, kind))).toEqual([
      'PreferredCPUTopology preferCores is deprecated for removal in a future release, please use cores instead',
    ]);
    expect(warned(preference({ cpu: { preferredCPUTopology: 'cores' } }, kind))).toEqual([]);
    expect(warned(preference({ cpu: { preferredCPUTopology: 'constructor' } }, kind))).toEqual([]);
    expect(warned(preference({}, kind))).toEqual([]);
  });
});

describe('a preset', () => {
  const preset = (spec: Loose): Loose => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstancePreset',
    metadata: { name: 'p', namespace: 'default' },
    spec,
  });
  test.each<[string, Loose, string[]]>([
    ['that is valid passes', { selector: {}, domain: { devices: {}, cpu: { cores: 2 } } }, []],
    ['has a domain', { selector: {} }, ['FieldValueRequired spec.domain']],
    [
      'has disks of different names',
      { selector: {}, domain: { devices: { disks: [{ name: 'a' }, { name: 'a' }] } } },
      ['FieldValueInvalid spec.domain.devices.disks[1].name'],
    ],
  ])('%s', (_, spec, want) => {
    expect(validated(preset(spec))).toEqual(want);
  });
});
