/** `virt8s validate` reports every mistake in every file, with its position. */
import type { AdmissionContext, KubeObject } from '../../api';
import { type Declared, worldOf } from '../../api/lint';
import { notAnObject } from '../manifests/object';
import { type ManifestFile, objectsIn, readManifests } from '../manifests/read';
import { type KubeVirtVersion, parseTargetVersion, targetVersions } from '../../api/versions/target';
import { CliError } from '../errors';
import { type ClusterFlags, contextWith, readCluster } from '../render/cluster';
import { check, type Checked } from './check';
import { jsonOf } from './json';
import { formatLocated } from './print';
import { sarifOf } from './sarif';

export interface ValidateFlags extends ClusterFlags {
  /** KubeVirt version of the target cluster. */
  readonly kubevirtVersion?: string;
  /** Output format. Default: `text`. */
  readonly output?: 'text' | 'json' | 'sarif';
  readonly quiet?: boolean;
}

/** Returns the exit code: 1 if an object was refused, 2 if a file or document could not be read. */
export async function runValidate(names: readonly string[], flags: ValidateFlags): Promise<number> {
  const target = flags.kubevirtVersion === undefined ? undefined : versionOf(flags.kubevirtVersion);
  const [files, cluster] = await Promise.all([readManifests(names), readCluster(flags)]);
  // objects that are applied together may refer to each other
  const context = contextWith(cluster.config, [...files.flatMap(objectsIn), ...cluster.objects]);
  return printFindings(files, context, flags, target);
}

function versionOf(text: string): KubeVirtVersion {
  const version = parseTargetVersion(text);
  if (version) return version;
  throw new CliError(`--kubevirt-version: "${text}" is not a known version (allowed: ${targetVersions.join(', ')})`);
}

/** Validates the documents, prints the findings and returns the exit code. */
export function printFindings(
  files: readonly ManifestFile[],
  context: AdmissionContext,
  flags: ValidateFlags,
  target?: KubeVirtVersion,
): number {
  const world = worldOf(files.flatMap(declaredIn));
  const results = files.map(({ file, documents, unreadable, text }) => ({
    file,
    unreadable,
    lines: text?.split('\n') ?? [],
    checked: documents.map((document) => check(document, context, world, target)),
  }));
  const all = results.flatMap(({ checked }) => checked);
  const broken = results.some(({ unreadable }) => unreadable) || all.some(({ state }) => state === 'broken');
  if (flags.output === 'json') console.log(jsonOf(results));
  else if (flags.output === 'sarif') console.log(sarifOf(results));
  else {
    for (const { file, unreadable, lines, checked } of results) {
      if (unreadable) console.error(`${file}: ${unreadable}`);
      for (const { findings } of checked)
        for (const found of findings) console.error(formatLocated(file, found, lines));
    }
    if (!flags.quiet) console.log(summary(results.length, all));
  }
  return broken ? 2 : all.some(({ state }) => state === 'refused') ? 1 : 0;
}

/** Returns the objects that a file declares. */
const declaredIn = ({ file, documents }: ManifestFile): Declared[] =>
  documents.flatMap((document) => {
    const object = document.object as unknown as KubeObject | undefined;
    if (!object || notAnObject(document.object!)) return [];
    const { apiVersion, kind, metadata } = object;
    const { line } = document.locate([]);
    const name = metadata.name ?? '';
    return [{ apiVersion, kind, name, namespace: metadata.namespace, where: `${file}:${line}`, object: () => object }];
  });

/** Returns a summary: `2 files: 3 valid, 1 refused, 1 of other kinds`. */
function summary(files: number, checked: readonly Checked[]): string {
  const count = (state: Checked['state']): number => checked.filter((each) => each.state === state).length;
  const parts = [
    [count('valid'), 'valid'],
    [count('refused'), 'refused'],
    [count('broken'), 'broken'],
    [count('other'), 'of other kinds (not checked)'],
  ] as const;
  const counts = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `${files} ${files === 1 ? 'file' : 'files'}: ${counts.join(', ') || 'nothing in it'}`;
}
