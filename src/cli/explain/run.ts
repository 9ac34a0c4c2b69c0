/** `virt8s explain`: describes a field of the API, or lists the defaults of a manifest. */
import { stat } from 'node:fs/promises';
import type { KubeObject } from '../../api';
import { CliError } from '../errors';
import { objectsIn, readManifests } from '../manifests/read';
import { type ClusterFlags, contextWith, readCluster } from '../render/cluster';
import { fixedIdentity, renderStage } from '../render/stages';
import { runValidate, printFindings } from '../validate/run';
import { additionsOf } from './additions';
import { explainField, type FieldHelp, UnknownField } from './field';
import { schemaFiles } from './schemas';

/** Returns the exit code: 1 for an unknown field or a rejected manifest, 2 if a file could not be read. */
export async function runExplain(what: string, flags: ClusterFlags): Promise<number> {
  if (what === '-' || (await stat(what).catch(() => undefined))) return explainFile(what, flags);
  // the path of a missing file is not a field
  if (/\/|\.(ya?ml|json)$/.test(what)) return runValidate([what], { quiet: true });
  try {
    console.log(formatField(explainField(what, schemaFiles)));
    return 0;
  } catch (error) {
    if (error instanceof UnknownField) throw new CliError(error.message);
    throw error;
  }
}

/** Prints the mistakes of a manifest or, if there are none, the values that the platform sets. */
async function explainFile(name: string, flags: ClusterFlags): Promise<number> {
  if (name === '-')
    throw new CliError('explain does not read standard input; save the manifest to a file and pass its name', 2);
  const [files, cluster] = await Promise.all([readManifests([name]), readCluster(flags)]);
  const objects = files.flatMap(objectsIn);
  const context = contextWith(cluster.config, [...objects, ...cluster.objects]);
  const refused = printFindings(files, context, { quiet: true });
  if (refused !== 0) return refused;
  for (const object of objects) {
    const options = { context, identity: fixedIdentity, launcherImage: 'virt-launcher' };
    const rendered = renderStage(object, 'vmi', options);
    if (rendered.value !== undefined) console.log(formatAdditions(object, rendered.value as KubeObject));
  }
  return 0;
}

/** Instance spec that the user wrote: the template's, for objects that have a template. */
function writtenSpec(object: KubeObject): unknown {
  const { spec } = object as KubeObject & { spec?: Record<string, unknown> };
  const template = (spec?.virtualMachineTemplate as { spec?: Record<string, unknown> } | undefined)?.spec ?? spec;
  return (template?.template as { spec?: unknown } | undefined)?.spec ?? template;
}

function formatAdditions(object: KubeObject, instance: KubeObject): string {
  const { spec } = instance as KubeObject & { spec?: unknown };
  const added = additionsOf(writtenSpec(object), spec);
  const title = `${object.kind} ${object.metadata.name ?? ''}: the platform sets ${added.length} fields of its instance`;
  return [
    title,
    ...added.map(({ path, value, before }) => {
      const was = before === undefined ? '' : `  (was ${JSON.stringify(before)})`;
      return `  spec.${path}: ${JSON.stringify(value)}${was}${aboutField(path)}`;
    }),
  ].join('\n');
}

/** Description of an instance field, from the schema. */
function aboutField(path: string): string {
  try {
    const { description } = explainField(`vmi.spec.${path}`, schemaFiles);
    return description ? `  # ${description}` : '';
  } catch {
    // the schema does not describe this part
    return '';
  }
}

function formatField({ kind, apiVersion, path, type, description, limits, fields }: FieldHelp): string {
  const width = Math.max(0, ...fields.map(({ name, type: of }) => name.length + of.length + 3));
  return [
    `${kind} (${apiVersion})${path ? `  ${path} <${type}>` : ''}`,
    ...(description ? ['', `  ${description}`] : []),
    ...limits.map((limit) => `  Allowed: ${limit}.`),
    ...(fields.length > 0 ? ['', 'Fields:'] : []),
    ...fields.map(({ name, type: of, required, description: about }) =>
      `  ${`${name} <${of}>`.padEnd(width)}  ${required ? '(required) ' : ''}${about}`.trimEnd(),
    ),
  ].join('\n');
}
