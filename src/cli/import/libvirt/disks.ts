/** Maps disks of a domain to disks, volumes and DataVolumes. Pure. */
import { factsOfBus } from '../../../api/disk-buses';
import type { Remarks } from './notes';
import { dnsName, integer, quantityOf, some } from './units';
import type { Xml } from './xml';

/** Mapped disks, list by list. */
export interface Disks {
  readonly disks: Record<string, unknown>[];
  readonly volumes: Record<string, unknown>[];
  readonly templates: Record<string, unknown>[];
  readonly bootOrders: { readonly type: string; readonly disk: Record<string, unknown> }[];
}

/** Virtual size of a disk image in bytes, if the file is on this machine. */
export type SizeOf = (file: string) => number | undefined;

/** Bus of a disk in KubeVirt; undefined for an unknown bus. */
const busOf = (bus: string | undefined): string | undefined =>
  bus === 'ide' ? 'sata' : factsOfBus(bus) ? bus : undefined;

export function disksOf(devices: Xml | undefined, vm: string, sizeOf: SizeOf, remarks: Remarks): Disks {
  const found: Disks = { disks: [], volumes: [], templates: [], bootOrders: [] };
  for (const disk of devices?.children('disk') ?? []) add(found, disk, vm, sizeOf, remarks);
  return found;
}

function add(found: Disks, disk: Xml, vm: string, sizeOf: SizeOf, { remark }: Remarks): void {
  const device = disk.attribute('device') ?? 'disk';
  const type = disk.attribute('type') ?? 'file';
  const target = disk.child('target');
  const name = dnsName(target?.attribute('dev') ?? '', `disk${found.disks.length}`);
  const bus = target?.attribute('bus');
  const origin = originOf(disk.child('source'), type);
  const isCd = device === 'cdrom';
  if (device === 'floppy') {
    disk.settled();
    remark(`the floppy ${name} is omitted: floppies are not supported`);
    return;
  }
  if (origin === undefined) {
    disk.settled();
    remark(`the empty ${isCd ? 'CD drive' : 'disk'} ${name} is omitted; add an empty CD drive with Disk.emptyCdrom`);
    return;
  }
  if (bus === 'ide') remark(`the disk ${name} uses SATA instead of IDE, which q35 lacks`);
  const readOnly = disk.child('readonly') && !isCd ? true : undefined;
  const kind = device === 'lun' ? 'lun' : isCd ? 'cdrom' : 'disk';
  const made = {
    name,
    [kind]: { bus: busOf(bus) ?? (isCd ? 'sata' : 'virtio'), ...(readOnly ? { readonly: true } : {}) },
    ...optionsOf(disk),
  };
  found.disks.push(made);
  found.bootOrders.push({ type: isCd ? 'cdrom' : 'hd', disk: made });
  const claim = `${vm}-${name}`;
  const bytes = type === 'file' ? sizeOf(origin) : undefined;
  if (bytes === undefined) {
    found.volumes.push({ name, persistentVolumeClaim: { claimName: claim } });
    remark(
      type === 'file' || type === 'block'
        ? `the disk ${name} becomes the claim ${claim}; upload ${origin} into it: ` +
            `virtctl image-upload pvc ${claim} --size=SIZE --image-path=${shellWord(origin)}`
        : `the disk ${name} becomes the claim ${claim}; fill it with a copy of ${origin}`,
    );
    return;
  }
  // a claim must be at least as large as its image
  const size = quantityOf(Math.ceil(bytes / 2 ** 20) * 2 ** 20);
  found.volumes.push({ name, dataVolume: { name: claim } });
  found.templates.push({
    metadata: { name: claim },
    spec: { source: { upload: {} }, storage: { resources: { requests: { storage: size } } } },
  });
  remark(
    `the disk ${name} waits for ${origin}; after applying the VM, run: ` +
      `virtctl image-upload dv ${claim} --no-create --image-path=${shellWord(origin)}`,
  );
}

/** Source of its data: a path or another reference. */
function originOf(source: Xml | undefined, type: string): string | undefined {
  if (!source) return undefined;
  const { dev, file, dir, pool, volume, protocol, name } = Object.fromEntries(
    ['dev', 'file', 'dir', 'pool', 'volume', 'protocol', 'name'].map((each) => [each, source.attribute(each)]),
  );
  source.settled();
  if (type === 'volume') return `${pool ?? 'pool'}/${volume ?? ''}`;
  if (type === 'network') return `${protocol ?? 'network'}:${name ?? ''}`;
  return file ?? dev ?? dir;
}

/** Options of a disk without its source. */
function optionsOf(disk: Xml): Record<string, unknown> {
  const driver = disk.child('driver');
  for (const usual of ['name', 'type', 'discard', 'detect_zeroes', 'queues']) driver?.attribute(usual);
  const policy = driver?.attribute('error_policy');
  const block = disk.child('blockio');
  const logical = integer(block?.attribute('logical_block_size'));
  const physical = integer(block?.attribute('physical_block_size'));
  const cache = driver?.attribute('cache');
  const serial = disk.child('serial')?.text();
  return {
    ...some({
      bootOrder: integer(disk.child('boot')?.attribute('order')),
      serial: serial === '' ? undefined : serial,
      cache: cache !== undefined && /^(none|writethrough|writeback)$/.test(cache) ? cache : undefined,
      io: only(driver?.attribute('io'), /^(native|threads)$/),
      errorPolicy: only(policy, /^(stop|ignore|report|enospace)$/),
      shareable: disk.child('shareable') ? true : undefined,
      dedicatedIOThread: driver?.attribute('iothread') === undefined ? undefined : true,
      blockSize: logical !== undefined && physical !== undefined ? { custom: { logical, physical } } : undefined,
    }),
  };
}

const only = (value: string | undefined, allowed: RegExp): string | undefined =>
  value !== undefined && allowed.test(value) ? value : undefined;

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
