import type { DiskRow } from './describe';

const HEADER = ['DISK', 'DEVICE', 'BUS', 'SIZE', 'IN USE', 'CLAIM', 'REQUESTED', 'CAPACITY', 'SOURCE'];
const NONE = '-';

/** Columns of the table, aligned. Pure. */
export function diskTable(rows: readonly DiskRow[]): string {
  const cells = [HEADER, ...rows.map(cellsOf)];
  const widths = HEADER.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf({ disk, device, type, bus, size, inUse, phase, claim, progress, source }: DiskRow): string[] {
  const isUsual = claim === undefined || claim.phase === 'Bound';
  return [
    disk,
    device ?? (phase && phase !== 'Ready' ? phase : NONE),
    [bus, ...(type === 'disk' ? [] : [type])].filter(Boolean).join(' ') || NONE,
    sizeText(size),
    sizeText(inUse),
    claim ? `${claim.name}${isUsual ? '' : ` (${claim.phase})`}` : NONE,
    sizeText(claim?.requested),
    sizeText(claim?.capacity),
    progress ? `${source} (${progress})` : source,
  ];
}

const UNITS = ['B', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** Bytes with the largest unit that gives a number of at least 1: `1.5Gi`. */
export function sizeText(bytes: number | undefined): string {
  if (bytes === undefined) return NONE;
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${Number(value.toFixed(value < 100 ? 1 : 0))}${UNITS[power]}`;
}
