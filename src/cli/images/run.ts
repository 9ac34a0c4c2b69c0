import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { version } from '../../../package.json';
import { PlatformImages } from '../../constructs/platform/images';
import { CliError } from '../errors';
import { programsFolder } from '../programs';
import { packageRoot } from '../package-root';
import { ENGINE, IMAGES, imageNames, type ImageName } from './names';
import { assertCanBuild } from './preflight';
import { push } from './push';

export interface BuildFlags {
  readonly push?: string;
  readonly tag?: string;
  readonly output?: string;
  readonly insecureRegistry?: boolean;
  readonly refresh?: boolean;
  readonly json?: boolean;
}

/** Registry and path of images that only the local engine has. */
const LOCAL = 'localhost/virt8s';

/** `virt8s images build`: progress on standard error, the properties of `PlatformImages` on standard output. */
export async function runImagesBuild(given: string[], flags: BuildFlags): Promise<void> {
  const names = given.length > 0 ? given.map(known) : imageNames;
  const tag = flags.tag ?? `v${version}`;
  // reject a registry or tag now that the construct would reject later
  PlatformImages.of({ registry: flags.push ?? LOCAL, tag });
  assertCanBuild(flags.push !== undefined);
  const bundles = programsFolder();
  const { makeImage } = await import('./make');
  const pushed: Partial<Record<string, string>> = {};
  for (const name of names) {
    const start = Date.now();
    const output = flags.output && resolve(flags.output);
    const localName = flags.push === undefined ? `${LOCAL}/${name}:${tag}` : undefined;
    const { archive, built } = await makeImage(name, {
      bundles,
      packageRoot: packageRoot(),
      refresh: flags.refresh ?? false,
      localName,
      output,
    });
    const megabytes = `${(statSync(archive).size / 2 ** 20).toFixed(0)} MiB`;
    const how = built ? `built in ${((Date.now() - start) / 1000).toFixed(1)} s` : 'unchanged';
    if (flags.push === undefined) {
      console.error(`${name}: ${megabytes}, ${how}`);
      console.log(archive);
      continue;
    }
    const repository = `${flags.push}/${name}`;
    pushed[name] = `${repository}@${await push(archive, `${repository}:${tag}`, flags.insecureRegistry ?? false)}`;
    console.error(`${name}: ${megabytes}, ${how}; pushed as ${repository}:${tag}`);
  }
  if (flags.push === undefined) {
    console.error(`the local engine has them as PlatformImages.of({ registry: '${LOCAL}', tag: '${tag}' })`);
  } else print({ registry: flags.push, tag, ...references(pushed) }, flags.json ?? false);
}

/** References by property of `PlatformImages`; that of the engine by its name. */
const references = (pushed: Partial<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pushed).map(([name, reference = '']) => [IMAGES[name as ImageName] ?? name, reference]),
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
