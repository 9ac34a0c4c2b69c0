import { likelyMistakesOfVm } from '../../../../src/api/admission/likely-mistakes';
import { type Loose, validVm } from '../fixtures';
import { configs, expectCauses } from './causes';
import { both, bound, disk, domain, nic, type Row, second, spec, text, volume } from './causes/changes';

const rows: readonly Row[] = [
  ['the valid VM', () => undefined],
  ['no guest', (_, vm) => delete vm.spec.template.spec],
  ['a name of 64', (_, vm) => (vm.metadata.name = text(64))],
  ['volumes that are updated in no way', (_, vm) => (vm.spec.updateVolumesStrategy = 'Some')],
  ['labels that are not valid', (_, vm) => (vm.spec.template.metadata.labels = { 'a b': 'c', d: 'e f' })],
  ['no memory', domain({ memory: undefined })],
  [
    'no memory beside an instance type',
    (s, vm) => {
      delete s.domain.memory;
      vm.spec.instancetype = { name: 'small' };
    },
  ],
  ['no memory but a limit', domain({ memory: undefined, resources: { limits: { memory: '1Gi' } } })],
  ['CPUs of zero', domain({ cpu: { cores: 0, sockets: 0, threads: 0, maxSockets: 0 } })],
  ['a guest of less than a mebibyte', domain({ memory: { guest: '1048575' } })],
  ['a guest above its limit', domain({ memory: { guest: '2Gi' }, resources: { limits: { memory: '1Gi' } } })],
  ['a UUID that is not valid', domain({ firmware: { uuid: 'x' } })],
  ['a serial that the guest sees no end of', disk({ serial: text(21) })],
  ['a container disk of no image', volume({ containerDisk: { image: '' } })],
  ['a claim of no name', volume({ persistentVolumeClaim: { claimName: '' } })],
  ['a host disk of a relative path', volume({ hostDisk: { path: 'x', type: 'Disk' } })],
  ['sysprep of nothing', volume({ sysprep: {} })],
  ['cloud-init twice', volume({ cloudInitConfigDrive: { userData: 'x' } })],
  [
    'two interfaces of one address',
    both(nic({ macAddress: '02:00:00:00:00:0a' }), second({ macAddress: '02:00:00:00:00:0A' }, {})),
  ],
  [
    'two interfaces of one address in two notations',
    both(nic({ macAddress: '02:00:00:00:00:0a' }), second({ macAddress: '02-00-00-00-00-0A' }, {})),
  ],
  ['a plugin that nobody registered', bound({ binding: { name: 'lost' } }), 'bound'],
  ['a plugin that is registered', bound({ binding: { name: 'known' } }), 'bound'],
  ['labels of nodes that are not valid', spec({ nodeSelector: { 'a b': 'c', d: 'e f', g: 'h' } })],
];

test('every doubt about a VM is reported with its cause and remedy', () => {
  expectCauses(
    'likely-mistakes',
    rows.map(([sentence, change, name = 'gated']) => {
      const vm: Loose = validVm();
      change(vm.spec.template.spec, vm);
      return [sentence, likelyMistakesOfVm(vm, configs[name])];
    }),
  );
});
