import type { VirtualMachineInstance } from '../../../../../src/api';
import { notApplied, withServed } from '../../../../../src/runtime/launcher/vm/not-applied';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any field may change
type Loose = any;

const started = (): VirtualMachineInstance['spec'] => ({
  terminationGracePeriodSeconds: 30,
  nodeSelector: { zone: 'a' },
  domain: {
    cpu: { sockets: 1 },
    memory: { guest: '512Mi' },
    devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }], interfaces: [{ name: 'default', masquerade: {} }] },
  },
  networks: [{ name: 'default', pod: {} }],
  volumes: [{ name: 'root', containerDisk: { image: 'x' } }],
  dnsConfig: { nameservers: ['1.1.1.1'] },
});

test.each<[string, (spec: Loose) => void, string[]]>([
  ['the same spec', () => {}, []],
  ['an undefined field', (s) => (s.hostname = undefined), []],
  // what the guest does not need to have
  ['the grace period, which is taken over', (s) => (s.terminationGracePeriodSeconds = 5), []],
  ['the eviction strategy', (s) => (s.evictionStrategy = 'None'), []],
  ['placement', (s) => Object.assign(s, { nodeSelector: {}, affinity: {}, tolerations: [{ key: 'x' }] }), []],
  // what it does not get
  ['memory', (s) => (s.domain.memory.guest = '1Gi'), ['spec.domain.memory.guest']],
  ['sockets', (s) => (s.domain.cpu.sockets = 2), ['spec.domain.cpu.sockets']],
  ['a field that was not there', (s) => (s.domain.chassis = { sku: 'x' }), ['spec.domain.chassis']],
  ['a removed field', (s) => delete s.domain.cpu, ['spec.domain.cpu']],
  [
    'a plugged volume',
    (s) => {
      s.volumes.push({ name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } });
      s.domain.devices.disks.push({ name: 'data', disk: { bus: 'scsi' } });
    },
    [],
  ],
  ['an unplugged volume', (s) => s.volumes.pop(), ['spec.volumes[root]']],
  [
    'the medium of a volume',
    (s) => (s.volumes[0].containerDisk.image = 'y'),
    ['spec.volumes[root].containerDisk.image'],
  ],
  [
    'a link that is set down',
    (s) => (s.domain.devices.interfaces[0].state = 'down'),
    ['spec.domain.devices.interfaces[default].state'],
  ],
  ['a probe, which is the Pod’s', (s) => (s.readinessProbe = {}), ['spec.readinessProbe']],
  ['a list without names', (s) => s.dnsConfig.nameservers.push('9.9.9.9'), ['spec.dnsConfig.nameservers']],
  ['another order', (s) => s.volumes.unshift({ name: 'a' }), ['spec.volumes[a]']],
  [
    'the same disks in another order, which is the order of boot',
    (s) => {
      s.domain.devices.disks.push({ name: 'b' });
      s.domain.devices.disks.reverse();
    },
    ['spec.domain.devices.disks[b]'],
  ],
  ['a list that becomes a value', (s) => (s.volumes = 'x'), ['spec.volumes']],
  ['a value that becomes null', (s) => (s.domain.cpu.sockets = null), ['spec.domain.cpu.sockets']],
])('%s', (_, change, want) => {
  const wanted = started();
  change(wanted);
  expect(notApplied(started(), wanted).sort()).toEqual(want);
});

test('items that only changed places are reported as their list', () => {
  const two = { ...started(), volumes: [{ name: 'a' }, { name: 'b' }] };
  expect(notApplied(two, { ...two, volumes: [{ name: 'b' }, { name: 'a' }] })).toEqual(['spec.volumes']);
});

test('items of the same name are compared as a whole', () => {
  const two = { ...started(), volumes: [{ name: 'a' }, { name: 'a' }] };
  expect(notApplied(two, { ...two, volumes: [{ name: 'a' }] })).toEqual(['spec.volumes']);
});

test('a list is cut', () => {
  const labels = (value: string) => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`l${i}`, value]));
  const other = (value: string) => ({ ...started(), resourceClaims: labels(value) }) as Loose;
  expect(notApplied(other('a'), other('b'))).toHaveLength(20);
});

test('a running guest applies only its grace period', () => {
  const vmi = (spec: object) => ({ metadata: { name: 'x' }, spec: { ...started(), ...spec } });
  const merged = withServed(vmi({}), vmi({ terminationGracePeriodSeconds: 5, hostname: 'other' }));
  expect(merged).toEqual(vmi({ terminationGracePeriodSeconds: 5 }));
});
