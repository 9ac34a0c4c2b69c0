import type { Disk, VirtualMachine, VirtualMachineInstance, Volume } from '../../../../../src/api';
import { hasChangedDisk, storageChange } from '../../../../../src/runtime/controller/virtual-machine/volumes';
import { config, running, vm } from '../fixtures';

const claim = (name: string, claimName = name, hotpluggable = true): Volume => ({
  name,
  persistentVolumeClaim: { claimName, hotpluggable },
});
const disk = (name: string, bus = 'scsi'): Disk => ({ name, disk: { bus: bus as 'scsi' } });
const drive = (name: string): Disk => ({ name, cdrom: { bus: 'sata', readonly: true, tray: 'closed' } });
const machine = (volumes: Volume[], disks: Disk[]): VirtualMachine =>
  vm('Always', ({ spec }) => {
    spec.template.spec!.volumes!.push(...volumes);
    spec.template.spec!.domain.devices.disks!.push(...disks);
  });
const guest = (volumes: Volume[], disks: Disk[], more: (vmi: VirtualMachineInstance) => void = () => undefined) =>
  running((vmi) => {
    vmi.spec.volumes!.push(...volumes);
    vmi.spec.domain.devices.disks!.push(...disks);
    more(vmi);
  });
const busy = (vmi: VirtualMachineInstance): void => {
  vmi.status!.volumeStatus = [{ name: 'a', target: 'sda', hotplugVolume: {} }];
};
const ephemeral = (vmi: VirtualMachineInstance): void => {
  vmi.metadata.annotations = { 'kubevirt.io/ephemeral-hotplug-volumes': 'a' };
};

test.each<[string, VirtualMachine, VirtualMachineInstance, [string[], string[]] | undefined]>([
  [
    'adds a volume',
    machine([claim('a')], [disk('a')]),
    guest([], []),
    [
      ['root', 'a'],
      ['root', 'a'],
    ],
  ],
  ['removes a volume', machine([], []), guest([claim('a')], [disk('a')]), [['root'], ['root']]],
  ['keeps a volume', machine([claim('a')], [disk('a')]), guest([claim('a')], [disk('a')]), undefined],
  ['keeps one that only the instance has', machine([], []), guest([claim('a')], [disk('a')], ephemeral), undefined],
  ['waits until the guest has released the name', machine([claim('a')], [disk('a')]), guest([], [], busy), undefined],
  ['adds nothing on a bus without hotplug', machine([claim('a')], [disk('a', 'sata')]), guest([], []), undefined],
  ['adds nothing that is not hotpluggable', machine([claim('a', 'a', false)], [disk('a')]), guest([], []), undefined],
  [
    'inserts a medium',
    machine([claim('a')], [drive('a')]),
    guest([], [drive('a')]),
    [
      ['root', 'a'],
      ['root', 'a'],
    ],
  ],
  [
    'ejects a medium and keeps its drive',
    machine([], [drive('a')]),
    guest([claim('a')], [drive('a')]),
    [['root'], ['root', 'a']],
  ],
  [
    'removes a medium that is replaced',
    machine([claim('a', 'b')], [drive('a')]),
    guest([claim('a')], [drive('a')]),
    [['root'], ['root', 'a']],
  ],
  ['adds no drive', machine([claim('a')], [drive('a')]), guest([], []), undefined],
])('%s', (_, of, vmi, expected) => {
  const change = storageChange(of, vmi, config);
  const names = change && [change.volumes, change.disks].map((list) => list.map(({ name }) => name));
  expect(names).toEqual(expected);
});

test.each<[string, Volume, Disk, boolean]>([
  ['the same disk', claim('a'), disk('a'), false],
  ['another bus', claim('a'), disk('a', 'virtio'), true],
  ['another claim', claim('a', 'b'), disk('a'), true],
])('a hotplugged disk with %s needs a restart: %s', (_, volume, wanted, expected) => {
  expect(hasChangedDisk(machine([volume], [wanted]), guest([claim('a')], [disk('a')]), config)).toBe(expected);
});
