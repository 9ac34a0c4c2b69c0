/** An OCI image layout in a tar file, written by hand: JSON files and the layers. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Architecture } from './arch';
import { SOURCE_DATE_EPOCH } from './recipe';
import { run } from './run';
import { withImageUmask } from './umask';

/** Creates a reproducible tar: sorted, with one date and numeric owners. */
export async function tarDirectory(directory: string, file: string): Promise<void> {
  await run('tar', [
    ...['--create', `--file=${file}`, `--directory=${directory}`, '--format=posix', '--sort=name', '--numeric-owner'],
    ...['--owner=0', '--group=0', `--mtime=@${SOURCE_DATE_EPOCH}`, '--xattrs', '--xattrs-include=security.capability'],
    ...['--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime', '.'],
  ]);
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** A compressed layer. */
export interface Layer {
  readonly file: string;
  /** Digest of its content before the compression. */
  readonly diffId: string;
}

/**
 * Writes a folder as a layer, into another folder. GNU gzip compresses it, whose output is the same on every machine,
 * unlike that of Node.js, whose zlib depends on the processor. Registries keep the layer as it is, so that the digest of
 * an image does not depend on the program that pushes it.
 */
export async function writeLayer(directory: string, folder: string): Promise<Layer> {
  const tar = join(folder, 'layer.tar');
  await tarDirectory(directory, tar);
  const diffId = `sha256:${await sha256(tar)}`;
  await run('gzip', ['--no-name', '--force', '-6', tar]);
  await writeFile(join(folder, 'layer.json'), JSON.stringify({ diffId }));
  return { file: `${tar}.gz`, diffId };
}

/** Returns the layer that `writeLayer` wrote into a folder. */
export async function readLayer(folder: string): Promise<Layer> {
  const { diffId } = JSON.parse(await readFile(join(folder, 'layer.json'), 'utf8')) as { diffId: string };
  return { file: join(folder, 'layer.tar.gz'), diffId };
}

export interface ImageConfig {
  architecture: Pick<Architecture, 'name' | 'variant'>;
  env: string[];
  entrypoint?: string[];
  /** Default arguments. */
  command?: string[];
  /** Paths that container engines mount volumes at. */
  volumes?: string[];
  user: string;
  labels: Record<string, string>;
}

interface Blob {
  digest: string;
  size: number;
}

/** Writes the archive; returns the manifest's digest. */
export const writeArchive = (out: string, layers: readonly Layer[], config: ImageConfig): Promise<string> =>
  withImageUmask(() => write(out, layers, config));

async function write(out: string, layers: readonly Layer[], config: ImageConfig): Promise<string> {
  const work = `${out}.layout`;
  const blobs = join(work, 'blobs/sha256');
  await rm(work, { recursive: true, force: true });
  await mkdir(blobs, { recursive: true });
  const add = async (text: string): Promise<Blob> => {
    const digest = createHash('sha256').update(text).digest('hex');
    await writeFile(join(blobs, digest), text);
    return { digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
  };
  const layerBlobs: Blob[] = [];
  for (const { file } of layers) {
    const digest = await sha256(file);
    await copyFile(file, join(blobs, digest));
    layerBlobs.push({ digest: `sha256:${digest}`, size: (await stat(file)).size });
  }
  const created = new Date(SOURCE_DATE_EPOCH * 1000).toISOString();
  const configBlob = await add(
    JSON.stringify({
      created,
      architecture: config.architecture.name,
      variant: config.architecture.variant,
      os: 'linux',
      config: {
        Env: config.env,
        Entrypoint: config.entrypoint,
        Cmd: config.command,
        Volumes: config.volumes && Object.fromEntries(config.volumes.map((path) => [path, {}])),
        User: config.user,
        Labels: config.labels,
        WorkingDir: '/',
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layerBlobs.map(() => ({ created })),
    }),
  );
  const manifest = await add(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...configBlob },
      layers: layerBlobs.map((blob) => ({ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', ...blob })),
    }),
  );
  const entry = { mediaType: 'application/vnd.oci.image.manifest.v1+json', ...manifest };
  const annotations = { 'org.opencontainers.image.ref.name': 'latest' };
  await writeFile(
    join(work, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...entry, annotations }] }),
  );
  await writeFile(join(work, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await mkdir(dirname(out), { recursive: true });
  await tarDirectory(work, `${out}.tmp`);
  await rename(`${out}.tmp`, out);
  await rm(work, { recursive: true });
  return manifest.digest;
}
