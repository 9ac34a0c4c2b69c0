import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VolumeFiles } from '../src/local/storage/volume-files';
import { Importer } from '../test/integration/runtime/importer/importer';
import { TestCa } from '../test/support/pki';
import { ReflinkStorage } from '../test/support/reflink-storage';
import { WebServer } from '../test/support/web-server';
import { type Figure, figure, median } from './figure';

export const MIB = 1 << 20;

/**
 * HTTP imports of a disk whose first half is data and whose second half is empty, against the better of the two ways by hand:
 * `curl` with `qemu-img convert` of what it stored, and `qemu-img convert` of the URL. They alternate, and each ends with a sync.
 */
export async function benchImport(sizeMiB: number, rounds: number): Promise<Figure[]> {
  const ca = await TestCa.create('authority');
  const server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
  try {
    const raw = join(server.root, 'disk.raw');
    writeDisk(raw, sizeMiB, sizeMiB / 2);
    execFileSync('qemu-img', ['convert', '-O', 'qcow2', raw, join(server.root, 'disk.qcow2')]);
    const figures: Figure[] = [];
    for (const format of ['qcow2', 'raw'] as const)
      figures.push(...(await benchFormat(server, format, sizeMiB, rounds)));
    return figures;
  } finally {
    server.stop();
  }
}

async function benchFormat(
  server: WebServer,
  format: 'qcow2' | 'raw',
  sizeMiB: number,
  rounds: number,
): Promise<Figure[]> {
  const url = server.url(`disk.${format}`);
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  const seconds: Record<'ours' | 'stored' | 'direct', number[]> = { ours: [], stored: [], direct: [] };
  const peaks: { readonly peakMiB: number; readonly anonymousMiB: number }[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const importer = new Importer({ source: { kind: 'http', url }, claimBytes: sizeMiB * MIB });
      const { took, ...peak } = await importOnce(importer);
      seconds.ours.push(took);
      peaks.push(peak);
      seconds.stored.push(timed(() => byCurl(url, format, folder)));
      seconds.direct.push(timed(() => byQemu(url, format, folder)));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const ours = median(seconds.ours);
  const stored = median(seconds.stored);
  const direct = median(seconds.direct);
  const best = Math.min(stored, direct);
  const other =
    direct === Infinity
      ? 'qemu-img here cannot read URLs (package qemu-block-extra)'
      : `${direct.toFixed(2)} s with qemu-img`;
  return [
    figure(
      `import ${format}`,
      ours / best,
      'ratio',
      1.15,
      `median of ${rounds} imports of ${sizeMiB} MiB: ${ours.toFixed(2)} s, with the start of its container; by hand ${stored.toFixed(2)} s with curl, ${other}`,
    ),
    figure(
      `import ${format} memory`,
      Math.max(...peaks.map(({ anonymousMiB }) => anonymousMiB)),
      'MiB',
      64,
      `largest memory of the importer without qemu-img and without the pages of programs, which Pods share; with them ${Math.max(...peaks.map(({ peakMiB }) => peakMiB)).toFixed(0)} MiB`,
    ),
  ];
}

async function importOnce(importer: Importer): Promise<{ took: number; peakMiB: number; anonymousMiB: number }> {
  try {
    const start = process.hrtime.bigint();
    const { code, output, peakMiB, anonymousMiB } = await importer.run();
    if (code !== 0) throw new Error(`the import failed: ${output}`);
    return { took: since(start), peakMiB, anonymousMiB };
  } finally {
    importer.remove();
  }
}

function byCurl(url: string, format: string, folder: string): boolean {
  const [image, disk] = [join(folder, 'image'), join(folder, 'disk')];
  rmSync(image, { force: true });
  rmSync(disk, { force: true });
  execFileSync('curl', ['--silent', '--fail', '--output', image, url]);
  // also a raw image, which curl stores with all of its zeros
  execFileSync('qemu-img', ['convert', '-f', format, '-O', 'raw', image, disk]);
  execFileSync('sync', [disk]);
  return true;
}

function byQemu(url: string, format: string, folder: string): boolean {
  const disk = join(folder, 'disk');
  rmSync(disk, { force: true });
  try {
    execFileSync('qemu-img', ['convert', '-f', format, '-O', 'raw', url, disk], { stdio: 'pipe' });
  } catch (error) {
    if (/Unknown protocol/.test(String((error as { stderr?: Buffer }).stderr))) return false;
    throw error;
  }
  execFileSync('sync', [disk]);
  return true;
}

/** Duration of an action; infinite if it returns that it is not possible here. */
function timed(action: () => boolean): number {
  const start = process.hrtime.bigint();
  return action() ? since(start) : Infinity;
}

export const since = (start: bigint): number => Number(process.hrtime.bigint() - start) / 1e9;

/** Copy of a volume with data in many places on a file system with reflinks. */
export async function benchReflink(sizeMiB: number, rounds: number): Promise<Figure[]> {
  const storage = ReflinkStorage.create((sizeMiB + 1024) * MIB);
  const volumes = new VolumeFiles(join(storage.path, 'volumes'));
  try {
    await volumes.open();
    const bytes = sizeMiB * MIB;
    await volumes.create('golden', { bytes, isBlock: true });
    const golden = volumes.path('golden', true);
    execFileSync('fallocate', ['--length', String(bytes), golden]);
    scatter(golden, sizeMiB);
    const before = storage.used();
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const start = process.hrtime.bigint();
      await volumes.create(`copy-${round}`, { bytes, isBlock: true, copyOf: 'golden' });
      seconds.push(since(start));
    }
    const more = (storage.used() - before) / MIB;
    const method = `median of ${rounds} copies of an allocated volume of ${sizeMiB} MiB on XFS, which occupy ${more.toFixed(1)} MiB together; slowest ${Math.max(...seconds).toFixed(2)} s`;
    return [figure('reflink clone', median(seconds), 's', 1, method)];
  } finally {
    storage.remove();
  }
}

/** Writes a raw disk: random data, then a hole. */
export function writeDisk(path: string, sizeMiB: number, dataMiB: number): void {
  const file = openSync(path, 'w');
  const data = Buffer.alloc(MIB);
  for (let at = 0; at < dataMiB; at++) writeSync(file, randomFillSync(data), 0, MIB, at * MIB);
  closeSync(file);
  truncateSync(path, sizeMiB * MIB);
}

/** Writes 4 KiB into every eighth MiB, so that the volume has many extents. */
function scatter(path: string, sizeMiB: number): void {
  const file = openSync(path, 'r+');
  const data = randomFillSync(Buffer.alloc(4096));
  for (let at = 0; at < sizeMiB; at += 8) writeSync(file, data, 0, data.length, at * MIB);
  closeSync(file);
}
