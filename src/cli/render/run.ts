/** `virt8s render`: prints a stage for each document of the files. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { errorText } from '../../api/error-text';
import { formatLine, type KubeObject, root } from '../../api';

import { CliError, UNREADABLE } from '../errors';
import type { ManifestDocument } from '../manifests/documents';
import { notAnObject, notServed } from '../manifests/object';
import { objectsIn, readManifests } from '../manifests/read';
import { type ClusterFlags, contextWith, readCluster, readOnly } from './cluster';
import type { ModelNode } from './model/node';
import { fixedIdentity, type Identity, type Rendered, type RenderOptions, renderStage, type Stage } from './stages';

export interface RenderFlags extends ClusterFlags {
  readonly to: Stage;
  readonly node?: string;
  readonly output?: Format;
  readonly out?: string;
  readonly fixed?: boolean;
  readonly emulation?: boolean;
  readonly launcherImage: string;
}

export type Format = 'json' | 'yaml' | 'xml';

/** Exit code if an object was rejected. */
const REFUSED = 1;

/** Renders every document of every file; a failure does not stop the others. Returns the exit code. */
export async function runRender(names: readonly string[], flags: RenderFlags): Promise<number> {
  const format = formatOf(flags);
  const cluster = await readCluster(flags);
  const node = await readOnly<Partial<ModelNode>>(flags.node, '--node');
  if (flags.out) await mkdir(flags.out, { recursive: true });

  const files = await readManifests(names);
  const sizes = files.flatMap(objectsIn).filter(({ kind }) => SIZES.test(kind));
  let exit = 0;
  let printed = 0;
  for (const manifest of files) {
    const { file, documents, unreadable } = manifest;
    if (unreadable) {
      console.error(`${file}: ${unreadable}`);
      exit = UNREADABLE;
    }
    const options: RenderOptions = {
      // other objects of the file are applied with it; sizes may come from any file
      context: contextWith(cluster.config, [...objectsIn(manifest), ...cluster.objects, ...sizes]),
      node,
      identity: flags.fixed ? fixedIdentity : randomIdentity,
      launcherImage: flags.launcherImage,
      emulation: flags.emulation,
    };
    for (const document of documents) {
      const rendered = printWarnings(file, document, (object) => renderStage(object, flags.to, options));
      if (!rendered) exit = UNREADABLE;
      else if (rendered.errors.length > 0) exit = Math.max(exit, REFUSED);
      if (rendered?.value === undefined) continue;
      const text = textOf(rendered.value, format);
      if (flags.out) await writeFile(join(flags.out, `${outputName(file, document.index)}.${format}`), text);
      else process.stdout.write(format === 'yaml' && printed++ > 0 ? `---\n${text}` : text);
    }
  }
  return exit;
}

/** Kinds that size guests. */
const SIZES = /^VirtualMachine(Cluster)?(Instancetype|Preference)$/;

/** Result of a document, undefined if it could not be read. Errors are printed to standard error. */
function printWarnings(
  file: string,
  document: ManifestDocument,
  render: (object: KubeObject) => Rendered,
): Rendered | undefined {
  const { problem, object = {} } = document;
  const malformed = problem ? undefined : notAnObject(object);
  if (problem || malformed) {
    const { line, column } = problem?.at ?? document.locate(malformed!.path.parts);
    const { cause: message, remedy } = problem ?? malformed!;
    console.error(`${file}:${line}:${column}: ${message}; ${remedy}`);
    return undefined;
  }
  const given = object as unknown as KubeObject;
  const what = `${file}: ${given.kind} ${given.metadata.name ?? given.metadata.generateName ?? ''}`.trimEnd();
  try {
    const turnedAway = notServed(given);
    const rendered: Rendered = turnedAway ? { errors: [turnedAway] } : render(given);
    const { errors, value } = rendered;
    if (errors.length > 0) {
      console.error([`${what} is rejected:`, ...errors.map((error) => `  ${formatLine(error)}`)].join('\n'));
    } else if (value === undefined) {
      console.error(`${what}: skipped, because this kind has no instances`);
    }
    return rendered;
  } catch (error) {
    console.error(`${what} cannot be rendered: ${errorText(error)}`);
    return { errors: [{ rule: 'render', path: root, cause: 'cannot be rendered', remedy: 'see above' }] };
  }
}

const randomIdentity: Identity = {
  uid: () => randomUUID(),
  suffix: () => randomUUID().slice(0, 5),
};

/** File name: `vm` for `vm.yaml`, `vm-2` for its second document. */
function outputName(file: string, index: number): string {
  const name = file === '-' ? 'stdin' : basename(file).replace(/\.(ya?ml|json)$/, '');
  return index === 0 ? name : `${name}-${index + 1}`;
}

function formatOf({ to, output, out }: RenderFlags): Format {
  const format = output ?? (to === 'domain' ? 'xml' : out ? 'json' : 'yaml');
  if ((format === 'xml') === (to === 'domain')) return format;
  throw new CliError(
    to === 'domain'
      ? 'a domain is always XML; use -o xml'
      : `-o xml is only allowed with --to domain; for ${to}, use json or yaml`,
    UNREADABLE,
  );
}

function textOf(value: unknown, format: Format): string {
  if (format === 'xml') return value as string;
  if (format === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' });
}
