/** Answers about the disks of a backup in mode Pull, in KubeVirt's shape. */
import type { ExportedBackup } from '../../api/export/export-request';
import { type Extent, NbdClient } from './nbd-client';

/** Extents of a page, unless `page_size` asks for another number. */
const PAGE_EXTENTS = 512;
const MOST_EXTENTS = 65_536;

const ALLOCATION = 'base:allocation';
/** Bitmap in which the launcher has frozen the changes since the last backup. */
const CHANGES = 'qemu:dirty-bitmap:virt8s-backup-changes';

/** The words of libnbd, by the flags of an extent. */
const words = {
  [ALLOCATION]: ['data', 'hole', 'zero', 'hole,zero'],
  [CHANGES]: ['clean', 'dirty'],
} as const;

/** Part of a disk that a client asks for. */
export interface Asked {
  readonly offset: number;
  /** 0: up to the end. */
  readonly length: number;
  readonly pageSize: number;
}

/** The part that a query asks for, or the mistake in it. */
export function askedIn(query: URLSearchParams): Asked | { readonly mistake: string } {
  const numberOf = (name: string, otherwise: number, least = 0): number | undefined => {
    const text = query.get(name);
    if (text === null || text === '') return otherwise;
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    return Number.isSafeInteger(value) && value >= least ? value : undefined;
  };
  const [offset, length] = [numberOf('offset', 0), numberOf('length', 0)];
  const pageSize = numberOf('page_size', PAGE_EXTENTS, 1);
  if (offset === undefined || length === undefined) return { mistake: 'offset and length are numbers of bytes' };
  if (pageSize === undefined) return { mistake: 'page_size is a number of extents of at least 1' };
  return { offset, length, pageSize: Math.min(pageSize, MOST_EXTENTS) };
}

export interface Page {
  readonly extents: readonly {
    readonly offset: number;
    readonly length: number;
    readonly type: number;
    readonly description: string;
  }[];
  /** Offset at which the next page begins. */
  readonly next_offset: number | null;
}

/** One page of the blocks of a disk. */
export async function pageOf(backup: ExportedBackup, volume: string, asked: Asked): Promise<Page> {
  const context = backup.isIncremental ? CHANGES : ALLOCATION;
  await using client = await NbdClient.open(backup.socket, volume, context);
  const end = endOf(asked, client.size);
  const extents: Extent[] = [];
  let at = asked.offset;
  while (at < end && extents.length < asked.pageSize) {
    const more = (await client.status(at, end - at)).slice(0, asked.pageSize - extents.length);
    // a server may split what has the same status
    for (const each of more) {
      const length = Math.min(each.length, end - each.offset);
      if (length > 0) extents.push({ ...each, length });
    }
    at = more.at(-1)!.offset + more.at(-1)!.length;
  }
  return {
    extents: extents.map(({ offset, length, flags }) => ({
      offset,
      length,
      type: flags,
      description: words[context][flags] ?? '',
    })),
    next_offset: at < end ? at : null,
  };
}

/** Bytes of a disk, for a response. */
export async function openData(
  backup: ExportedBackup,
  volume: string,
  asked: Asked,
): Promise<{ readonly client: NbdClient; readonly start: number; readonly end: number }> {
  const client = await NbdClient.open(backup.socket, volume);
  return { client, start: Math.min(asked.offset, client.size), end: endOf(asked, client.size) };
}

const endOf = ({ offset, length }: Asked, size: number): number =>
  length === 0 ? size : Math.min(size, offset + length);
