/** Builds the images of the platform. A separate bundle, because few commands need it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildComponent } from '../../component-image/image';
import { importerRecipe } from '../../component-image/importer';
import { buildEngine } from '../../engine-image/image';
import { buildHandler } from '../../handler-image/image';
import { buildLauncher, LAUNCHER_PROGRAMS } from '../../launcher-image/image';
import { ARCHITECTURES, isNative, type ArchitectureName } from '../../launcher-image/arch';
import type { Image, ImageParts } from '../../launcher-image/layers';
import { combineArchives } from '../../launcher-image/layout';
import { imageBom, type NpmPackage } from '../../launcher-image/sbom';
import { cacheDir, imagesDir } from '../../local/engine/cache';
import { ENGINE_IMAGES } from '../../local/engine/images';
import { addToIndex, isNamed } from '../../local/images';
import { version as ownVersion } from '../../../package.json';
import { IMAGE_NODE, nodeBinary } from './node';

/** Inputs of a recipe. */
interface Parts extends ImageParts {
  readonly packageRoot: string;
}

type Build = (out: string, parts: Parts) => Promise<Image>;

const recipes: Readonly<Record<string, Build>> = {
  'upload-proxy': (out, parts) => buildComponent('upload-proxy', out, parts),
  'virt-api': (out, parts) => buildComponent('virt-api', out, parts),
  'virt-controller': (out, parts) => buildComponent('virt-controller', out, parts),
  'virt-handler': buildHandler,
  'virt-importer': (out, parts) =>
    buildComponent('virt-importer', out, parts, importerRecipe(parts.architecture), 'virt-importer'),
  'virt-launcher': buildLauncher,
  'virt-operator': (out, parts) => buildComponent('virt-operator', out, parts),
  engine: async (out, parts) => {
    const { bundles, packageRoot } = parts;
    const images: Record<string, string> = {};
    for (const [name, reference] of Object.entries(ENGINE_IMAGES)) {
      images[reference] = (await makeImage(name, { bundles, packageRoot, refresh: false })).archive;
    }
    return buildEngine(out, { ...parts, images });
  },
};

/** A built image. */
export interface Made {
  /** OCI archive. */
  readonly archive: string;
  /** The archive in the cache. */
  readonly cached: string;
  /** Bill of materials, in format CycloneDX. */
  readonly bom: string;
  /** Whether it was built now. False if an image of the same parts existed. */
  readonly built: boolean;
}

export interface MakeOptions {
  /** Folder of the bundles: `build/` of the package. */
  readonly bundles: string;
  /** Folder of the package. */
  readonly packageRoot: string;
  /** Whether to download the Debian packages again. */
  readonly refresh: boolean;
  /** Processor architecture. Default: amd64. */
  readonly architecture?: ArchitectureName;
  /** Reference by which the local engine finds the image. Default: none. */
  readonly localName?: string;
  /** Folder to which archive and bill of materials are also copied. */
  readonly output?: string;
}

const folder = (): string => join(cacheDir(), 'platform-images');
const launcherFilesIn = (bundles: string): string => join(bundles, 'images/virt-launcher');

/** Name of the files of an image, without the digest of its parts. */
const prefixOf = (name: string, architecture: ArchitectureName): string =>
  architecture === 'amd64' ? name : `${name}-${architecture}`;

async function archiveOf(name: string, bundles: string, architecture: ArchitectureName): Promise<string> {
  return join(folder(), `${prefixOf(name, architecture)}-${await parts(name, bundles, launcherFilesIn(bundles))}.tar`);
}

/** Path of the bill of materials beside an archive. */
const bomOf = (archive: string): string => archive.replace(/\.tar$/, '.cdx.json');

/** Whether an image of the same parts exists. */
export const isMade = async (name: string, bundles: string): Promise<boolean> => {
  const archive = await archiveOf(name, bundles, 'amd64');
  return existsSync(archive) && existsSync(bomOf(archive));
};

/** Builds an image, unless an image of the same parts exists. */
export async function makeImage(name: string, options: MakeOptions): Promise<Made> {
  const { bundles, refresh, architecture = 'amd64', localName, output } = options;
  const archive = await archiveOf(name, bundles, architecture);
  const built = refresh || !existsSync(archive) || !existsSync(bomOf(archive));
  if (built) await build(name, archive, options);
  const index = imagesDir();
  if (localName) await addToIndex(index, localName, archive);
  if (built) await removeOthers(prefixOf(name, architecture), archive);
  if (!output) return { archive, cached: archive, bom: bomOf(archive), built };
  await mkdir(output, { recursive: true });
  const copy = join(output, `${prefixOf(name, architecture)}.tar`);
  await copyFile(archive, copy);
  await copyFile(bomOf(archive), bomOf(copy));
  return { archive: copy, cached: archive, bom: bomOf(copy), built };
}

/** Images of one program for several architectures. */
export interface MadeAll {
  /** OCI archive: an index of images if there are several, the image otherwise. */
  readonly archive: string;
  /** The image of each architecture. */
  readonly images: readonly Made[];
}

/** Builds the image of a program for each of the architectures. */
export async function makeImages(
  name: string,
  architectures: readonly ArchitectureName[],
  options: MakeOptions,
): Promise<MadeAll> {
  const { localName, output } = options;
  const images: Made[] = [];
  for (const architecture of architectures) {
    // the engine runs only images of this machine's architecture
    const local = isNative(ARCHITECTURES[architecture]) ? localName : undefined;
    images.push(await makeImage(name, { ...options, architecture, localName: local }));
  }
  const [first] = images;
  if (images.length === 1) return { archive: first!.archive, images };
  const combined = join(folder(), basename(first!.cached).replace(name, `${name}-index`));
  await combineArchives(
    combined,
    images.map(({ cached }) => cached),
  );
  await removeOthers(`${name}-index`, combined);
  if (!output) return { archive: combined, images };
  const copy = join(output, `${name}.tar`);
  await copyFile(combined, copy);
  return { archive: copy, images };
}

/** Removes archives of other parts. An archive stays while a name leads to it, such as that of another version. */
async function removeOthers(prefix: string, archive: string): Promise<void> {
  const name = new RegExp(`^${prefix}-[0-9a-f]{16}\\.tar$`);
  const others = (await readdir(folder())).filter((file) => name.test(file)).map((file) => join(folder(), file));
  for (const file of others) {
    if (file === archive || (await isNamed(imagesDir(), file))) continue;
    for (const path of [file, bomOf(file)]) await rm(path, { force: true });
  }
}

async function build(name: string, archive: string, options: MakeOptions): Promise<void> {
  const { bundles, packageRoot, refresh, architecture: of = 'amd64' } = options;
  const architecture = ARCHITECTURES[of];
  const launcherFiles = launcherFilesIn(bundles);
  await mkdir(folder(), { recursive: true });
  const { version, integrity } = IMAGE_NODE;
  const node = { version, program: await nodeBinary(IMAGE_NODE, of) };
  // rename the finished archive, so that an interrupted build leaves no incomplete image
  const partial = join(folder(), `.${prefixOf(name, of)}.${process.pid}.partial`);
  try {
    const image = await recipes[name]!(partial, { architecture, bundles, packageRoot, launcherFiles, node, refresh });
    const bom = imageBom({
      ...{ name, architecture, version: ownVersion, digest: image.digest, debian: image.packages },
      node: { version, integrity: integrity[of] },
      npm: await npmPackages(name, bundles),
    });
    await writeFile(bomOf(archive), `${JSON.stringify(bom, undefined, 2)}\n`);
    await rename(partial, archive);
  } finally {
    for (const rest of [partial, `${partial}.layout`, `${partial}.tmp`])
      await rm(rest, { recursive: true, force: true });
  }
}

/** Digest of all inputs of an image: its program, the files of the launcher, Node.js and the code that assembles them. */
async function parts(name: string, bundles: string, launcherFiles: string): Promise<string> {
  const hash = createHash('sha256').update(`${IMAGE_NODE.version}\0${ownVersion}\0`);
  const files = name === 'virt-launcher' ? await readdir(launcherFiles, { recursive: true, withFileTypes: true }) : [];
  const own = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const programs = await programsOf(name, bundles);
  for (const file of [...programs.map((file) => join(bundles, file)), join(bundles, 'images.cjs'), ...own.sort()]) {
    hash.update(`${file.slice(bundles.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Bundles in an image. */
async function programsOf(name: string, bundles: string): Promise<readonly string[]> {
  if (name === 'virt-launcher') return LAUNCHER_PROGRAMS;
  // the engine's image contains all programs
  return name === 'engine' ? (await readdir(bundles)).filter((file) => file.endsWith('.cjs')).sort() : [`${name}.cjs`];
}

/** npm packages in the programs of an image, which the bundler lists. */
async function npmPackages(name: string, bundles: string): Promise<NpmPackage[]> {
  const text = await readFile(join(bundles, 'images/npm-packages.json'), 'utf8');
  const byProgram = JSON.parse(text) as Record<string, NpmPackage[]>;
  const programs = [...(await programsOf(name, bundles)).map((file) => file.replace(/\.cjs$/, ''))];
  const found = [...programs, ...(name === 'engine' ? ['virt8s'] : [])].flatMap((program) => byProgram[program] ?? []);
  const unique = new Map(found.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}
