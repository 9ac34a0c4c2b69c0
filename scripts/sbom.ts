/**
 * Writes for users what the package contains besides our code: sbom.json (CycloneDX) and THIRD-PARTY-LICENSES.txt, made from what
 * the bundlers of scripts/bundle.ts and scripts/library.ts put into their files. A licence that scripts/licences.ts does
 * not allow fails the build.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cycloneDx, licences, npmUrl } from '../src/launcher-image/cyclonedx';
import { type NpmPackage } from '../src/launcher-image/sbom';
import { checkout } from './generated-files';
import { allowed, PARTS, SOURCES, TEXTS, type Part } from './licences';
import { COMMAND, contentsFolder, programNames } from './programs';

/** A package that is part of ours. */
export interface Library {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Texts that it must go with. */
  readonly texts: readonly string[];
  /** Files of ours that hold it. */
  readonly holders: readonly string[];
}

/** Folder of the npm package that a file belongs to; none is one of ours. */
const packageOf = (file: string): string | undefined =>
  /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replace(/^(\.\.\/)+.*?node_modules\//, 'node_modules/'))?.[1];

function describe(folder: string, holders: readonly string[]): Library {
  const path = join(checkout, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const texts = readdirSync(path)
    .filter((file) => /^(licen[cs]e|notice|copying|copyrightnotice)(\.\w+)?$/i.test(file))
    .map((file) => readFileSync(join(path, file), 'utf8').trim());
  const known = TEXTS[name];
  if (texts.length === 0 && known) texts.push(known);
  return { name, version, licence: license ?? 'none', texts, holders };
}

/** Packages, with the files that contain them. */
export function libraries(contents: ReadonlyMap<string, readonly string[]>): Library[] {
  const holders = new Map<string, string[]>();
  for (const [holder, files] of contents) {
    for (const folder of new Set(files.flatMap((file) => packageOf(file) ?? []))) {
      holders.set(folder, [...(holders.get(folder) ?? []), holder]);
    }
  }
  const found = [...holders].map(([folder, names]) => describe(folder, names.sort()));
  return found.sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'));
}

/** Reasons why a package must not be published with these. */
export function objections(found: readonly Library[]): string[] {
  const parts = [...found.flatMap(({ name }) => PARTS[name] ?? []), ...SOURCES];
  return [
    ...found.flatMap(({ name, licence }) =>
      allowed(licence) ? [] : [`${name}: licence "${licence}" is not allowed (scripts/licences.ts)`],
    ),
    ...found.flatMap(({ name, texts }) =>
      texts.length > 0 ? [] : [`${name}: has no licence text; add it to TEXTS of scripts/licences.ts`],
    ),
    ...parts.flatMap(({ name, licence, reason }) =>
      allowed(licence) || reason ? [] : [`${name}: licence "${licence}" is not allowed, and no reason is given`],
    ),
  ];
}

const component = ({ name, version, licence, url }: Part): object => ({
  type: 'library',
  'bom-ref': `${name}@${version}`,
  name,
  version,
  licenses: licences(licence),
  externalReferences: [{ type: 'website', url }],
});

/** Bill of materials of this package. */
export function bom(own: { name: string; version: string; license: string }, found: readonly Library[]): object {
  const self = npmUrl(own.name, own.version);
  const components = [
    ...found.map(({ name, version, licence, holders }) => ({
      type: 'library',
      'bom-ref': npmUrl(name, version),
      name,
      version,
      purl: npmUrl(name, version),
      licenses: licences(licence),
      properties: holders.map((value) => ({ name: 'virt8s:file', value })),
      ...(PARTS[name] ? { components: PARTS[name].map(component) } : {}),
    })),
    ...SOURCES.map(component),
  ];
  const { name, version } = own;
  return cycloneDx({
    subject: { type: 'library', 'bom-ref': self, name, version, purl: self, licenses: licences(own.license) },
    components,
    contains: found.map((library) => npmUrl(library.name, library.version)),
  });
}

/** The texts that the licences ask to be passed on; packages with the same text share it. */
export function thirdPartyTexts(found: readonly Library[]): string {
  const byText = new Map<string, string[]>();
  for (const { name, version, licence, texts } of found) {
    const text = texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licence})`]);
  }
  const parts = [...found.flatMap(({ name }) => PARTS[name] ?? []), ...SOURCES];
  const line = '-'.repeat(80);
  return [
    'Parts of this package come from others. sbom.json says which file holds what.',
    ...[...byText].map(([text, names]) => `${line}\n${names.join('\n')}\n\n${text}`),
    ...parts.map(({ name, version, licence, notice }) => `${line}\n${name} ${version} (${licence})\n\n${notice}`),
    '',
  ].join('\n\n');
}

/** File of the package that holds a bundle. */
function holderOf(bundle: string): string {
  if (bundle.startsWith('library-')) return `lib/${bundle.slice(8)}/index.js`;
  return bundle === COMMAND ? `build/${COMMAND}` : `build/programs.br: ${bundle}.cjs`;
}

/** Contents of the files of the last builds. */
export function builtContents(): Map<string, string[]> {
  if (!existsSync(contentsFolder)) throw new Error('nothing is built yet; run: npm run library && npm run bundle');
  return new Map(
    readdirSync(contentsFolder).map((file) => {
      const name = file.replace(/\.json$/, '');
      return [holderOf(name), JSON.parse(readFileSync(join(contentsFolder, file), 'utf8')) as string[]];
    }),
  );
}

/** Writes the npm packages in each program, for the bills of materials of images. */
export function writeNpmPackages(): void {
  const built = programNames.filter((name) => existsSync(contentsFile(name)));
  const byProgram = built.map((name): [string, NpmPackage[]] => {
    const files = JSON.parse(readFileSync(contentsFile(name), 'utf8')) as string[];
    return [
      name,
      libraries(new Map([[name, files]])).map(({ name, version, licence }) => ({ name, version, licence })),
    ];
  });
  mkdirSync(join(checkout, 'build/images'), { recursive: true });
  const text = JSON.stringify(Object.fromEntries(byProgram), undefined, 1);
  writeFileSync(join(checkout, 'build/images/npm-packages.json'), `${text}\n`);
}

const contentsFile = (program: string): string => join(contentsFolder, `${program}.json`);

/** Writes both files; throws when something must not be published. */
export function writeBom(): void {
  const found = libraries(builtContents());
  const wrong = objections(found);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const own = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Parameters<typeof bom>[0];
  writeFileSync(join(checkout, 'sbom.json'), `${JSON.stringify(bom(own, found), undefined, 2)}\n`);
  writeFileSync(join(checkout, 'THIRD-PARTY-LICENSES.txt'), thirdPartyTexts(found));
}
