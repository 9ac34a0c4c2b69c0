/** Answers for the setup of Windows, and the machine that it sets up. */
import { mistake } from '../admission/rule';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { guestsIn } from './network-guests';
import { listAt, objectAt, read, textAt } from './read';
import type { World } from './world';

/** Setup wipes a disk, and partitions it for UEFI or for BIOS: what the firmware does not know does not boot. */
export function sysprepRules(object: KubeObject, world: World): Finding[] {
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
