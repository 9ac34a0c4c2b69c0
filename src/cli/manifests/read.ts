/** Reads files into documents. */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '../../api';
import { CliError, UNREADABLE } from '../errors';
import { documentsOf, type ManifestDocument } from './documents';
import { notAnObject } from './object';

/** A file and its documents. */
export interface ManifestFile {
  readonly file: string;
  readonly documents: readonly ManifestDocument[];
  readonly text?: string;
  /** Error for which the whole file could not be read. */
  readonly unreadable?: string;
}

/** Larger files are rejected before they fill the memory of the machine. */
const MAX_FILE = 32 * 1024 * 1024;

/** Reads a file, or standard input for `-`. Never throws: the result contains the error. */
export async function readManifest(file: string): Promise<ManifestFile> {
  try {
    const text = decode(await bytesOf(file));
    return { file, text, documents: documentsOf(text) };
  } catch (error) {
    return { file, documents: [], unreadable: reasonOf(error as NodeJS.ErrnoException) };
  }
}

/** Files of the arguments: a folder contributes its manifests, sorted by name. */
async function manifestFiles(names: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    names.map(async (name) => {
      const isFolder = name !== '-' && (await stat(name).catch(() => undefined))?.isDirectory();
      if (!isFolder) return [name];
      const entries = await readdir(name);
      const manifests = entries.filter((entry) => /\.(ya?ml|json)$/.test(entry)).sort();
      // an empty folder is an error: otherwise a mistyped folder would pass validation
      return manifests.length > 0 ? manifests.map((entry) => join(name, entry)) : [name];
    }),
  );
  return lists.flat();
}

/** Reads each file of the arguments. */
export async function readManifests(names: readonly string[]): Promise<ManifestFile[]> {
  return Promise.all((await manifestFiles(names)).map((file) => readManifest(file)));
}

/** Documents of a file that are Kubernetes objects. */
export const objectsIn = ({ documents }: ManifestFile): KubeObject[] =>
  documents.flatMap(({ object }) => (object && !notAnObject(object) ? [object as unknown as KubeObject] : []));

/** Reads all objects of a file that a flag names; throws if a document cannot be read. */
export async function readObjects(name: string): Promise<KubeObject[]> {
  const files = await readManifests([name]);
  return files.flatMap(({ file, documents, unreadable }) => {
    const problem = documents.find((document) => document.problem)?.problem;
    if (unreadable || problem) {
      throw new CliError(`${file}: ${unreadable ?? `line ${problem!.at.line}: ${problem!.cause}`}`, UNREADABLE);
    }
    return documents.map(({ object }) => object as unknown as KubeObject);
  });
}

async function bytesOf(file: string): Promise<Buffer> {
  if (file === '-') return bounded(process.stdin);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE) throw tooLarge();
    return await bounded(handle.createReadStream({ autoClose: false }));
  } finally {
    await handle.close();
  }
}

/** Reads a stream up to the size limit of a manifest, since the size of pipes and devices is unknown. */
async function bounded(stream: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk as Uint8Array));
    size += chunk.length;
    if (size > MAX_FILE) throw tooLarge();
  }
  return Buffer.concat(chunks);
}

const tooLarge = (): Error => new Error(`it has more than ${MAX_FILE / 1024 / 1024} MiB; split it`);

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8 text; save it as UTF-8');
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'the file does not exist; check the path';
  if (code === 'EACCES') return 'this user may not read it; check its permissions';
  if (code === 'EISDIR') return 'the folder contains no manifests (.yaml, .yml, .json); pass its subfolders instead';
  return message;
}
