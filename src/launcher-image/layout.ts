/** OCI image layouts in folders: images of several architectures, and bills of materials of images. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tarDirectory } from './oci';
import { run } from './run';
import { withImageUmask } from './umask';

export const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX = 'application/vnd.oci.image.index.v1+json';
const BOM = 'application/vnd.cyclonedx+json';

export interface Platform {
  readonly architecture: string;
  readonly os: string;
  readonly variant?: string;
}

/** A blob of a layout. Fields are in the order in which Go programs write them, so that they keep an index as it is. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly platform?: Platform;
}

/** A layout that is written. */
class Layout {
  constructor(public readonly folder: string) {}

  public async begin(): Promise<void> {
    await mkdir(join(this.folder, 'blobs/sha256'), { recursive: true });
    await writeFile(join(this.folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  }

  public async add(mediaType: string, content: string): Promise<Descriptor> {
    const hash = createHash('sha256').update(content).digest('hex');
    await writeFile(join(this.folder, 'blobs/sha256', hash), content);
    return { mediaType, digest: `sha256:${hash}`, size: Buffer.byteLength(content) };
  }

  public async json<T>(digest: string): Promise<T> {
    return JSON.parse(await readFile(join(this.folder, 'blobs', digest.replace(':', '/')), 'utf8')) as T;
  }

  /** Copies the content of an archive. Returns the image in it, with its platform. */
  public async addArchive(archive: string): Promise<Descriptor> {
    await run('tar', ['-xf', archive, '-C', this.folder]);
    const { manifests } = JSON.parse(await readFile(join(this.folder, 'index.json'), 'utf8')) as {
      manifests: Descriptor[];
    };
    const { mediaType, digest, size } = manifests[0]!;
    const { config } = await this.json<{ config: Descriptor }>(digest);
    const { architecture, os, variant } = await this.json<Platform>(config.digest);
    return { mediaType, digest, size, platform: { architecture, os, ...(variant ? { variant } : {}) } };
  }

  /** Completes the layout: each given blob is found by its name. */
  public async end(named: Readonly<Record<string, Descriptor>>): Promise<void> {
    const manifests = Object.entries(named).map(([name, { mediaType, digest, size }]) => ({
      ...{ mediaType, digest, size },
      annotations: { 'org.opencontainers.image.ref.name': name },
    }));
    await writeFile(join(this.folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  }
}

const indexOf = (manifests: readonly Descriptor[]): string =>
  JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests });

/** Returns the image of an archive: its manifest, and its platform. */
export async function imageOf(archive: string, work: string): Promise<Descriptor> {
  const layout = new Layout(work);
  await layout.begin();
  return layout.addArchive(archive);
}

/**
 * Writes an archive with the images of several architectures.
 *
 * @returns digest of the index
 */
export function combineArchives(out: string, archives: readonly string[]): Promise<string> {
  return withImageUmask(async () => {
    const work = `${out}.layout`;
    await rm(work, { recursive: true, force: true });
    try {
      const layout = new Layout(work);
      await layout.begin();
      const images: Descriptor[] = [];
      for (const archive of archives) images.push(await layout.addArchive(archive));
      const index = await layout.add(INDEX, indexOf(images));
      await layout.end({ latest: index });
      await tarDirectory(work, `${out}.tmp`);
      await rename(`${out}.tmp`, out);
      return index.digest;
    } finally {
      for (const rest of [work, `${out}.tmp`]) await rm(rest, { recursive: true, force: true });
    }
  });
}

/** Names in the layout of a bill of materials. */
export const BOM_NAMES = { artifact: 'artifact', referrers: 'referrers' } as const;

/**
 * Writes the layout of a bill of materials that refers to an image (`subject` of OCI 1.1), and the index by which
 * registries without the referrers API list it.
 *
 * @returns descriptor of the artifact
 */
export async function bomLayout(folder: string, bom: string, title: string, subject: Descriptor): Promise<Descriptor> {
  const layout = new Layout(folder);
  await layout.begin();
  const config = await layout.add('application/vnd.oci.empty.v1+json', '{}');
  const content = await layout.add(BOM, bom);
  const { mediaType, digest, size } = subject;
  const artifact = await layout.add(
    MANIFEST,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      artifactType: BOM,
      config,
      layers: [{ ...content, annotations: { 'org.opencontainers.image.title': title } }],
      subject: { mediaType, digest, size },
    }),
  );
  // no `artifactType`: skopeo of Debian 12 would remove it, and then reject the index as changed
  await layout.end({
    [BOM_NAMES.artifact]: artifact,
    [BOM_NAMES.referrers]: await layout.add(INDEX, indexOf([artifact])),
  });
  return artifact;
}
