import { createHash } from 'node:crypto';
import { decompress } from '../format/decompress';
import { detect, DETECT_BYTES } from '../format/detect';
import { peek } from '../format/peek';
import { ImportError } from '../import-error';
import type { Confiner } from '../convert/confined';
import type { HttpClient } from '../source/http-client';
import { HttpSource } from '../source/http-source';
import type { Source } from '../source/source';
import { diskInLayer } from './disk-in-layer';
import { chooseImage, layersOf, MANIFEST_TYPES, type Descriptor, type Manifest } from './manifest';
import { readJson } from './read-json';
import type { Reference } from './reference';

/** An image in a registry. */
export interface ImageLocation {
  readonly client: HttpClient;
  readonly reference: Reference;
  readonly scheme: 'http' | 'https';
}

export interface RegistryOptions extends ImageLocation {
  readonly architecture: string;
  readonly confiner: Confiner;
  readonly onBytes: (bytes: number) => void;
}

/**
 * The disk in an image of a registry: a file in `/disk` of one of its layers, which is unpacked as it arrives. It has no `version`:
 * a digest is verified over a whole layer, so an importer that starts again reads the whole layer again.
 */
export class RegistrySource implements Source {
  public readonly isRandomAccess = false;

  private constructor(
    private readonly options: RegistryOptions,
    private readonly layers: readonly Descriptor[],
  ) {}

  public static async open(options: RegistryOptions): Promise<RegistrySource> {
    const { reference, architecture } = options;
    let { manifest } = await manifestOf(options, reference.version);
    if (manifest.manifests) {
      const chosen = chooseImage(manifest.manifests, architecture);
      ({ manifest } = await manifestOf(options, chosen.digest));
    }
    return new RegistrySource(options, layersOf(manifest));
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
    this.options.client.close();
  }

  /** Bytes of the disk in a layer, which ends with an error if its digest is wrong. */
  private async *disk(layer: Descriptor): AsyncGenerator<Buffer> {
    const { client, confiner, onBytes } = this.options;
    const blob = await HttpSource.open(client, urlOf(this.options, `blobs/${layer.digest}`), onBytes);
    const { head, all } = await peek(verified(blob.stream(), layer), DETECT_BYTES);
    const found = detect(head);
    yield* diskInLayer(found.kind === 'compressed' ? decompress(found.by, all, confiner) : all);
  }
}

const urlOf = ({ reference: { host, path }, scheme }: ImageLocation, rest: string): string =>
  `${scheme}://${host}/v2/${path}/${rest}`;

/** A manifest by its tag or digest, and its digest. */
export async function manifestOf(
  location: ImageLocation,
  version: string,
): Promise<{ manifest: Manifest; digest: string }> {
  const { message } = await location.client.get(urlOf(location, `manifests/${version}`), { accept: MANIFEST_TYPES });
  const { value, text } = await readJson(message, 'the manifest of the image');
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  if (version.startsWith('sha256:') && version !== digest) {
    throw new ImportError('ChecksumMismatch', `the manifest ${version} has the digest ${digest}`, 'check the registry');
  }
  return { manifest: value as Manifest, digest };
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
