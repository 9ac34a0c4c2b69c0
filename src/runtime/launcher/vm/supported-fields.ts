/**
 * The fields of `spec.domain` that this launcher supports. The renderer knows more fields: one that would be ignored is
 * rejected before anything is created. Pure.
 */
import type { VirtualMachineInstance } from '../../../api';
import { cacheOf } from '../domain/disks/driver';
import { DomainError } from '../domain/error';
import type { DiskSource } from '../domain/facts';
import { guestBytes } from '../domain/memory';

/** A supported field: a value of any form, an object with these fields, or a list of such objects. */
type Shape = true | { readonly [field: string]: Shape } | readonly [Shape];

const all = (...names: string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]));

const TIMER = all('present', 'tickPolicy', 'track');
const PIN_FREE = all('cores', 'sockets', 'threads', 'maxSockets', 'model', 'features');

const HYPERV = {
  ...all('relaxed', 'vapic', 'vpindex', 'runtime', 'synic', 'reset', 'frequencies', 'reenlightenment', 'ipi', 'evmcs'),
  ...all('spinlocks', 'synictimer', 'vendorid', 'tlbflush'),
};

const INTERFACE = {
  ...all('name', 'model', 'macAddress', 'bootOrder', 'pciAddress', 'state', 'acpiIndex', 'tag'),
  // phase 1 and DHCP read these
  ...all('masquerade', 'bridge', 'ports', 'portRanges', 'dhcpOptions'),
};

const DISK = {
  ...all('name', 'bootOrder', 'serial', 'dedicatedIOThread', 'cache', 'io', 'tag', 'blockSize', 'shareable'),
  errorPolicy: true,
  disk: all('bus', 'readonly', 'pciAddress'),
  cdrom: all('bus', 'readonly', 'tray'),
  lun: all('bus', 'readonly'),
} as const;

const DEVICES = {
  ...all('autoattachGraphicsDevice', 'autoattachInputDevice', 'autoattachMemBalloon', 'autoattachPodInterface'),
  ...all('autoattachSerialConsole', 'autoattachVSOCK', 'blockMultiQueue', 'disableHotplug', 'logSerialConsole'),
  ...all('networkInterfaceMultiqueue', 'panicDevices', 'rng', 'sound', 'useVirtioTransitional', 'video'),
  disks: [DISK],
  inputs: [all('name', 'type', 'bus')],
  interfaces: [INTERFACE],
  tpm: all('enabled', 'persistent'),
  watchdog: { name: true, i6300esb: true },
} as const;

const DOMAIN: Shape = {
  chassis: true,
  clock: { utc: true, timezone: true, timer: { rtc: TIMER, pit: TIMER, kvm: TIMER, hpet: TIMER, hyperv: TIMER } },
  cpu: PIN_FREE,
  devices: DEVICES,
  features: {
    ...all('acpi', 'apic', 'kvm', 'pvspinlock', 'smm', 'hypervPassthrough'),
    hyperv: HYPERV,
  },
  firmware: {
    ...all('uuid', 'serial', 'kernelBoot'),
    bootloader: { bios: true, efi: all('secureBoot', 'persistent') },
  },
  ioThreads: true,
  ioThreadsPolicy: true,
  machine: true,
  memory: all('guest', 'maxGuest', 'hugepages', 'reservedOverhead'),
  rebootPolicy: true,
  // fields of the Pod
  resources: true,
};

/** Empty or disabled values request nothing. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

function check(value: unknown, shape: Shape, path: string): void {
  if (shape === true || isEmpty(value)) return;
  if (Array.isArray(shape)) {
    for (const [i, each] of (value as unknown[]).entries())
      check(each, (shape as readonly [Shape])[0], `${path}[${i}]`);
    return;
  }
  for (const [field, inner] of Object.entries(value as object)) {
    const known = Object.hasOwn(shape, field) ? (shape as Record<string, Shape>)[field] : undefined;
    if (known !== undefined) check(inner, known, `${path}.${field}`);
    else if (!isEmpty(inner)) {
      throw new DomainError(`${path}.${field}`, 'virt-launcher does not support this field yet', 'remove it');
    }
  }
}

/** libvirt rounds smaller sizes to 0. */
const LEAST_MEMORY = 2 ** 20;

/** Throws for the first field of the domain that would be ignored. */
export function rejectUnsupported({ spec, status }: VirtualMachineInstance): void {
  if (spec.architecture && spec.architecture !== 'amd64') {
    throw new DomainError('spec.architecture', `this launcher runs amd64, got "${spec.architecture}"`, 'use amd64');
  }
  check(spec.domain, DOMAIN, 'spec.domain');
  if (spec.domain.devices.autoattachVSOCK && !status?.VSOCKCID) {
    throw new DomainError('spec.domain.devices.autoattachVSOCK', 'the VMI has no CID', 'wait for virt-controller');
  }
  if (guestBytes(spec.domain) < LEAST_MEMORY) {
    throw new DomainError(
      'spec.domain.memory.guest',
      'the VM has no memory to boot with',
      'set it, for example to 512Mi',
    );
  }
}

/** Throws for a disk whose I/O mode QEMU cannot use: native I/O requires that the node's cache is bypassed. */
export function rejectUnsupportedDisks({ spec }: VirtualMachineInstance, sources: readonly DiskSource[]): void {
  for (const [i, disk] of (spec.domain.devices.disks ?? []).entries()) {
    const mode = cacheOf(
      disk,
      sources.find(({ name }) => name === disk.name),
    );
    if (disk.io !== 'native' || mode === 'none') continue;
    const at = `spec.domain.devices.disks[${i}].io`;
    throw new DomainError(at, `native I/O needs cache none, got "${mode}"`, 'set cache to none, or io to threads');
  }
}
