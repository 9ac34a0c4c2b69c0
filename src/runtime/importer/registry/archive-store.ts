import { Header } from 'tar';
import { ImportError } from '../import-error';
import type { Source } from '../source/source';
import type { ImageStore } from './image-source';
import type { Descriptor, Manifest } from './manifest';
import { readJson } from './read-json';
import { digestOf } from './registry-store';

const URL_PATTERN = /^oci-archive:(?:(https?:\/\/.+)|\/\/([^/]+\/.+))$/;
const BLOCK = 512;
/** The image of a disk has few files, and its layers are archives of their own. */
const MOST_FILES = 1024;
const NAME = /^(?:\.\/)?(index\.json|blobs\/sha256\/[0-9a-f]{64})$/;

const invalid = (message: string): ImportError =>
  new ImportError('ImageInvalid', message, 'write the archive with `skopeo copy docker://IMAGE oci-archive:FILE`');

/**
 * URL of an archive: `oci-archive://HOST/PATH` (HTTPS), or `oci-archive:URL`. Undefined for other references.
 * @throws ImportError for an archive in the file system of the Pod, which has none
 */
export function archiveUrl(url: string): string | undefined {
  if (!url.startsWith('oci-archive:')) return undefined;
  const [, whole, rest] = URL_PATTERN.exec(url) ?? [];
  const target = whole ?? (rest === undefined ? undefined : `https://${rest}`);
  if (target !== undefined && URL.canParse(target)) return target;
  throw new ImportError(
    'RequestInvalid',
    `${url.slice(0, 300)} does not name an archive on a server`,
    'write oci-archive://HOST/PATH, or oci-archive:URL',
  );
}

/** The manifests and layers of an image in an OCI archive, of which only the requested parts are read. */
export class ArchiveStore implements ImageStore {
  private constructor(
    private readonly source: Source,
    private readonly files: ReadonlyMap<string, { readonly start: number; readonly size: number }>,
  ) {}

  public static async open(source: Source): Promise<ArchiveStore> {
    if (!source.isRandomAccess) {
      const remedy = 'use a server that supports range requests, or push the archive to a registry';
      throw new ImportError('SourceRejected', 'the server of the archive sends no ranges', remedy);
    }
    const files = new Map<string, { start: number; size: number }>();
    let at = 0;
    for (let count = 0; at + BLOCK <= source.size!; count++) {
      if (count === MOST_FILES) throw invalid(`the archive has more than ${MOST_FILES} files`);
      const header = new Header(await source.read(at, BLOCK));
      if (header.nullBlock) break;
      const { path = '', size = 0, type } = header;
      const start = at + BLOCK;
      if (!header.cksumValid || size < 0 || start + size > source.size!)
        throw invalid('the source is not a tar archive');
      const [, name] = NAME.exec(path) ?? [];
      if (name !== undefined && (type === 'File' || type === 'OldFile')) files.set(name, { start, size });
      at = start + Math.ceil(size / BLOCK) * BLOCK;
    }
    return new ArchiveStore(source, files);
  }

  public async manifest(digest?: string): Promise<Manifest> {
    const bytes = this.bytes(digest === undefined ? 'index.json' : blobOf(digest));
    const { value, text } = await readJson(bytes, 'the manifest in the archive');
    digestOf(text, digest);
    return value as Manifest;
  }

  public layer({ digest }: Descriptor): Promise<AsyncIterable<Buffer>> {
    return Promise.resolve(this.bytes(blobOf(digest)));
  }

  public close(): void {
    this.source.close();
  }

  private async *bytes(name: string): AsyncGenerator<Buffer> {
    const file = this.files.get(name);
    if (!file) throw invalid(`the archive has no ${name}`);
    let left = file.size;
    if (left === 0) return;
    for await (const chunk of this.source.stream(file.start)) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) return;
    }
  }
}

const blobOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`;
