/** Boot, consoles and devices of a guest: combinations and names at which QEMU or libvirt stops. */
import { duplicates, mistake, nearest } from '../admission/rule';
import type { Finding, Path } from '../findings';
import { type Json, listAt, objectAt, read, textAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

/** QEMU accepts an initial ramdisk and arguments only for a kernel. */
const kernel: Rule = (spec, at) => {
  const boot = objectAt(spec, 'domain', 'firmware', 'kernelBoot');
  if (textAt(boot, 'container', 'initrdPath') === undefined || textAt(boot, 'container', 'kernelPath') !== undefined) {
    return [];
  }
  const path = at.at('domain', 'firmware', 'kernelBoot', 'container', 'kernelPath');
  const cause = 'the initial ramdisk has no kernel: QEMU does not start';
  return mistake('kernel-initrd', path, cause, 'set kernelPath, or leave initrdPath out', {
    type: 'FieldValueRequired',
  });
};

const serialPort: Rule = (spec, at) => {
  if (read(spec, 'domain', 'devices', 'autoattachSerialConsole') !== false) return [];
  const remedy = 'remove it, or keep the serial console';
  const extra = { value: true };
  const firmware = at.at('domain', 'firmware', 'bootloader', 'bios', 'useSerial');
  const log = at.at('domain', 'devices', 'logSerialConsole');
  return [
    ...(read(spec, 'domain', 'firmware', 'bootloader', 'bios', 'useSerial') === true
      ? mistake('serial-port', firmware, 'the BIOS writes to a serial port, and the guest has none', remedy, extra)
      : []),
    ...(read(spec, 'domain', 'devices', 'logSerialConsole') === true
      ? mistake('serial-port', log, 'the log is that of the serial port, and the guest has none', remedy, extra)
      : []),
  ];
};

/** Kubernetes rejects the Pod. */
const commands: Rule = (spec, at) =>
  (['readinessProbe', 'livenessProbe'] as const).flatMap((field) => {
    const exec = objectAt(spec, field, 'exec');
    if (!exec || (Array.isArray(exec.command) && exec.command.length > 0)) return [];
    const path = at.at(field, 'exec', 'command');
    return mistake(
      'probe-command',
      path,
      'the probe has no command',
      "write it like ['systemctl', 'is-active', 'web']",
      {
        type: 'FieldValueRequired',
      },
    );
  });

const ACTIONS = ['poweroff', 'reset', 'shutdown'];
const SLOW = ['delay', 'catchup'];

/** Fields that accept only some values in libvirt, and any in the webhook. */
const choices: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['devices', 'watchdog', 'i6300esb', 'action'], ACTIONS],
  [['devices', 'watchdog', 'diag288', 'action'], ACTIONS],
  [
    ['clock', 'timer', 'hpet', 'tickPolicy'],
    [...SLOW, 'merge', 'discard'],
  ],
  [
    ['clock', 'timer', 'pit', 'tickPolicy'],
    [...SLOW, 'discard'],
  ],
  [['clock', 'timer', 'rtc', 'tickPolicy'], SLOW],
  [
    ['clock', 'timer', 'rtc', 'track'],
    ['guest', 'wall'],
  ],
];

const choicesFit: Rule = (spec, at) => {
  const domain = objectAt(spec, 'domain');
  if (!objectAt(domain, 'devices', 'watchdog') && !objectAt(domain, 'clock', 'timer')) return [];
  return choices.flatMap(([fields, allowed]) => {
    const got = textAt(domain, ...fields);
    return got === undefined || allowed.includes(got) ? [] : notAllowed(got, allowed, at.at('domain', ...fields));
  });
};

/** Reports a value that libvirt does not know. */
export function notAllowed(got: string, allowed: readonly string[], path: Path): Finding[] {
  const cause = `"${got}" is not a value of ${String(path.parts.at(-1))}: libvirt rejects the guest`;
  return mistake('device-choice', path, cause, nearest(got, allowed), { value: got, allowed });
}

interface Named {
  readonly name: string | undefined;
  readonly kind: string;
  readonly path: Path;
}

/** libvirt identifies these devices by their names, and each name may occur once. Disks and networks have rules of their own. */
const aliases: Rule = (spec, at) => {
  const devices = objectAt(spec, 'domain', 'devices');
  if (!devices?.inputs && !devices?.sound && !devices?.watchdog) return [];
  const path = at.at('domain', 'devices');
  const listed = (field: string, kind: string): Named[] =>
    listAt(devices, field).map((each, i) => ({ name: textAt(each, 'name'), kind, path: path.at(field, i, 'name') }));
  const single = (field: string, kind: string): Named[] =>
    objectAt(devices, field) ? [{ name: textAt(devices, field, 'name'), kind, path: path.at(field, 'name') }] : [];
  const others = [...listed('disks', 'disk'), ...listed('interfaces', 'network')];
  const own = [
    ...listed('inputs', 'input device'),
    ...single('sound', 'sound card'),
    ...single('watchdog', 'watchdog'),
  ];
  const all = [...others, ...own];
  return duplicates(all, ({ name }) => name).flatMap(({ key, index, first }) => {
    if (index < others.length) return [];
    const cause = `the ${all[first].kind} is also called "${key}": libvirt rejects the guest`;
    const extra = { value: key, type: 'FieldValueDuplicate' } as const;
    return mistake('device-name-unique', all[index].path, cause, 'rename one of them', extra);
  });
};

/** Rules about the boot, the consoles and the devices of a guest. */
export const bootValues: readonly Rule[] = [kernel, serialPort, commands, choicesFit, aliases];
