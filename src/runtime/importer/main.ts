import { existsSync } from 'node:fs';
import { lstat, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  diskCapacity,
  IMPORT_VARIABLE,
  importerPaths,
  METRICS_PORT,
  type ImportReport,
  type ImportRequest,
} from '../../api/cdi/import-request';
import { errorText } from '../../api/error-text';
import { EXPORT_VARIABLE } from '../../api/export/export-request';
import { runExporter } from '../exporter/main';
import { Confiner } from './convert/confined';
import { clearAfter, copiedBytes, copiesFiles, copyDisk, copyFiles, copyImage } from './copy-claim';
import { ImportError } from './import-error';
import { importImage } from './import-image';
import { Journal } from './journal';
import { serveMetrics } from './metrics';
import { trustAuthorities } from './source/authorities';
import { digestOf, openSource, type Opened } from './source/open-source';
import { Progress } from './progress';
import { Target } from './target/target';
import { unpackArchive } from './unpack-archive';
import { receiveUpload } from './upload/receive';

const TERMINATION_MESSAGE = '/dev/termination-log';
const HIDDEN = '.virt8s-import';
const DISK = 'disk.img';

async function main(): Promise<void> {
  // one image for both directions
  if (process.env[EXPORT_VARIABLE]) return runExporter(process.env);
  const request = JSON.parse(process.env[IMPORT_VARIABLE] ?? 'null') as ImportRequest | null;
  if (!request) throw new Error(`the variable ${IMPORT_VARIABLE} is missing; virt-controller sets it`);
  await trustAuthorities(importerPaths.certificates, request.authorities);
  if (request.source.kind === 'digest') {
    const digest = await digestOf(request.source);
    return report({ message: `the image has the digest ${digest}`, digest });
  }
  if (request.source.kind === 'identity') {
    const { makeIdentity } = await import('./upload/identity');
    return report({ message: 'the key is ready', certificate: await makeIdentity(importerPaths.identity) });
  }
  const progress = new Progress();
  using _metrics = serveMetrics(METRICS_PORT, request.owner, progress);
  await run(request, progress);
  progress.finish();
  await report({ message: 'Import Complete' });
}

async function run(request: ImportRequest, progress: Progress): Promise<void> {
  const isDevice = existsSync(importerPaths.device);
  const { source: from } = request;
  if (from.kind === 'copy' && from.image === undefined && copiesFiles(request, DISK)) return copyFiles(isDevice);
  if (from.kind === 'grow' && !isDevice && !(await canGrow(request))) return;
  if (from.kind === 'upload') {
    return receiveUpload(from, progress, (source, isArchive) =>
      isArchive || request.contentType === 'archive'
        ? unpackFrom({ source }, request, isDevice, progress)
        : withTarget(request, isDevice, (target, folder) => importFrom({ source }, target, folder, progress)),
    );
  }
  if (request.contentType === 'archive') return unpack(request, isDevice, progress);
  await withTarget(request, isDevice, (target, folder) => fill(from, target, folder, progress));
}

/** Opens the disk, and completes it after it was written. */
async function withTarget(
  request: ImportRequest,
  isDevice: boolean,
  write: (target: Target, folder: string) => Promise<void>,
): Promise<void> {
  const folder = isDevice ? importerPaths.state : join(importerPaths.data, HIDDEN);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using target = isDevice
    ? await Target.device(importerPaths.device)
    : await Target.file(join(importerPaths.data, DISK), await capacityOf(request));
  await write(target, folder);
  await target.finish(request.isPreallocated);
  // the folder of a device belongs to the Pod and ends with it
  if (!isDevice) await rm(folder, { recursive: true });
}

/** Whether there is a disk that is smaller than the claim's; a claim of contentType archive has none. */
async function canGrow(request: ImportRequest): Promise<boolean> {
  const disk = await lstat(join(importerPaths.data, DISK)).catch(() => undefined);
  return disk !== undefined && disk.size < (await capacityOf(request));
}

/** Writes the disk; a blank one has no content. */
async function fill(from: ImportRequest['source'], target: Target, folder: string, progress: Progress): Promise<void> {
  if (from.kind === 'blank') return;
  if (from.kind === 'grow') return clearAfter(target, from.from);
  const onBytes = (bytes: number): void => progress.add(bytes);
  const confiner = await Confiner.create(tmpdir());
  const context = { journal: new Journal(folder), progress, spoolFolder: folder, confiner };
  if (from.kind === 'copy') {
    return from.image === undefined
      ? copyDisk(DISK, target, context, onBytes)
      : copyImage(from.image, target, context, onBytes);
  }
  await importFrom(await openSource(from, { confiner, onBytes }), target, folder, progress);
}

/** Writes the image of a source. */
async function importFrom(
  { source, checksum }: Opened,
  target: Target,
  folder: string,
  progress: Progress,
): Promise<void> {
  const confiner = await Confiner.create(tmpdir());
  try {
    await importImage(source, target, {
      ...{ journal: new Journal(folder), progress, spoolFolder: folder },
      ...{ confiner, checksum },
    });
  } finally {
    source.close();
  }
}

async function unpack(request: ImportRequest, isDevice: boolean, progress: Progress): Promise<void> {
  const confiner = await Confiner.create(tmpdir());
  const opened = await openSource(request.source, { confiner, onBytes: (bytes) => progress.add(bytes) });
  await unpackFrom(opened, request, isDevice, progress);
}

/** Unpacks the archive of a source. */
async function unpackFrom(
  { source, checksum }: Opened,
  { claimBytes: capacity }: ImportRequest,
  isDevice: boolean,
  progress: Progress,
): Promise<void> {
  try {
    if (isDevice) {
      throw new ImportError(
        'RequestInvalid',
        'an archive cannot be unpacked into a device',
        'use volumeMode: Filesystem',
      );
    }
    progress.start(source.transferBytes);
    const confiner = await Confiner.create(tmpdir());
    await unpackArchive(source, importerPaths.data, { confiner, checksum, capacity });
  } finally {
    source.close();
  }
}

/** Bytes that the disk may have: of the requested size, or of the file system if that is smaller. */
async function capacityOf({ claimBytes, overhead, source }: ImportRequest): Promise<number> {
  const { blocks, bsize } = await statfs(importerPaths.data);
  const capacity = diskCapacity(Math.min(claimBytes, blocks * bsize), overhead);
  // the launcher, which made the disk, leaves less for the file system
  const copied = source.kind === 'copy' ? await copiedBytes(DISK, source.image) : 0;
  const needed = Math.max(capacity, Math.min(copied, blocks * bsize));
  if (needed > 0) return needed;
  throw new ImportError(
    'StorageFull',
    `the file system of the claim has ${blocks * bsize} bytes, which is too small for a disk of 1 MiB`,
    'request a larger claim',
  );
}

/** Writes the termination message, which virt-controller shows on the user's object. */
async function report(outcome: ImportReport): Promise<void> {
  await writeFile(TERMINATION_MESSAGE, JSON.stringify(outcome)).catch(() => undefined);
}

main().catch(async (error: unknown) => {
  console.error(error);
  const { problem, remedy } = error instanceof ImportError ? error : {};
  await report({ message: errorText(error).slice(0, 1000), ...(problem && { problem }), ...(remedy && { remedy }) });
  process.exit(1);
});
