/** Answer files of Windows Setup, and the machine that Setup installs. */
import { mistake } from '../admission/rule';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn } from './network-guests';
import { type Json, listAt, objectAt, read, textAt } from './read';
import type { World } from './world';

/** Volumes that are empty when the guest first starts, or that it cannot boot from. */
const EMPTY = new Set(['emptyDisk', 'sysprep', 'cloudInitNoCloud', 'cloudInitConfigDrive', 'configMap', 'secret']);

/** Reports an answer file without an installation medium and without an installed Windows. */
function windowsIsThere(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  const volumes = listAt(guests?.spec, 'volumes');
  const index = volumes.findIndex(({ sysprep }) => sysprep !== undefined);
  if (!guests || index < 0 || !volumes.every((volume) => isEmpty(volume, guests, world))) return [];
  // a machine with nothing but answers is still being written
  if (!volumes.some(({ dataVolume, emptyDisk }) => dataVolume ?? emptyDisk)) return [];
  const disks = listAt(guests.spec, 'domain', 'devices', 'disks');
  // a CD can be inserted later, and a network may boot the guest
  const names = volumes.map(({ name }) => name);
  if (disks.some((disk) => disk.cdrom && !names.includes(disk.name))) return [];
  if (listAt(guests.spec, 'domain', 'devices', 'interfaces').some(({ bootOrder }) => bootOrder !== undefined))
    return [];
  const cause = 'the guest has an answer file for Windows, but no disk with Windows or its installation medium';
  const remedy = 'add the installation medium as a CD drive (DiskDevice.CDROM), or a disk with a generalized Windows';
  return mistake('sysprep-medium', guests.at.at('volumes', index, 'sysprep'), cause, remedy);
}

function isEmpty(volume: Json, guests: Guests, world: World): boolean {
  const name = textAt(volume, 'dataVolume', 'name');
  if (name === undefined) return Object.keys(volume).every((key) => key === 'name' || EMPTY.has(key));
  const own = listAt(guests.object, ...guests.ownerAt, 'dataVolumeTemplates');
  const found =
    own.find((template) => textAt(template, 'metadata', 'name') === name) ??
    world.find('DataVolume', guests.namespace, name);
  return read(found, 'spec', 'source', 'blank') !== undefined;
}

/** Rules about answer files. */
export const sysprepRules = (object: KubeObject, world: World): Finding[] => [
  ...windowsIsThere(object, world),
  ...firmwareFits(object, world),
];

/** Reports partitions that the firmware cannot boot: Setup partitions the disk for UEFI or for BIOS. */
function firmwareFits(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  const answered = guests && listAt(guests.spec, 'volumes').some(({ sysprep }) => sysprep !== undefined);
  if (!answered || decidedElsewhere(object)) return [];
  const { spec, at, namespace } = guests;
  const bootsByUefi = objectAt(spec, 'domain', 'firmware', 'bootloader', 'efi') !== undefined;
  return listAt(spec, 'volumes').flatMap((volume, i) =>
    (['configMap', 'secret'] as const).flatMap((field) => {
      const name = textAt(volume, 'sysprep', field, 'name');
      const answers = name === undefined ? undefined : world.find(KINDS[field], namespace, name);
      const text = answers && answersOf(answers);
      if (text === undefined || !/<WillWipeDisk>\s*true/.test(text)) return [];
      const forUefi = /<Type>\s*EFI\s*</.test(text);
      if (forUefi === bootsByUefi) return [];
      const [firmware, disk, wanted, other] = bootsByUefi
        ? ['UEFI', 'BIOS', 'WindowsDisk.uefi()', 'Firmware.bios()']
        : ['BIOS', 'UEFI', 'WindowsDisk.bios()', 'Firmware.efi()'];
      const message = `the answer file partitions the disk for ${disk}, but the guest boots by ${firmware}`;
      return mistake('sysprep-firmware', at.at('volumes', i, 'sysprep'), message, `use ${wanted}, or ${other}`);
    }),
  );
}

const KINDS = { configMap: 'ConfigMap', secret: 'Secret' } as const;

/** Whether the firmware is not in the spec: a preference may name it, and only amd64 has a BIOS. */
const decidedElsewhere = (object: KubeObject): boolean => {
  const spec = guestsIn(object)?.spec;
  const owner = ['spec', 'virtualMachineTemplate', 'spec'];
  return (
    objectAt(object, 'spec', 'preference') !== undefined ||
    objectAt(object, ...owner, 'preference') !== undefined ||
    ![undefined, 'amd64'].includes(textAt(spec, 'architecture'))
  );
};

/** Returns an answer file that is written as plain text; encoded data of a Secret is not read. */
function answersOf(object: KubeObject): string | undefined {
  for (const field of ['data', 'stringData']) {
    const text = object.kind === 'Secret' && field === 'data' ? undefined : read(object, field, 'autounattend.xml');
    if (typeof text === 'string') return text;
  }
  return undefined;
}
