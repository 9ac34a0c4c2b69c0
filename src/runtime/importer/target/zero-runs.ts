/** Divides data into runs of zeros and of other bytes. Pure. */

export interface Run {
  readonly start: number;
  readonly end: number;
  readonly isZero: boolean;
}

/**
 * Runs of `data`, which begins at `position` of the disk. Zeros are recognized in aligned blocks only, so that a hole begins and
 * ends at a block of the file system.
 */
export function zeroRuns(data: Buffer, position: number, blockBytes: number): Run[] {
  const zeros = Buffer.alloc(blockBytes);
  const runs: Run[] = [];
  for (let start = 0; start < data.length;) {
    const end = Math.min(data.length, start + blockBytes - ((position + start) % blockBytes));
    const isZero = end - start === blockBytes && zeros.compare(data, start, end) === 0;
    const last = runs.at(-1);
    if (last?.isZero === isZero) runs[runs.length - 1] = { ...last, end };
    else runs.push({ start, end, isZero });
    start = end;
  }
  return runs;
}
