/** Checks whether a document is a Kubernetes object of a kind that exists. Pure. */
import { closest, type Finding, hasSchema, kindNames, type KubeObject, root } from '../../api';

/** API groups that virt8s implements. */
const OURS = /(^|\.)kubevirt\.io$/;

/** Reason why the document is not a Kubernetes object; undefined if it is one. */
export function notAnObject(object: Readonly<Record<string, unknown>>): Finding | undefined {
  for (const [field, example] of [
    ['apiVersion', 'kubevirt.io/v1'],
    ['kind', 'VirtualMachine'],
  ] as const) {
    if (typeof object[field] === 'string' && object[field] !== '') continue;
    return wrong(field, `${field} is missing or is not a string`, `add ${field}, for example ${field}: ${example}`);
  }
  const { metadata } = object;
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) return undefined;
  return wrong('metadata', 'metadata is missing or is not an object', 'add metadata: {name: my-vm}');
}

/**
 * Reason why an API server would reject the object before it validates its fields: a misspelt kind, a version that is
 * not served, or a missing name.
 */
export function notServed({ apiVersion, kind, metadata }: KubeObject): Finding | undefined {
  if (hasSchema(apiVersion, kind)) {
    if (metadata.name || metadata.generateName) return undefined;
    return wrong('metadata', 'name or generateName is required', 'add metadata.name');
  }
  const near = closest(kind, kindNames());
  const misspelt = near !== undefined && near !== kind;
  if (!OURS.test(apiVersion.split('/')[0] ?? '') && !misspelt) return undefined;
  const remedy = misspelt ? `did you mean "${near}"?` : near ? 'check apiVersion' : 'check apiVersion and kind';
  return wrong(near === kind ? 'apiVersion' : 'kind', `${apiVersion} has no kind ${kind}`, remedy);
}

/** Whether the platform validates objects of this kind. */
export const isOurs = ({ apiVersion, kind }: KubeObject): boolean => hasSchema(apiVersion, kind);

function wrong(field: string, message: string, remedy: string): Finding {
  return { rule: 'object', path: root.at(field), cause: message, remedy };
}
