/** Fields of an object that a version of KubeVirt lacks. Pure. */
import { gateSince } from '../feature-gates';
import { type Finding, type Path, root } from '../findings';
import { isObject, read } from '../lint/read';
import type { KubeObject } from '../meta';
import { mistake } from '../admission/rule';
import { fieldsSince, NEWEST_MINOR, OLDEST_MINOR, servedSince } from './introductions';

/** Version of KubeVirt, such as 1.6. */
export interface KubeVirtVersion {
  readonly minor: number;
}

/** Versions that can be targeted, oldest first. */
export const targetVersions: readonly string[] = Array.from(
  { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
  (_, i) => `1.${OLDEST_MINOR + i}`,
);

/** Parses `1.6`, `v1.6` or `v1.6.2`; undefined for other text and for unknown versions. */
export function parseTargetVersion(text: string): KubeVirtVersion | undefined {
  const [, minor] = /^v?1\.(\d+)(?:\.\d+)?$/.exec(text) ?? [];
  if (minor === undefined || !targetVersions.includes(`1.${Number(minor)}`)) return undefined;
  return { minor: Number(minor) };
}

const OURS = /(^|\.)kubevirt\.io\//;

/** Kinds without a table of their own have the fields of another one. */
const SAME_FIELDS: Readonly<Record<string, string>> = {
  VirtualMachineClusterInstancetype: 'VirtualMachineInstancetype',
  VirtualMachineClusterPreference: 'VirtualMachinePreference',
};

/** Parts of an object that are parts of another kind: path, other kind, and path in that kind. */
const PARTS: Readonly<Record<string, readonly (readonly [readonly string[], string, string])[]>> = {
  VirtualMachine: [[['spec', 'template', 'spec'], 'VirtualMachineInstance', 'spec']],
  VirtualMachineInstanceReplicaSet: [[['spec', 'template', 'spec'], 'VirtualMachineInstance', 'spec']],
  VirtualMachineInstancePreset: [[['spec', 'domain'], 'VirtualMachineInstance', 'spec.domain']],
  VirtualMachinePool: [
    [['spec', 'virtualMachineTemplate', 'spec'], 'VirtualMachine', 'spec'],
    [['spec', 'virtualMachineTemplate', 'spec', 'template', 'spec'], 'VirtualMachineInstance', 'spec'],
  ],
};

/** Returns the kind, fields and feature gates of an object that this version of KubeVirt lacks. */
export function lackedBy(version: KubeVirtVersion, object: KubeObject): Finding[] {
  if (!OURS.test(object.apiVersion)) return [];
  const kind = lackedKind(version, object);
  if (kind.length > 0) return kind;
  const spec = read(object, 'spec');
  const own = lackedFields(version, object.kind, 'spec', spec, root.at('spec'));
  const parts = (PARTS[object.kind] ?? []).flatMap(([path, part, at]) =>
    lackedFields(version, part, at, read(object, ...path), root.at(...path)),
  );
  return [...own, ...parts, ...lackedGates(version, object)];
}

/** Returns the API versions of a kind that this version of KubeVirt serves, oldest first. */
function servedBy(version: KubeVirtVersion, apiVersion: string, kind: string): string[] {
  const [group] = apiVersion.split('/');
  return Object.entries(servedSince)
    .filter(([name, minor]) => name.startsWith(`${group}/`) && name.endsWith(`/${kind}`) && minor <= version.minor)
    .sort(([, one], [, other]) => one - other)
    .map(([name]) => name.slice(0, -kind.length - 1));
}

/** Returns the API version in which this version of KubeVirt serves a kind: the given one, or an older one. */
export function servedVersion(version: KubeVirtVersion, apiVersion: string, kind: string): string {
  const since = servedSince[`${apiVersion}/${kind}`] ?? 0;
  return since <= version.minor ? apiVersion : (servedBy(version, apiVersion, kind).at(-1) ?? apiVersion);
}

function lackedKind(version: KubeVirtVersion, { apiVersion, kind }: KubeObject): Finding[] {
  const since = servedSince[`${apiVersion}/${kind}`];
  if (since === undefined || since <= version.minor) return [];
  const served = servedBy(version, apiVersion, kind);
  const remedy = served.length > 0 ? `write it as ${served.join(' or ')}` : 'leave it out';
  return lacked(version, since, root.at('apiVersion'), `${apiVersion} ${kind}`, remedy, apiVersion);
}

function lackedFields(version: KubeVirtVersion, kind: string, at: string, part: unknown, path: Path): Finding[] {
  const found: Finding[] = [];
  const fields = Object.entries(fieldsSince[SAME_FIELDS[kind] ?? kind] ?? {})
    .filter(([field, since]) => since > version.minor && field.startsWith(`${at}.`))
    .map(([field, since]) => [field.slice(at.length + 1).split('.'), since] as const);
  for (const [field, since] of fields) {
    // a field within one that is reported already
    if (fields.some(([other]) => other.length < field.length && other.every((name, i) => field[i] === name))) continue;
    for (const place of placesOf(part, field, path)) {
      found.push(...lacked(version, since, place, field.at(-1)!, 'leave it out', undefined));
    }
  }
  return found;
}

/** Every place of a field: lists on the way are looked through. */
function placesOf(value: unknown, [name, ...rest]: readonly string[], path: Path): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => placesOf(item, [name, ...rest], path.at(i)));
  if (!isObject(value) || !Object.hasOwn(value, name) || value[name] === undefined) return [];
  return rest.length === 0 ? [path.at(name)] : placesOf(value[name], rest, path.at(name));
}

function lackedGates(version: KubeVirtVersion, object: KubeObject): Finding[] {
  if (object.kind !== 'KubeVirt') return [];
  const at = ['spec', 'configuration', 'developerConfiguration'];
  return ['featureGates', 'disabledFeatureGates'].flatMap((field) => {
    const gates = read(object, ...at, field);
    if (!Array.isArray(gates)) return [];
    return (gates as unknown[]).flatMap((gate, i) => {
      const since = typeof gate === 'string' ? gateSince(gate) : 0;
      if (since <= version.minor) return [];
      return lacked(version, since, root.at(...at, field, i), `feature gate ${gate as string}`, 'leave it out', gate);
    });
  });
}

function lacked(
  { minor }: KubeVirtVersion,
  since: number,
  path: Path,
  what: string,
  remedy: string,
  value: unknown,
): Finding[] {
  const cause = `${what} exists since KubeVirt 1.${since}, and the target is 1.${minor}`;
  return mistake('kubevirt-version', path, cause, `${remedy}, or target KubeVirt 1.${since}`, { value });
}
