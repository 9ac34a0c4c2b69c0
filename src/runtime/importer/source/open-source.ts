import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  importerPaths,
  type DigestPoll,
  type HttpImport,
  type ImportRequest,
  type RegistryImport,
  type ObjectImport,
} from '../../../api/cdi/import-request';
import { ImportError } from '../import-error';
import type { Confiner } from '../convert/confined';
import { authorizer } from '../registry/authorize';
import { ownArchitecture } from '../registry/manifest';
import { isLocal, parseReference } from '../registry/reference';
import { archiveUrl, ArchiveStore } from '../registry/archive-store';
import { ImageSource } from '../registry/image-source';
import { manifestOf, RegistryStore, type ImageLocation } from '../registry/registry-store';
import { openPulled } from './pulled-image';
import { objectUrl, serviceAccountOf, tokenOf } from './gcs';
import { HttpClient } from './http-client';
import { HttpSource } from './http-source';
import type { HttpLimits } from './limits';
import { signedHeaders } from './s3';
import type { Source } from './source';

/** Source of an import, and the checksum of its bytes, if there is one to verify. */
export interface Opened {
  readonly source: Source;
  readonly checksum?: string;
}

export interface OpenOptions {
  readonly confiner: Confiner;
  /** Called with the number of bytes that have arrived. */
  readonly onBytes: (bytes: number) => void;
  readonly limits?: HttpLimits;
}

/** Opens the source with the credentials and certificates of the Pod. */
export async function openSource(request: ImportRequest['source'], options: OpenOptions): Promise<Opened> {
  switch (request.kind) {
    case 'http':
      return { source: await openHttp(request, options), checksum: request.checksum };
    case 's3':
      return { source: await openS3(request, options) };
    case 'gcs':
      return { source: await openGcs(request, options) };
    case 'registry':
      return { source: await openRegistry(request, options) };
    case 'pulled':
      return { source: await openPulled(options.onBytes) };
    default:
      throw new ImportError(
        'RequestInvalid',
        `the source ${nameOf(request)} is not supported`,
        'use http, s3, gcs or registry',
      );
  }
}

const nameOf = (request: ImportRequest['source']): string => (request.kind === 'unknown' ? request.name : request.kind);

async function openHttp(
  { url, isInsecure, headers = [] }: HttpImport,
  { onBytes, limits }: OpenOptions,
): Promise<HttpSource> {
  const login = await loginOf();
  const client = new HttpClient({
    isInsecure,
    login: login && `${login.user}:${login.password}`,
    headers: Object.fromEntries([...headers, ...(await secretHeaders())].map(headerOf)),
    proxy: process.env,
    limits,
  });
  return HttpSource.open(client, url, onBytes);
}

/** Without a Secret, the object must be public. */
async function openS3({ url }: ObjectImport, { onBytes, limits }: OpenOptions): Promise<HttpSource> {
  const keys = await loginOf();
  const sign = keys && ((target: URL) => signedHeaders(target, keys));
  const client = new HttpClient({ sign, proxy: process.env, limits });
  return HttpSource.open(client, url, onBytes);
}

async function openGcs({ url }: ObjectImport, { onBytes, limits }: OpenOptions): Promise<HttpSource> {
  const text = await optional(join(importerPaths.login, 'credentials.json'));
  const account = text === undefined ? undefined : serviceAccountOf(text);
  const sign = account && (() => ({ authorization: `Bearer ${tokenOf(account, Date.now())}` }));
  return HttpSource.open(new HttpClient({ sign, proxy: process.env, limits }), objectUrl(url), onBytes);
}

async function openRegistry(
  { architecture = ownArchitecture(), ...image }: RegistryImport,
  options: OpenOptions,
): Promise<ImageSource> {
  const { confiner, onBytes, limits } = options;
  const archive = archiveUrl(image.url);
  if (archive !== undefined) {
    const file = await openHttp({ kind: 'http', url: archive }, options);
    return ImageSource.open(await ArchiveStore.open(file), { architecture, confiner });
  }
  const open = (location: ImageLocation): Promise<ImageSource> =>
    ImageSource.open(new RegistryStore(location, onBytes), { architecture, confiner });
  return inRegistry(image, open, limits);
}

/** Digest of an image, or of its index. */
export const digestOf = (image: DigestPoll): Promise<string> =>
  inRegistry(image, async (location) => {
    const { digest } = await manifestOf(location, location.reference.version);
    location.client.close();
    return digest;
  });

/** Asks a registry over HTTPS, or over HTTP where that is allowed. */
async function inRegistry<T>(
  { url, isInsecure }: Pick<DigestPoll, 'url' | 'isInsecure'>,
  ask: (location: ImageLocation) => Promise<T>,
  limits?: HttpLimits,
): Promise<T> {
  const reference = parseReference(url);
  const login = await loginOf();
  const client = new HttpClient({
    isInsecure,
    authorize: authorizer(login),
    proxy: process.env,
    limits,
  });
  const over = (scheme: ImageLocation['scheme']): Promise<T> => ask({ client, reference, scheme });
  if (!isInsecure && !isLocal(reference)) return over('https');
  // as container engines do with registries that need no TLS
  return over('https').catch((error: unknown) => {
    if (error instanceof ImportError && error.problem === 'SourceUnreachable') return over('http');
    throw error;
  });
}

/** Keys `accessKeyId` and `secretKey` of the Secret. */
async function loginOf(): Promise<{ user: string; password: string } | undefined> {
  const read = (key: string): Promise<string | undefined> => optional(join(importerPaths.login, key));
  const user = await read('accessKeyId');
  return user === undefined ? undefined : { user, password: (await read('secretKey')) ?? '' };
}

/** Every value of the Secrets of `secretExtraHeaders` is a header line. */
async function secretHeaders(): Promise<string[]> {
  const folders = await readdir(importerPaths.headers).catch(() => []);
  const lines = await Promise.all(
    folders.map(async (folder) => {
      const path = join(importerPaths.headers, folder);
      const names = (await readdir(path)).filter((name) => !name.startsWith('.'));
      return Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
    }),
  );
  return lines.flat();
}

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(line.trim()) ?? [];
  if (name !== undefined && value !== undefined) return [name.toLowerCase(), value];
  throw new ImportError('RequestInvalid', 'a header of the source is not valid', 'write headers as "Name: value"');
}

const optional = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text,
    () => undefined,
  );
