/** Is a document an object that a cluster would take, and of a kind that exists? Pure. */
import { closest, type Finding, hasSchema, kindNames, type KubeObject, root } from '../../api';

/** The groups whose kinds are ours. */
const OURS = /(^|\.)kubevirt\.io$/;

/** Why the document is no Kubernetes object. Undefined when it is one. */
export function notAnObject(object: Readonly<Record<string, unknown>>): Finding | undefined {
  for (const [field, example] of [
    ['apiVersion', 'kubevirt.io/v1'],
    ['kind', 'VirtualMachine'],
  ] as const) {
    if (typeof object[field] === 'string' && object[field] !== '') continue;
    return wrong(field, `${field} is missing or not a text`, `add ${field}: ${example}, or another`);
  }
  const { metadata } = object;
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) return undefined;
  return wrong('metadata', 'metadata is missing or not an object', 'add metadata: {name: my-vm}');
}

/**
 * Why an API server would turn the object away before anybody looks at its fields: a misspelt kind of ours, one in a
 * version that is not served, or an object without a name.
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

/** Has the platform anything to say about objects of this kind? */
export const isOurs = ({ apiVersion, kind }: KubeObject): boolean => hasSchema(apiVersion, kind);

function wrong(field: string, message: string, remedy: string): Finding {
  return { rule: 'object', path: root.at(field), cause: message, remedy };
}
