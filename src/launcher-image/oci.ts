/** An OCI image layout in a tar file, written by hand: three JSON files and the layers. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SOURCE_DATE_EPOCH } from './recipe';
import { run } from './run';

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

export interface ImageConfig {
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
export async function writeArchive(out: string, layers: readonly string[], config: ImageConfig): Promise<string> {
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
  for (const layer of layers) {
    const digest = await sha256(layer);
    await copyFile(layer, join(blobs, digest));
    layerBlobs.push({ digest: `sha256:${digest}`, size: (await stat(layer)).size });
  }
  const created = new Date(SOURCE_DATE_EPOCH * 1000).toISOString();
  const configBlob = await add(
    JSON.stringify({
      created,
      architecture: 'amd64',
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
      rootfs: { type: 'layers', diff_ids: layerBlobs.map(({ digest }) => digest) },
      history: layerBlobs.map(() => ({ created })),
    }),
  );
  const manifest = await add(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...configBlob },
      layers: layerBlobs.map((blob) => ({ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...blob })),
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
