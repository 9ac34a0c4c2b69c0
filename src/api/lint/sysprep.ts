/** Answers for the setup of Windows, and the machine that it sets up. */
import { mistake } from '../admission/rule';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn } from './network-guests';
import { type Json, listAt, objectAt, read, textAt } from './read';
import type { World } from './world';

/** Kinds of volumes that hold nothing when the guest starts for the first time, or nothing to boot from. */
const EMPTY = new Set(['emptyDisk', 'sysprep', 'cloudInitNoCloud', 'cloudInitConfigDrive', 'configMap', 'secret']);

/** Answers are for Setup or for an installed Windows: somebody must bring one of them. */
function windowsIsThere(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  const volumes = listAt(guests?.spec, 'volumes');
  const index = volumes.findIndex(({ sysprep }) => sysprep !== undefined);
  if (!guests || index < 0 || !volumes.every((volume) => isEmpty(volume, guests, world))) return [];
  // answers alone are a machine that somebody has not finished
  if (!volumes.some(({ dataVolume, emptyDisk }) => dataVolume ?? emptyDisk)) return [];
  const disks = listAt(guests.spec, 'domain', 'devices', 'disks');
  // a CD can be inserted later, and a network may boot the guest
  const names = volumes.map(({ name }) => name);
  if (disks.some((disk) => disk.cdrom && !names.includes(disk.name))) return [];
  if (listAt(guests.spec, 'domain', 'devices', 'interfaces').some(({ bootOrder }) => bootOrder !== undefined))
    return [];
  const cause = 'the guest has answers for the setup of Windows, and no disk with Windows or its setup';
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

/** Answers, and the machine that they are for. */
export const sysprepRules = (object: KubeObject, world: World): Finding[] => [
  ...windowsIsThere(object, world),
  ...firmwareFits(object, world),
];

/** Setup wipes a disk, and partitions it for UEFI or for BIOS: what the firmware does not know does not boot. */
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
      const message = `the answers partition the disk for ${disk}, and the guest boots by ${firmware}`;
      return mistake('sysprep-firmware', at.at('volumes', i, 'sysprep'), message, `use ${wanted}, or ${other}`);
    }),
  );
}

const KINDS = { configMap: 'ConfigMap', secret: 'Secret' } as const;

/** A preference may name the firmware, and only amd64 has a BIOS. */
const decidedElsewhere = (object: KubeObject): boolean => {
  const spec = guestsIn(object)?.spec;
  const owner = ['spec', 'virtualMachineTemplate', 'spec'];
  return (
    objectAt(object, 'spec', 'preference') !== undefined ||
    objectAt(object, ...owner, 'preference') !== undefined ||
    ![undefined, 'amd64'].includes(textAt(spec, 'architecture'))
  );
};

/** Where it is written as text: what is encoded is somebody's secret. */
function answersOf(object: KubeObject): string | undefined {
  for (const field of ['data', 'stringData']) {
    const text = object.kind === 'Secret' && field === 'data' ? undefined : read(object, field, 'autounattend.xml');
    if (typeof text === 'string') return text;
  }
  return undefined;
}
