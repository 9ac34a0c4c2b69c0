import type { Disk, VirtualMachineInstanceSpec } from '../../../../../src/api';
import { planDisks } from '../../../../../src/runtime/launcher/vm/hotplug-plan';
import { liveDisks, withMedium, withoutMedium } from '../../../../../src/runtime/launcher/vm/live-disks';

const element = (name: string, path: string | undefined, device = 'disk', target = 'sda') =>
  `<disk type='file' device='${device}'><driver name='qemu' type='raw'/>` +
  (path === undefined ? '' : `<source file='${path}' index='1'/>`) +
  `<backingStore type='file'><source file='/below'/></backingStore>` +
  `<target dev='${target}' bus='scsi'/><alias name='ua-${name}'/></disk>`;
const DIR = '/hotplug';
const spec = (names: readonly string[], disks: readonly Disk[]): VirtualMachineInstanceSpec => ({
  domain: { devices: { disks: [...disks] } },
  volumes: names.map((name) => ({ name, persistentVolumeClaim: { claimName: name, hotpluggable: true } })),
});
const disk = (name: string, bus = 'scsi'): Disk => ({ name, disk: { bus: bus as 'scsi' } });
const drive = (name: string): Disk => ({ name, cdrom: { bus: 'sata' } });

test('reads the disks of a domain by their aliases', () => {
  const xml = `<domain><devices>${element('a', '/x/a&amp;b.img')}${element('cd', undefined, 'cdrom', 'sdb')}</devices></domain>`;
  expect(liveDisks(xml)).toEqual([
    { name: 'a', target: 'sda', isCdrom: false, path: '/x/a&b.img', xml: expect.stringMatching(/^<disk .*<\/disk>$/) },
    { name: 'cd', target: 'sdb', isCdrom: true, xml: expect.any(String) },
  ]);
});

test('a medium changes only the source of its drive', () => {
  const [drive] = liveDisks(element('cd', undefined, 'cdrom'));
  const full = withMedium(drive, { type: 'block', path: `${DIR}/a'b` });
  expect(full).toContain(`<disk type='block' device='cdrom'><driver name='qemu' type='raw'/>`);
  expect(liveDisks(full)).toMatchObject([{ name: 'cd', path: `${DIR}/a'b` }]);
  expect(liveDisks(withoutMedium(liveDisks(full)[0]))).toMatchObject([{ name: 'cd', isCdrom: true }]);
  expect(liveDisks(withoutMedium(liveDisks(full)[0]))[0].path).toBeUndefined();
});

test.each<[string, string, VirtualMachineInstanceSpec, string[], string[]]>([
  ['attaches an available disk', '', spec(['a'], [disk('a')]), ['a'], ['attach a']],
  ['waits for a disk that is not available', '', spec(['a'], [disk('a')]), [], []],
  ['keeps an attached disk', element('a', `${DIR}/a.img`), spec(['a'], [disk('a')]), ['a'], []],
  ['detaches a disk that is not wanted', element('a', `${DIR}/a.img`), spec([], []), ['a'], ['detach a']],
  ['never detaches a disk of the start', element('root', '/disks/root'), spec([], []), [], []],
  ['inserts a medium', element('cd', undefined, 'cdrom'), spec(['cd'], [drive('cd')]), ['cd'], ['insert cd']],
  ['ejects a medium', element('cd', `${DIR}/cd.img`, 'cdrom'), spec([], [drive('cd')]), [], ['eject cd']],
  ['rejects a disk on a bus without hotplug', '', spec(['a'], [disk('a', 'sata')]), ['a'], ['reject a']],
  ['rejects a medium without a drive', '', spec(['cd'], [drive('cd')]), ['cd'], ['reject cd']],
])('%s', (_, xml, wanted, available, expected) => {
  const changes = planDisks({ live: liveDisks(xml), spec: wanted, available: new Set(available), directory: DIR });
  expect(changes.map((change) => `${change.do} ${'disk' in change ? change.disk.name : change.name}`)).toEqual(
    expected,
  );
});
