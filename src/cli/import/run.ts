/** `virt8s import`: writes a program for the objects of the files. */
import { existsSync, readFileSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError, UNREADABLE } from '../errors';
import { notAnObject } from '../manifests/object';
import { type ManifestFile, readManifest, readManifests } from '../manifests/read';
import type { Manifest } from './kinds/kind';
import { importDomain } from './libvirt/domain';
import { imageSize } from './libvirt/image-size';
import { XmlProblem } from './libvirt/xml';
import { programOf, type Source } from './program';
import { notesOn } from './notes';
import type { Libraries } from './trial';

export interface ImportFlags {
  readonly output?: string;
  readonly force?: boolean;
}

/** Writes code for all objects of the files and returns the exit code. */
export async function runImport(words: readonly string[], flags: ImportFlags, program: string): Promise<number> {
  const { output, force } = flags;
  if (output !== undefined && !force && existsSync(output)) throw taken(output);
  const isLibvirt = words[0] === 'libvirt' && words.length > 1;
  const sources = isLibvirt ? await domainsOf(words.slice(1)) : await sourcesOf(words);
  if (!sources) return UNREADABLE;
  if (sources.every(({ objects }) => objects.length === 0)) {
    throw new CliError(`${words.join(', ')}: the files contain no object`, UNREADABLE);
  }
  const command = [program, 'import', ...words, ...(output === undefined ? [] : ['-o', output])]
    .map(shellWord)
    .join(' ');
  const { text, objects: imported } = programOf(await libraries(), sources, {
    command,
    esm: isModule(output ?? 'app.ts'),
  });
  if (output === undefined) process.stdout.write(text);
  else await writeWhole(output, text, force);
  for (const line of notesOn(imported)) console.error(line);
  if (output !== undefined) console.error(`${output} was written; run it with: npx tsx ${shellWord(output)}`);
  return 0;
}

/** Loads the libraries that the code imports, to run the code. */
async function libraries(): Promise<Libraries> {
  const [cdk8s, virt8s] = await Promise.all([import('cdk8s'), import('../../constructs')]);
  return { cdk8s, virt8s };
}

/** Reads all objects; prints errors and returns undefined if a document could not be read. */
async function sourcesOf(words: readonly string[]): Promise<Source[] | undefined> {
  const files = await readManifests(words);
  const problems = files.flatMap(problemsOf);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return undefined;
  return files.map(({ file, documents }) => ({
    file,
    objects: documents.map(({ object }) => object as unknown as Manifest),
  }));
}

/** Reads libvirt domains. */
async function domainsOf(files: readonly string[]): Promise<Source[] | undefined> {
  const read = await Promise.all(files.map(async (file) => domainOf(await readManifest(file))));
  return read.every((each) => each !== undefined) ? read : undefined;
}

function domainOf({ file, text, unreadable }: ManifestFile): Source | undefined {
  try {
    if (text === undefined) throw new XmlProblem(unreadable);
    const { name, objects, remarks, left } = importDomain(text, imageSize);
    for (const line of remarks) console.error(`${file}: ${line}`);
    const without =
      left.length > 0 ? ['', 'Elements without a counterpart in KubeVirt:', ...left.map((line) => `  ${line}`)] : [];
    const comment = [`Libvirt domain ${name}.`, ...remarks.map((line) => `- ${line}`), ...without];
    console.error(`${file}: domain ${name}: ${countOf(left.length)}`);
    return { file, objects, comments: new Map([[objects.length - 1, comment]]) };
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error;
    console.error(`${file}: ${error.message}`);
    return undefined;
  }
}

function countOf(left: number): string {
  if (left === 0) return 'every element has a counterpart';
  return `${left === 1 ? '1 element has' : `${left} elements have`} no counterpart (see the comment in the code)`;
}

function problemsOf({ file, documents, unreadable }: ManifestFile): string[] {
  if (unreadable) return [`${file}: ${unreadable}`];
  return documents.flatMap(({ object, problem, locate }) => {
    const malformed = object && notAnObject(object);
    if (!problem && !malformed) return [];
    const { line, column } = problem?.at ?? locate(malformed!.path.parts);
    const { cause: message, remedy } = problem ?? malformed!;
    return [`${file}:${line}:${column}: ${message}; ${remedy}`];
  });
}

/** Writes the file atomically; keeps an existing file unless it may be replaced. */
async function writeWhole(file: string, text: string, force: boolean | undefined): Promise<void> {
  const whole = join(dirname(file), `.${process.pid}.import.tmp`);
  try {
    await writeFile(whole, text, { flag: 'wx' });
    if (force) await rename(whole, file);
    else await place(whole, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(file);
    if (code === 'ENOENT') throw new CliError(`${file}: the folder ${dirname(file)} does not exist; create it first`);
    throw error;
  } finally {
    await rm(whole, { force: true });
  }
}

/** Renames a file unless the name is taken. */
async function place(whole: string, file: string): Promise<void> {
  try {
    await link(whole, file);
  } catch (error) {
    // the file system does not support links
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    if (existsSync(file)) throw taken(file);
    await rename(whole, file);
  }
}

const taken = (file: string): CliError =>
  new CliError(`${file} already exists; choose another file, or overwrite it with --force`);

/** Whether Node.js will load the file as an ES module. */
function isModule(file: string): boolean {
  if (/\.mts$/.test(file)) return true;
  if (/\.cts$/.test(file)) return false;
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return typeOf(manifest) === 'module';
    if (folder === dirname(folder)) return false;
  }
}

function typeOf(manifest: string): unknown {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: unknown }).type;
  } catch {
    return undefined;
  }
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`).replace(/\s+/g, ' ')}'`;
