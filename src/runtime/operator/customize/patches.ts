import { applyPatch, type Operation } from 'rfc6902';
import type { CustomizeComponentsPatch } from '../../../api/generated/kubevirt-v1';
import type { PlatformObject } from '../../../api/platform';
import { errorText } from '../../../api/error-text';
import { MANAGED } from './managed';
import { strategicMerge } from './strategic-merge';

/** Objects with the user's patches, and the patches that could not be applied. */
export interface Patched {
  readonly objects: readonly PlatformObject[];
  /** Each names the patch, the cause and the remedy. */
  readonly problems: readonly string[];
}

/**
 * Applies `spec.customizeComponents.patches` in their order. A patch that does not fit leaves its object as it is, so
 * that a mistake does not stop the platform.
 */
export function patched(objects: readonly PlatformObject[], patches: readonly CustomizeComponentsPatch[]): Patched {
  const problems: string[] = [];
  let result = objects;
  patches.forEach((patch, i) => {
    const where = `customizeComponents.patches[${i}]`;
    const isTarget = ({ kind, metadata: { name } }: PlatformObject): boolean =>
      kind.toLowerCase() === patch.resourceType.toLowerCase() && ['*', name].includes(patch.resourceName);
    if (!result.some(isTarget)) {
      problems.push(`${where}: the platform has no ${patch.resourceType} "${patch.resourceName}"; correct the name`);
    }
    result = result.map((object) => {
      if (!isTarget(object)) return object;
      try {
        return sameIdentity(object, apply(object, patch));
      } catch (error) {
        const name = `${object.kind} "${object.metadata.name}"`;
        problems.push(`${where}: cannot be applied to ${name}: ${errorText(error)}; correct the patch`);
        return object;
      }
    });
  });
  return { objects: result, problems };
}

function apply(object: PlatformObject, { type, patch }: CustomizeComponentsPatch): PlatformObject {
  const value: unknown = JSON.parse(patch);
  if (type === 'merge') return mergePatch(object, value) as PlatformObject;
  if (type === 'strategic') return strategicMerge(object, value) as PlatformObject;
  if (!Array.isArray(value)) throw new Error('a JSON patch is a list of operations');
  const copy = structuredClone(object);
  const error = applyPatch(copy, value as Operation[]).find((each) => each !== null);
  if (error) throw error;
  return copy;
}

/** A patch that changes the identity would leave the object that it was made for, and one without labels is not watched. */
function sameIdentity(before: PlatformObject, after: PlatformObject): PlatformObject {
  const identity = ({ apiVersion, kind, metadata }: Partial<PlatformObject>): string =>
    JSON.stringify([apiVersion, kind, metadata?.name, metadata?.namespace]);
  if (!isMap(after) || identity(before) !== identity(after)) {
    throw new Error('it changes apiVersion, kind, name or namespace');
  }
  for (const [label, value] of Object.entries(before.metadata.labels ?? {})) {
    if (KEPT_LABELS.includes(label) && after.metadata.labels?.[label] !== value) {
      throw new Error(`it changes the label ${label}`);
    }
  }
  return after;
}

/** Labels by which virt-operator finds what it installed. */
const KEPT_LABELS: readonly string[] = ['kubevirt.io', ...Object.keys(MANAGED)];

/** RFC 7386: maps merge, null removes, everything else replaces. */
function mergePatch(before: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const result: Record<string, unknown> = isMap(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
