import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../api/error-text';
import { listDirectory, readJson, removeTree, writeJsonDurably } from '../host/files';
import { archiveLayout, folderLayout, type Layout } from './blobs';
import { type Index, type IndexEntry, indexFile } from './cache-index';
import { hexOf, layerName } from './digest';
import { type Image, ImageError, type PullPolicy } from './image';
import { unpackLayer, type LayerSource } from './layer';
import { Holds } from './leases';
import type { Lease } from './leases';
import { digestOf, readImage } from './manifest';
import { namesIn, readNow, References } from './references';
import { normalReference, parseReference } from './reference';
import { type PullOptions, RegistryImage } from './registry';

export interface ImageStoreOptions {
  /** `<state>/images`. */
  readonly dir: string;
  /** Folder of `index.json` and its OCI archives. */
  readonly cacheDir: string;
  /** Time in which a registry must send 1 MiB of an image. Default: 5 minutes. */
  readonly stallMs?: number;
}

const DEFAULT_STALL_MS = 5 * 60_000;
/** Time for which an interrupted download is kept, for the next attempt. */
const KEEP_DOWNLOAD_MS = 24 * 3600_000;
/** Layers that are unpacked at the same time. */
const UNPACKERS = 3;

const manifestName = (digest: string): string => `${hexOf(digest)}.json`;

interface Pull {
  readonly image: Promise<Image>;
  /** Number of callers that wait for the image. */
  readonly leases: Set<Lease>;
}

/** Images of this machine, from OCI archives of the cache folder or from a registry. Each layer is unpacked once. */
export class ImageStore {
  public readonly layersDir: string;
  private readonly manifestsDir: string;
  private readonly pullsDir: string;
  private readonly trashDir: string;
  private readonly refs: References;
  private readonly holds = new Holds();
  private readonly pulls = new Map<string, Pull>();
  private readonly layers = new Map<string, Promise<void>>();
  private takenOver?: Promise<void>;

  public constructor(private readonly options: ImageStoreOptions) {
    const { dir } = options;
    this.layersDir = join(dir, 'layers');
    this.manifestsDir = join(dir, 'manifests');
    this.pullsDir = join(dir, 'pulls');
    this.trashDir = join(dir, 'trash');
    this.refs = new References(dir);
  }

  /** Leases protect images from collection until a record of their use is on disk. */
  public lease(): Lease {
    return this.holds.lease();
  }

  /** Imports names and archives of earlier versions, once, before the first lookup. */
  private takeOver(): Promise<void> {
    this.takenOver ??= (async () => {
      const { dir } = this.options;
      await this.refs.takeOver();
      const archives = (await listDirectory(dir)).filter((name) => /^pull-\d+-\d+\.tar$/.test(name));
      for (const name of archives) await removeTree(join(dir, name));
    })().catch((error: unknown) => {
      // the next call retries
      this.takenOver = undefined;
      throw error;
    });
    return this.takenOver;
  }

  /** Returns the image; pulls and unpacks it if needed. Equal requests share one pull. */
  public async ensure(ref: string, policy: PullPolicy, lease: Lease, options: PullOptions = {}): Promise<Image> {
    if (!parseReference(ref)) {
      throw new ImageError('InvalidImageName', `Failed to apply default image tag "${ref}": invalid reference format`);
    }
    const name = normalReference(ref);
    const local = await this.find(ref, lease);
    if (local && policy !== 'Always') return local;
    const inIndex = await this.indexEntry(ref);
    if (local && inIndex) return local; // the index is authoritative: no registry has a newer image
    if (policy === 'Never' && !inIndex) {
      throw new ImageError('ErrImageNeverPull', `Container image "${ref}" is not present with pull policy of Never`);
    }
    const pull = this.pulls.get(name) ?? this.begin(name, ref, inIndex, options);
    pull.leases.add(lease);
    return pull.image;
  }

  /** Returns the image if it is present and complete. */
  public async find(ref: string, lease?: Lease): Promise<Image | undefined> {
    await this.takeOver();
    const entry = await this.indexEntry(ref);
    const digest = entry ? entry.digest : await this.refs.get(normalReference(ref));
    return digest ? this.byDigest(digest, ref, lease) : undefined;
  }

  /**
   * Removes images without a name, a lease or an entry in `inUse` (digests), and layers without an image. Leases that
   * end while `inUse` runs still count: their images may be in use by then.
   */
  public async collect(inUse: () => Promise<ReadonlySet<string>>): Promise<string[]> {
    const letGo = this.holds.keepAll();
    try {
      await this.takeOver();
      const removed = this.sweep(await inUse());
      for (const name of await listDirectory(this.trashDir)) await removeTree(join(this.trashDir, name));
      return removed;
    } finally {
      letGo();
    }
  }

  /** Synchronous, so that nothing starts to use an image during its removal. Files are renamed before they are deleted. */
  private sweep(inUse: ReadonlySet<string>): string[] {
    const index = readNow<Index>(indexFile(this.options.cacheDir)) ?? {};
    const wanted = new Set([
      ...inUse,
      ...Object.values(index).map(({ digest }) => digest),
      ...Object.values(this.refs.all()),
    ]);
    const removed: string[] = [];
    const layers = new Set<string>();
    for (const file of namesIn(this.manifestsDir)) {
      // a file that is being written has a longer name
      const image = readNow<Image>(join(this.manifestsDir, file));
      const held = this.holds.has(file.replace(/\.json\..*$/, '.json'));
      if (held && !image) continue;
      if (image && (held || wanted.has(image.id) || wanted.has(image.digest))) {
        image.layers.forEach((layer) => layers.add(layer));
      } else {
        // the image is removed before its layers, so that an existing image is complete
        rmSync(join(this.manifestsDir, file), { force: true });
        removed.push(file);
      }
    }
    for (const layer of namesIn(this.layersDir)) {
      if (!layers.has(layer) && !this.holds.has(layer.replace(/\.partial$/, ''))) this.discard(this.layersDir, layer);
    }
    for (const download of namesIn(this.pullsDir)) {
      const found = statSync(join(this.pullsDir, download), { throwIfNoEntry: false });
      if (!found) continue;
      const mayContinue = found.isDirectory() && Date.now() - found.mtimeMs < KEEP_DOWNLOAD_MS;
      if (!this.holds.has(download) && !mayContinue) this.discard(this.pullsDir, download);
    }
    return removed;
  }

  private discard(directory: string, name: string): void {
    mkdirSync(this.trashDir, { recursive: true });
    renameSync(join(directory, name), join(this.trashDir, randomUUID()));
  }

  /** Images with their names, for Node.status.images. */
  public async list(): Promise<{ names: string[]; sizeBytes: number }[]> {
    await this.takeOver();
    const names = new Map<string, string[]>();
    const all = [
      ...Object.entries(this.refs.all()),
      ...Object.entries(await this.index()).map(([name, entry]) => [name, entry.digest ?? ''] as const),
    ];
    for (const [name, digest] of all) names.set(digest, [...(names.get(digest) ?? []), name]);
    const images: { names: string[]; sizeBytes: number }[] = [];
    for (const file of await listDirectory(this.manifestsDir)) {
      const image = await readJson<Image>(join(this.manifestsDir, file));
      const known = image && (names.get(image.digest) ?? names.get(image.id));
      if (image && known) images.push({ names: known, sizeBytes: image.size });
    }
    return images;
  }

  private index(): Promise<Index> {
    return readJson<Index>(indexFile(this.options.cacheDir)).then((index) => index ?? {});
  }

  private async indexEntry(ref: string): Promise<IndexEntry | undefined> {
    const index = await this.index();
    const name = normalReference(ref);
    return index[ref] ?? index[name] ?? index[name.replace(/^docker\.io\/(library\/)?/, '')];
  }

  private async byDigest(digest: string, ref: string, lease: Lease | undefined): Promise<Image | undefined> {
    const file = manifestName(digest);
    const image = await readJson<Image>(join(this.manifestsDir, file));
    if (!image) return undefined;
    // take the lease before the lookup, so that an existing image is not removed
    lease?.hold([file, ...image.layers]);
    const present = await Promise.all(image.layers.map((layer) => exists(join(this.layersDir, layer))));
    return present.every(Boolean) ? { ...image, ref } : undefined;
  }

  private begin(name: string, ref: string, inIndex: IndexEntry | undefined, options: PullOptions): Pull {
    const leases = new Set<Lease>();
    const own = this.lease();
    const pulled = async (): Promise<Image> => {
      try {
        const image = await (inIndex
          ? this.importFromCache(ref, inIndex, own)
          : this.pullFromRegistry(ref, own, options));
        // waiting callers take their leases before this one is released
        for (const lease of leases) lease.hold([manifestName(image.digest), ...image.layers]);
        return image;
      } finally {
        this.pulls.delete(name);
        own.release();
      }
    };
    const pull: Pull = { image: pulled(), leases };
    this.pulls.set(name, pull);
    return pull;
  }

  private async importFromCache(ref: string, entry: IndexEntry, lease: Lease): Promise<Image> {
    const archive = join(this.options.cacheDir, entry.archive);
    try {
      const image = await this.importLayout(ref, await archiveLayout(archive), lease);
      if (entry.digest && ![image.digest, image.id].includes(entry.digest)) {
        throw new Error(`contains ${image.digest}, but its index.json requires ${entry.digest}; build the image again`);
      }
      // also set the name in the index, which may be the config's digest
      if (entry.digest && entry.digest !== image.digest) await this.save(entry.digest, image, lease);
      return image;
    } catch (error) {
      throw new ImageError('ErrImagePull', `failed to unpack image "${ref}" from ${archive}: ${errorText(error)}`);
    }
  }

  private async pullFromRegistry(ref: string, lease: Lease, options: PullOptions): Promise<Image> {
    const name = normalReference(ref);
    try {
      await using source = await RegistryImage.open(name, options.logins);
      const { digest } = source.remote;
      const image = (await this.byDigest(digest, ref, lease)) ?? (await this.download(ref, source, lease, options));
      await this.refs.set(name, digest);
      return image;
    } catch (error) {
      const where = indexFile(this.options.cacheDir);
      const message = errorText(error);
      const remedy = /unauthorized|denied|authentication required/i.test(message)
        ? '; give the Pod an imagePullSecret with a login of this registry'
        : '';
      throw new ImageError(
        'ErrImagePull',
        `failed to pull image "${ref}": it is not in ${where}, and its registry returned an error: ${message}${remedy}`,
      );
    }
  }

  private async download(ref: string, source: RegistryImage, lease: Lease, options: PullOptions): Promise<Image> {
    // by name, because one name has one pull at a time
    const folder = hexOf(digestOf(normalReference(ref)));
    const path = join(this.pullsDir, folder);
    lease.hold([folder]);
    await source.download(path, this.options.stallMs ?? DEFAULT_STALL_MS, options.onProgress);
    try {
      // the digest of the registry: skopeo converts manifests of Docker, which changes theirs
      return await this.importLayout(ref, folderLayout(path), lease, source.remote.digest);
    } finally {
      await removeTree(path);
    }
  }

  private save(digest: string, image: Image, lease: Lease): Promise<void> {
    lease.hold([manifestName(digest)]);
    return writeJsonDurably(join(this.manifestsDir, manifestName(digest)), image);
  }

  private async importLayout(ref: string, layout: Layout, lease: Lease, digest?: string): Promise<Image> {
    const content = await readImage(layout);
    const { manifest, config, diffIds } = content;
    const layers = diffIds.map(layerName);
    lease.hold(layers);
    await mkdir(this.layersDir, { recursive: true });
    const waiting = manifest.layers.map(({ digest: blob, mediaType }, index) => ({
      diffId: diffIds[index] as string,
      digest: blob,
      mediaType,
    }));
    const unpacker = async (): Promise<void> => {
      for (let layer = waiting.shift(); layer; layer = waiting.shift()) await this.unpackOnce(layout, layer);
    };
    // all end before the lease may end
    const results = await Promise.allSettled(Array.from({ length: UNPACKERS }, unpacker));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    const image: Image = {
      ref,
      digest: digest ?? content.digest,
      id: manifest.config.digest,
      config,
      layers,
      size: manifest.layers.reduce((sum, layer) => sum + layer.size, 0),
    };
    await this.save(image.digest, image, lease);
    return image;
  }

  private async unpackOnce(layout: Layout, layer: Omit<LayerSource, 'blob'>): Promise<void> {
    const name = layerName(layer.diffId);
    const target = join(this.layersDir, name);
    if (await exists(target)) return;
    let unpacking = this.layers.get(name);
    if (!unpacking) {
      unpacking = unpackLayer({ ...layer, blob: layout.open(layer.digest) }, target).finally(() =>
        this.layers.delete(name),
      );
      this.layers.set(name, unpacking);
    }
    await unpacking;
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
