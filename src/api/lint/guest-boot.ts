/** Boot, consoles and devices of a guest: combinations and names at which QEMU or libvirt stops. */
import { duplicates, mistake, nearest } from '../admission/rule';
import type { Finding, Path } from '../findings';
import { tryParseQuantity } from '../quantity';
import { type Json, listAt, objectAt, read, shown, textAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

/** Less than any system boots with. The webhook warns of less than 1 MiB, where the unit is missing. */
const SMALLEST = 8n * 1024n ** 2n * 1_000_000_000n;

const memory: Rule = (spec, at) => {
  const got = read(spec, 'domain', 'memory', 'guest');
  const bytes = got === undefined ? undefined : tryParseQuantity(got)?.nanos;
  if (bytes === undefined || bytes >= SMALLEST || bytes <= 0n) return [];
  const path = at.at('domain', 'memory', 'guest');
  const cause = `no guest boots with ${shown(got)} of memory`;
  return mistake('guest-memory-tiny', path, cause, 'use a larger unit, such as 512Mi or 2Gi', { value: got });
};

/** Sizes of huge pages, by architecture. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  amd64: ['2Mi', '1Gi'],
  arm64: ['64Ki', '2Mi', '32Mi', '512Mi', '1Gi', '16Gi'],
  s390x: ['1Mi', '2Gi'],
};

const hugepages: Rule = (spec, at) => {
  const got = textAt(spec, 'domain', 'memory', 'hugepages', 'pageSize');
  const size = got === undefined ? undefined : tryParseQuantity(got)?.nanos;
  if (size === undefined || size <= 0n) return [];
  const architecture = textAt(spec, 'architecture') ?? '';
  const allowed = Object.hasOwn(PAGES, architecture) ? PAGES[architecture] : Object.values(PAGES).flat();
  if (allowed.some((page) => tryParseQuantity(page)?.nanos === size)) return [];
  const path = at.at('domain', 'memory', 'hugepages', 'pageSize');
  const cause = `no node${architecture && ` with ${architecture}`} has huge pages of ${got}, so the guest is never scheduled`;
  const remedy = 'use 2Mi or 1Gi on amd64 and arm64, or 1Mi on s390x';
  return mistake('hugepages-architecture', path, cause, remedy, { value: got, allowed: [...new Set(allowed)] });
};

/** Names of machine types: a series alone, with a version of QEMU or RHEL, or with the name of a release. */
const MACHINE = /^(q35|(pc-q35|virt|s390-ccw-virtio)(-(\d+\.\d+|rhel\d+\.\d+\.\d+|(?!rhel)[a-z]+(-[a-z\d]+)?))?)$/;

const machine: Rule = (spec, at) => {
  const got = textAt(spec, 'domain', 'machine', 'type');
  // the webhook rejects other series
  if (got === undefined || !/^(pc-)?q35|^virt|^s390-ccw-virtio/.test(got) || MACHINE.test(got)) return [];
  const path = at.at('domain', 'machine', 'type');
  const cause = `QEMU has no machine type "${got}", so the guest does not start`;
  const remedy = 'use the series alone, such as q35, or a version such as pc-q35-9.0 or pc-q35-rhel9.4.0';
  return mistake('machine-version', path, cause, remedy, { value: got });
};

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
      ? mistake('serial-port', log, 'logSerialConsole records the serial port, and the guest has none', remedy, extra)
      : []),
  ];
};

/** Probes without a command: Kubernetes rejects the Pod. */
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
  const cause = `"${got}" is not a value of this field: libvirt rejects the guest`;
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

const NONE: readonly Finding[] = [];

/** Most guests set few of these fields, and each rule is applied to each guest at synth. */
const hardware: Rule = (spec, at) => {
  const domain = objectAt(spec, 'domain');
  if (!domain) return [];
  const devices = objectAt(domain, 'devices');
  const isEquipped = devices?.watchdog ?? devices?.inputs ?? devices?.sound ?? domain.clock;
  return [
    ...(domain.memory ? memory(spec, at) : NONE),
    ...(objectAt(domain, 'memory')?.hugepages ? hugepages(spec, at) : NONE),
    ...(domain.machine ? machine(spec, at) : NONE),
    ...(domain.firmware ? kernel(spec, at) : NONE),
    ...(devices?.autoattachSerialConsole === false ? serialPort(spec, at) : NONE),
    ...((spec.readinessProbe ?? spec.livenessProbe) ? commands(spec, at) : NONE),
    ...(isEquipped ? choicesFit(spec, at) : NONE),
    ...(isEquipped ? aliases(spec, at) : NONE),
  ];
};

/** Rules about the boot, the consoles and the devices of a guest. */
export const bootValues: readonly Rule[] = [hardware];
