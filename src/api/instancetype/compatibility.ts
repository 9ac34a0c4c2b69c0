import { kinds } from '../kinds/registry';
import { kindOf } from './matcher';
import { INSTANCETYPE_API_VERSION } from './types';
import type {
  ControllerRevision,
  Instancetype,
  InstancetypeSpec,
  MatcherField,
  Preference,
  PreferenceSpec,
} from './types';

/** Versions whose fields have the same meaning as in the stored version. */
const { group } = kinds.VirtualMachineInstancetype;
const served = ['v1beta1', 'v1alpha2', 'v1alpha1'].map((version) => `${group}/${version}`);

type Kept = Instancetype | Preference;

/**
 * Returns the object that a revision stores, in the stored version; a sentence when it has no such object. Copies of v1alpha1 and
 * v1alpha2 are read too: a VM that outlived an upgrade of the platform keeps its size. v1alpha1 stored a
 * bare spec, encoded in base64, without kind or name.
 */
export function objectOfRevision(revision: ControllerRevision, field: MatcherField): Kept | string {
  const where = `ControllerRevision "${revision.metadata.name}"`;
  const data = revision.data as Partial<Kept> | undefined;
  if (typeof data !== 'object' || data === null || !served.includes(String(data.apiVersion))) {
    return `failed to decode object in ${where}: no object of instancetype.kubevirt.io`;
  }
  const spec: unknown = typeof data.spec === 'string' ? decoded(data.spec) : data.spec;
  const kind = data.kind ?? kindOf(field, {});
  if (kindOf(field, { kind }) === undefined || typeof spec !== 'object' || spec === null) {
    return `unexpected type in ${where}: ${data.kind ?? typeof spec}`;
  }
  return { apiVersion: INSTANCETYPE_API_VERSION, kind, metadata: data.metadata ?? {}, spec } as Kept;
}

export function specOfRevision(
  revision: ControllerRevision,
  field: MatcherField,
): InstancetypeSpec | PreferenceSpec | string {
  const object = objectOfRevision(revision, field);
  return typeof object === 'string' ? object : object.spec;
}

function decoded(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
