import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { version } from '../../../package.json';
import { PlatformImages } from '../../constructs/platform/images';
import { CliError } from '../errors';
import { programsFolder } from '../programs';
import { packageRoot } from '../package-root';
import { architecturesOf } from './architectures';
import { writeLock } from './lock';
import { ENGINE, IMAGES, imageNames, type ImageName } from './names';
import { assertCanBuild } from './preflight';
import { attachBom, push } from './push';

export interface BuildFlags {
  readonly push?: string;
  readonly tag?: string;
  readonly output?: string;
  readonly insecureRegistry?: boolean;
  readonly refresh?: boolean;
  /** Architectures, separated by commas. */
  readonly arch?: string;
  /** File for the digests. */
  readonly lock?: string;
  readonly json?: boolean;
}

/** Registry and path of images that only the local engine has. */
const LOCAL = 'localhost/virt8s';

/** `virt8s images build`: progress on standard error, the properties of `PlatformImages` on standard output. */
export async function runImagesBuild(given: string[], flags: BuildFlags): Promise<void> {
  const names = given.length > 0 ? given.map(known) : imageNames;
  const tag = flags.tag ?? `v${version}`;
  const architectures = architecturesOf(flags.arch ?? 'amd64', names);
  if (flags.lock !== undefined && flags.push === undefined) {
    throw new CliError('--lock requires --push: the digests are those of images in a registry');
  }
  // reject a registry or tag now that the construct would reject later
  PlatformImages.of({ registry: flags.push ?? LOCAL, tag });
  assertCanBuild(flags.push !== undefined);
  const bundles = programsFolder();
  const { makeImages } = await import('./make');
  const digests: Record<string, string> = {};
  for (const name of names) {
    const start = Date.now();
    const made = await makeImages(name, architectures, {
      bundles,
      packageRoot: packageRoot(),
      refresh: flags.refresh ?? false,
      localName: flags.push === undefined ? `${LOCAL}/${name}:${tag}` : undefined,
      output: flags.output && resolve(flags.output),
    });
    const built = made.images.some((image) => image.built);
    const megabytes = `${(statSync(made.archive).size / 2 ** 20).toFixed(0)} MiB`;
    const how = built ? `built in ${((Date.now() - start) / 1000).toFixed(1)} s` : 'unchanged';
    if (flags.push === undefined) {
      console.error(`${name}: ${megabytes}, ${how}`);
      for (const { bom } of made.images) console.error(`  bill of materials: ${bom}`);
      console.log(made.archive);
      continue;
    }
    const destination = { repository: `${flags.push}/${name}`, tag, insecure: flags.insecureRegistry ?? false };
    digests[name] = await push(made.archive, destination);
    console.error(`${name}: ${megabytes}, ${how}; pushed as ${destination.repository}:${tag}`);
    for (const { cached, bom } of made.images) {
      console.error(`  bill of materials: ${await attachBom(cached, bom, destination)}`);
    }
  }
  if (flags.push === undefined) {
    console.error(`the local engine has them as PlatformImages.of({ registry: '${LOCAL}', tag: '${tag}' })`);
    return;
  }
  print({ registry: flags.push, tag, ...references(flags.push, digests) }, flags.json ?? false);
  if (flags.lock !== undefined) lock(flags.lock, flags.push, tag, digests);
}

function lock(file: string, registry: string, tag: string, digests: Record<string, string>): void {
  const missing = writeLock(resolve(file), registry, tag, digests);
  console.error(
    missing.length === 0
      ? `locked in ${file}: PlatformImages.fromLock('${file}')`
      : `locked in ${file}, which still lacks ${missing.join(', ')}: build these with the same --push, --tag and --lock`,
  );
}

/** References by property of `PlatformImages`; that of the engine by its name. */
const references = (registry: string, digests: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(digests).map(([name, digest]) => [
      IMAGES[name as ImageName] ?? name,
      `${registry}/${name}@${digest}`,
    ]),
  );

function known(name: string): string {
  const names = [...imageNames, ENGINE];
  if (!names.includes(name)) throw new CliError(`no image is named "${name}" (allowed: ${names.join(', ')})`);
  return name;
}

function print(props: Record<string, string>, json: boolean): void {
  if (json) return console.log(JSON.stringify(props, undefined, 2));
  const lines = Object.entries(props).map(([property, value]) => `  ${property}: '${value}',`);
  console.log(['const images = PlatformImages.of({', ...lines, '});'].join('\n'));
}
