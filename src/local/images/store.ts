import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { run } from '../node/host/command';
import { listDirectory, readJson, removeTree, writeJson } from '../node/host/files';
import { indexArchive, openMember } from './archive';
import type { Member } from './archive';
import { unpackLayer } from './layer';
import { normalReference, parseReference } from './reference';

/** What an image says about how to run it (OCI image config, the parts that Kubernetes honours). */
export interface ImageConfig {
  readonly User?: string;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly StopSignal?: string;
  readonly Volumes?: Record<string, unknown>;
}

/** An image whose layers are unpacked. */
export interface Image {
  readonly ref: string;
  /** Digest of the manifest. */
  readonly digest: string;
  /** Digest of the config: the image's identity, whatever it is called. */
  readonly id: string;
  readonly config: ImageConfig;
  /** Names of directories below `layersDir`, base first. */
  readonly layers: readonly string[];
  readonly size: number;
}

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** Why an image is not there; `reason` is the kubelet's word for it. */
export class ImageError extends Error {
  public override readonly name = 'ImageError';
  public constructor(
    public readonly reason: 'ErrImagePull' | 'ErrImageNeverPull' | 'InvalidImageName',
    message: string,
  ) {
    super(message);
  }
}

export interface ImageStoreOptions {
  /** `<state>/images`. */
  readonly dir: string;
  /** Where `index.json` and the OCI archives that it names lie. */
  readonly cacheDir: string;
}

interface IndexEntry {
  readonly archive: string;
  readonly digest?: string;
}
type Index = Record<string, IndexEntry>;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture?: string; readonly os?: string };
}
interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly manifests?: readonly Descriptor[];
}

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
const hex = (digest: string): string => digest.replace(/^sha256:/, '');

/** Images of this machine: OCI archives of the cache directory first, else a registry; layers unpacked once each. */
export class ImageStore {
  public readonly layersDir: string;
  private readonly pulls = new Map<string, Promise<Image>>();
  private readonly layers = new Map<string, Promise<void>>();

  public constructor(private readonly options: ImageStoreOptions) {
    this.layersDir = join(options.dir, 'layers');
  }

  /** The image, pulled and unpacked when needed. Equal requests share one pull. */
  public async ensure(ref: string, policy: PullPolicy): Promise<Image> {
    if (!parseReference(ref)) {
      throw new ImageError('InvalidImageName', `Failed to apply default image tag "${ref}": invalid reference format`);
    }
    const name = normalReference(ref);
    const local = await this.find(ref);
    if (local && policy !== 'Always') return local;
    const inIndex = await this.indexEntry(ref);
    if (local && inIndex) return local; // the index is the authority: nothing newer exists elsewhere
    if (policy === 'Never' && !inIndex) {
      throw new ImageError('ErrImageNeverPull', `Container image "${ref}" is not present with pull policy of Never`);
    }
    let pull = this.pulls.get(name);
    if (!pull) {
      pull = (inIndex ? this.importFromCache(ref, inIndex) : this.pullFromRegistry(ref)).finally(() =>
        this.pulls.delete(name),
      );
      this.pulls.set(name, pull);
    }
    return pull;
  }

  /** The image if it is here and complete. */
  public async find(ref: string): Promise<Image | undefined> {
    const entry = await this.indexEntry(ref);
    const digest = entry ? entry.digest : (await this.refs())[normalReference(ref)];
    return digest ? this.byDigest(digest, ref) : undefined;
  }

  /** Removes images that neither a name nor `inUse` (digests) holds, and layers that no image holds. */
  public async collect(inUse: ReadonlySet<string>): Promise<string[]> {
    const named = new Set([
      ...Object.values(await this.index()).map((entry) => entry.digest),
      ...Object.values(await this.refs()),
    ]);
    const removed: string[] = [];
    const layers = new Set<string>();
    for (const file of await listDirectory(join(this.options.dir, 'manifests'))) {
      const image = await readJson<Image>(join(this.options.dir, 'manifests', file));
      if (image && (inUse.has(image.id) || inUse.has(image.digest) || named.has(image.digest) || named.has(image.id))) {
        image.layers.forEach((layer) => layers.add(layer));
      } else {
        await removeTree(join(this.options.dir, 'manifests', file));
        removed.push(file);
      }
    }
    for (const layer of await listDirectory(this.layersDir)) {
      if (layers.has(layer) || this.layers.has(layer.replace(/\.partial$/, ''))) continue;
      await removeTree(join(this.layersDir, layer));
    }
    return removed;
  }

  /** Images with their names, for Node.status.images. */
  public async list(): Promise<{ names: string[]; sizeBytes: number }[]> {
    const names = new Map<string, string[]>();
    const all = [
      ...Object.entries(await this.refs()),
      ...Object.entries(await this.index()).map(([name, entry]) => [name, entry.digest ?? ''] as const),
    ];
    for (const [name, digest] of all) names.set(digest, [...(names.get(digest) ?? []), name]);
    const images: { names: string[]; sizeBytes: number }[] = [];
    for (const file of await listDirectory(join(this.options.dir, 'manifests'))) {
      const image = await readJson<Image>(join(this.options.dir, 'manifests', file));
      const known = image && (names.get(image.digest) ?? names.get(image.id));
      if (image && known) images.push({ names: known, sizeBytes: image.size });
    }
    return images;
  }

  private index(): Promise<Index> {
    return readJson<Index>(join(this.options.cacheDir, 'index.json')).then((index) => index ?? {});
  }

  private refs(): Promise<Record<string, string>> {
    return readJson<Record<string, string>>(join(this.options.dir, 'refs.json')).then((refs) => refs ?? {});
  }

  private async indexEntry(ref: string): Promise<IndexEntry | undefined> {
    const index = await this.index();
    const name = normalReference(ref);
    return index[ref] ?? index[name] ?? index[name.replace(/^docker\.io\/(library\/)?/, '')];
  }

  private async byDigest(digest: string, ref: string): Promise<Image | undefined> {
    const image = await readJson<Image>(this.manifestFile(digest));
    if (!image) return undefined;
    const present = await Promise.all(image.layers.map((layer) => exists(join(this.layersDir, layer))));
    return present.every(Boolean) ? { ...image, ref } : undefined;
  }

  private manifestFile(digest: string): string {
    return join(this.options.dir, 'manifests', `${hex(digest)}.json`);
  }

  private async importFromCache(ref: string, entry: IndexEntry): Promise<Image> {
    const archive = join(this.options.cacheDir, entry.archive);
    try {
      const image = await this.importArchive(ref, archive);
      if (entry.digest && ![image.digest, image.id].includes(entry.digest)) {
        throw new Error(
          `holds ${image.digest}, but index.json beside it promises ${entry.digest}; build the image again`,
        );
      }
      // also under the name that the index uses, which may be the config's digest
      if (entry.digest && entry.digest !== image.digest) await writeJson(this.manifestFile(entry.digest), image);
      return image;
    } catch (error) {
      throw new ImageError('ErrImagePull', `failed to unpack image "${ref}" from ${archive}: ${messageOf(error)}`);
    }
  }

  private async pullFromRegistry(ref: string): Promise<Image> {
    const temporary = join(this.options.dir, `pull-${process.pid}-${Date.now()}.tar`);
    await mkdir(this.options.dir, { recursive: true });
    try {
      const from = `docker://${normalReference(ref).replace(/:[^:@/]+(@sha256:)/, '$1')}`;
      await run('skopeo', ['copy', '--quiet', '--retry-times=1', from, `oci-archive:${temporary}`], {
        timeoutMs: 15 * 60_000,
      });
      const image = await this.importArchive(ref, temporary);
      await writeJson(join(this.options.dir, 'refs.json'), {
        ...(await this.refs()),
        [normalReference(ref)]: image.digest,
      });
      return image;
    } catch (error) {
      const where = join(this.options.cacheDir, 'index.json');
      throw new ImageError(
        'ErrImagePull',
        `failed to pull image "${ref}": it is not in ${where}, and its registry did not give it: ${registrySaid(error)}`,
      );
    } finally {
      await removeTree(temporary);
    }
  }

  private async importArchive(ref: string, archive: string): Promise<Image> {
    const members = await indexArchive(archive);
    const blob = (digest: string): Member => {
      const member = members.get(`blobs/sha256/${hex(digest)}`);
      if (!member) throw new Error(`it is cut off: blob ${digest} is missing; build or copy the archive again`);
      return member;
    };
    const json = async <T>(member: Member): Promise<T> => JSON.parse(await textOf(openMember(archive, member))) as T;
    const top = members.get('index.json');
    if (!top) throw new Error(`${archive}: has no index.json; an OCI archive is needed`);
    const chosen = choosePlatform((await json<{ manifests: Descriptor[] }>(top)).manifests);
    let digest = chosen.digest;
    let manifest = await json<Manifest>(blob(digest));
    if (manifest.manifests) {
      digest = choosePlatform(manifest.manifests).digest;
      manifest = await json<Manifest>(blob(digest));
    }
    const config = await json<{ config?: ImageConfig; rootfs: { diff_ids: string[] } }>(blob(manifest.config.digest));
    const { diff_ids: diffIds } = config.rootfs;
    if (diffIds.length !== manifest.layers.length) throw new Error(`${archive}: layers and diff_ids differ in number`);
    await mkdir(this.layersDir, { recursive: true });
    for (const [index, layer] of manifest.layers.entries()) {
      const diffId = diffIds[index] as string;
      await this.unpackOnce(diffId, {
        open: () => openMember(archive, blob(layer.digest)),
        digest: layer.digest,
        mediaType: layer.mediaType,
      });
    }
    const image: Image = {
      ref,
      digest,
      id: manifest.config.digest,
      config: config.config ?? {},
      layers: diffIds.map(layerName),
      size: manifest.layers.reduce((sum, layer) => sum + layer.size, 0),
    };
    await writeJson(this.manifestFile(digest), image);
    return image;
  }

  private async unpackOnce(
    diffId: string,
    source: { open: () => Readable; digest: string; mediaType: string },
  ): Promise<void> {
    const name = layerName(diffId);
    const target = join(this.layersDir, name);
    if (await exists(target)) return;
    let unpacking = this.layers.get(name);
    if (!unpacking) {
      const { digest, mediaType } = source;
      unpacking = unpackLayer({ blob: source.open(), digest, diffId, mediaType }, target).finally(() =>
        this.layers.delete(name),
      );
      this.layers.set(name, unpacking);
    }
    await unpacking;
  }
}

/** Short, because mount(2) takes all layers of an image in one page of options. */
const layerName = (diffId: string): string => hex(diffId).slice(0, 32);

function choosePlatform(manifests: readonly Descriptor[]): Descriptor {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const fits = manifests.filter(({ platform }) => !platform?.architecture || platform.architecture === architecture);
  const chosen = fits.find(({ platform }) => !platform?.os || platform.os === 'linux');
  if (chosen) return chosen;
  const has = manifests.map(({ platform }) => `${platform?.os}/${platform?.architecture}`).join(', ');
  throw new Error(`no image for linux/${architecture} (has: ${has || 'none'})`);
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** skopeo logs `time="…" level=fatal msg="…"`: the message is what users need. */
function registrySaid(error: unknown): string {
  const text = messageOf(error);
  const match = /level=fatal msg="((?:[^"\\]|\\.)*)"/.exec(text);
  return match?.[1] ? match[1].replace(/\\"/g, '"') : text;
}
