import { createHash } from 'node:crypto';
import type { Confiner } from '../convert/confined';
import { decompress } from '../format/decompress';
import { detect, DETECT_BYTES } from '../format/detect';
import { peek } from '../format/peek';
import { ImportError } from '../import-error';
import type { Source } from '../source/source';
import { diskInLayer } from './disk-in-layer';
import { chooseImage, layersOf, type Descriptor, type Manifest } from './manifest';

/** Manifests and layers of an image, in a registry or an archive. */
export interface ImageStore {
  /** The manifest with this digest. Default: that of the image, or of its index. */
  manifest(digest?: string): Promise<Manifest>;
  /** Bytes of a layer, whose digest the caller verifies. */
  layer(layer: Descriptor): Promise<AsyncIterable<Buffer>>;
  close(): void;
}

/** An archive has an index, which may lead to the index of its image. */
const MOST_INDEXES = 2;

/**
 * The disk in an image: a file in `/disk` of one of its layers, which is unpacked as it arrives. It has no `version`: a digest is
 * verified over a whole layer, so an importer that starts again reads the whole layer again.
 */
export class ImageSource implements Source {
  public readonly isRandomAccess = false;

  private constructor(
    private readonly store: ImageStore,
    private readonly layers: readonly Descriptor[],
    private readonly confiner: Confiner,
  ) {}

  public static async open(
    store: ImageStore,
    { architecture, confiner }: { readonly architecture: string; readonly confiner: Confiner },
  ): Promise<ImageSource> {
    let manifest = await store.manifest();
    for (let indexes = 0; manifest.manifests && indexes < MOST_INDEXES; indexes++) {
      manifest = await store.manifest(chooseImage(manifest.manifests, architecture).digest);
    }
    return new ImageSource(store, layersOf(manifest), confiner);
  }

  public get transferBytes(): number {
    return this.layers.reduce((sum, { size }) => sum + size, 0);
  }

  public async *stream(from = 0): AsyncGenerator<Buffer> {
    for (const layer of this.layers) {
      let skip = from;
      let isFound = false;
      for await (const chunk of this.disk(layer)) {
        isFound = true;
        const rest = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - rest.length;
        if (rest.length > 0) yield rest;
      }
      if (isFound) return;
    }
    throw new ImportError('ImageInvalid', 'the image has no file in /disk', 'use an image of a container disk');
  }

  public read(): Promise<Buffer> {
    throw new Error('a layer has no random access');
  }

  public close(): void {
    this.store.close();
  }

  /** Bytes of the disk in a layer, which ends with an error if its digest is wrong. */
  private async *disk(layer: Descriptor): AsyncGenerator<Buffer> {
    const { head, all } = await peek(verified(await this.store.layer(layer), layer), DETECT_BYTES);
    const found = detect(head);
    yield* diskInLayer(found.kind === 'compressed' ? decompress(found.by, all, this.confiner) : all);
  }
}

/** Ends with an error if the bytes have another digest. */
async function* verified(bytes: AsyncIterable<Buffer>, { digest }: Descriptor): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  const got = `sha256:${hash.digest('hex')}`;
  if (got === digest) return;
  throw new ImportError('ChecksumMismatch', `the layer ${digest} has the digest ${got}`, 'push the image again');
}
