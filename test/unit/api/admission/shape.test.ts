import {
  clusterConfig,
  lintVirtualMachine,
  root,
  type RuleId,
  validateVirtualMachineCreate,
  validateVirtualMachineInstanceCreate,
} from '../../../../src/api';
import { breaksRules, numbersAndNulls } from '../../../../src/api/admission/shape';
import { Loose, refused, validVm, validVmi, vmRefused } from '../fixtures';

type Case = [string, (spec: Loose) => void, string[]];
const config = clusterConfig();

describe('the shape of a VMI', () => {
  test.each<Case>([
    ['no domain', (s) => delete s.domain, [' ']],
    ['no devices', (s) => delete s.domain.devices, [' ']],
    ['no name of a watchdog', (s) => (s.domain.devices.watchdog = { i6300esb: {} }), []],
    ['no capacity of an empty disk', (s) => (s.volumes[1].emptyDisk = {}), [' ']],
    ['no port of a probe', (s) => (s.livenessProbe = { tcpSocket: {} }), [' ']],
    ['a label that is null', (s) => (s.nodeSelector = { a: null }), [' ']],
    ['a number as text', (s) => (s.domain.cpu.cores = '2'), [' ']],
    ['a fraction of an amount', (s) => (s.domain.resources = { requests: { cpu: 0.5 } }), []],
    ['a port beyond 32 bits', (s) => (s.domain.devices.interfaces[0].ports = [{ port: 2 ** 31 }]), [' ']],
    ['an unknown pull policy', (s) => (s.volumes[0].containerDisk.imagePullPolicy = 'Maybe'), [' ']],
    ['an unknown scheme', (s) => (s.livenessProbe = { httpGet: { port: 1, scheme: 'FTP' } }), [' ']],
    ['an unknown toleration', (s) => (s.tolerations = [{ operator: 'Like' }]), [' ']],
    ['an unknown effect', (s) => (s.tolerations = [{ effect: 'Never' }]), [' ']],
    ['a wrong shape hides the rules', (s) => Object.assign(s, { foo: 1, hostname: '_' }), [' ']],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  test('is reported with its path, its type in the message, and a remedy', () => {
    const vmi: Loose = validVmi();
    vmi.spec.hostName = 'x';
    vmi.spec.domain.cpu.cores = '2';
    const reported = validateVirtualMachineInstanceCreate(vmi, config).map(({ path, cause: message, remedy }) => [
      `${path}`,
      message,
      remedy,
    ]);
    expect(reported).toEqual([
      [
        'spec.domain.cpu.cores',
        'spec.domain.cpu.cores in body must be of type integer, not string',
        'write it without quotes',
      ],
      [
        'spec.hostName',
        'spec.hostName in body is a forbidden property: unknown field "hostName"',
        'did you mean "hostname"?',
      ],
    ]);
  });
});

test.each([
  [99, 99, 'schema-null'],
  [100, 100, 'schema-null'],
  [101, 101, 'schema-more'],
  [102, 101, 'schema-more'],
])('of %i fields that are null %i mistakes are reported, the last one by %s', (count, reported, last) => {
  const nodeSelector = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, null]));
  const mistakes = numbersAndNulls({ nodeSelector }, root.at('spec'));
  expect(mistakes).toHaveLength(reported);
  expect(mistakes.at(-1)).toMatchObject({ rule: last });
  expect(`${mistakes[0]!.path}`).toBe('spec.nodeSelector.k0');
});

test.each<[RuleId, boolean]>([
  ['schema-limit', false],
  ['schema-enum', false],
  ['schema-type', true],
  ['vocabulary', true],
])('a mistake %s keeps the rules from being asked: %s', (rule, want) => {
  expect(breaksRules({ rule, path: root, cause: 'm', remedy: 'r' })).toBe(want);
});

test('reports the modes of a VM disks', () => {
  const made = (storage: Loose) => (s: Loose) =>
    (s.dataVolumeTemplates = [{ metadata: { name: 'x' }, spec: { storage, source: { blank: {} } } }]);
  expect(vmRefused(made({ accessModes: ['ReadWrite'] }))).toEqual([' ']);
  expect(vmRefused(made({ accessModes: ['ReadWriteOnce'] }))).toEqual(['Required spec.dataVolumeTemplate[0]']);
});

test.each<[string, string, number]>([
  ['an empty topology is wrong in three ways, two of which are reported', '', 7],
  ['a topology that is not a valid label is wrong in one', 'a b', 10],
])('where an answer breaks off: %s', (_, topologyKey, reported) => {
  const vm: Loose = validVm();
  vm.spec.template.spec.affinity = {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: Array(12).fill({ topologyKey }) },
  };
  expect(validateVirtualMachineCreate(vm, config)).toHaveLength(reported);
});

test('a response ends after ten causes and contains each once', () => {
  const vm: Loose = validVm();
  vm.spec.template.spec.volumes = Array.from({ length: 15 }, (_, i) => ({ name: `v${i}` }));
  vm.spec.template.spec.domain.devices.disks = [];
  expect(validateVirtualMachineCreate(vm, config)).toHaveLength(10);
  expect(lintVirtualMachine(vm, config).length).toBeGreaterThanOrEqual(10);
});
