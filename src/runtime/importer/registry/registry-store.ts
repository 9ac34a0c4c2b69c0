import { createHash } from 'node:crypto';
import { ImportError } from '../import-error';
import type { HttpClient } from '../source/http-client';
import { HttpSource } from '../source/http-source';
import type { ImageStore } from './image-source';
import { MANIFEST_TYPES, type Descriptor, type Manifest } from './manifest';
import { readJson } from './read-json';
import type { Reference } from './reference';

/** An image in a registry. */
export interface ImageLocation {
  readonly client: HttpClient;
  readonly reference: Reference;
  readonly scheme: 'http' | 'https';
}

/** The manifests and layers of an image in a registry. */
export class RegistryStore implements ImageStore {
  public constructor(
    private readonly location: ImageLocation,
    private readonly onBytes: (bytes: number) => void,
  ) {}

  public async manifest(digest = this.location.reference.version): Promise<Manifest> {
    return (await manifestOf(this.location, digest)).manifest;
  }

  public async layer({ digest }: Descriptor): Promise<AsyncIterable<Buffer>> {
    const { client } = this.location;
    return (await HttpSource.open(client, urlOf(this.location, `blobs/${digest}`), this.onBytes)).stream();
  }

  public close(): void {
    this.location.client.close();
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
  return { manifest: value as Manifest, digest: digestOf(text, version.startsWith('sha256:') ? version : undefined) };
}

/** Digest of a manifest. @throws ImportError if it is not the wanted one */
export function digestOf(text: string, wanted?: string): string {
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  if (wanted === undefined || wanted === digest) return digest;
  throw new ImportError('ChecksumMismatch', `the manifest ${wanted} has the digest ${digest}`, 'check the registry');
}
