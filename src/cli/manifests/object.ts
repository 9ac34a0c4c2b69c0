/** Checks whether a document is a Kubernetes object of a kind that exists. Pure. */
import { allKinds, closest, type Finding, hasSchema, kindFacts, type KindName, type KubeObject, root } from '../../api';
import { groupOf, namesOfKind } from '../../api/kinds/registry';

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
  return wrong('metadata', 'metadata is missing or is not an object', remedyFor(object));
}

function remedyFor({ metadata, name, ...rest }: Readonly<Record<string, unknown>>): string {
  if (Object.keys(rest).some((key) => key.includes('\u00a0'))) {
    return 'indent with spaces: the file has non-breaking spaces, as web pages do';
  }
  if (typeof metadata === 'string' && /^\w+:\S/.test(metadata)) return 'put a space after the colon';
  return typeof name === 'string' ? 'move name and namespace into metadata' : 'add metadata: {name: my-vm}';
}

/** Whether the document configures a tool (`Kustomization`): it has a kind, but is not for an API server. */
export const isToolFile = ({ apiVersion, kind, metadata }: Readonly<Record<string, unknown>>): boolean =>
  metadata === undefined &&
  typeof kind === 'string' &&
  kind !== '' &&
  groupOf(apiVersion) !== '' &&
  !isOurGroup(apiVersion);

/**
 * Reason why an API server would reject the object before it validates its fields: a misspelt kind, a version that is
 * not served, or a missing name.
 */
export function notServed({ apiVersion, kind, metadata }: KubeObject): Finding | undefined {
  if (hasSchema(apiVersion, kind)) {
    if (metadata.name || metadata.generateName) return undefined;
    return wrong('metadata', 'name or generateName is required', 'add metadata.name');
  }
  // other groups have kinds of the same names
  if (!isOurGroup(apiVersion) && groupOf(apiVersion) !== '') return undefined;
  const word = kind.toLowerCase();
  const meant = allKinds.find((each) => each === kind || namesOfKind(each).includes(word)) ?? closest(kind, allKinds);
  if (meant === undefined) {
    if (groupOf(apiVersion) === '') return undefined;
    const allowed = allKinds.filter((each) => kindFacts[each].group === groupOf(apiVersion));
    return { ...wrong('kind', `${apiVersion} has no kind ${kind}`, 'correct apiVersion and kind'), allowed };
  }
  const { group, version } = kindFacts[meant as KindName];
  // a kind of Kubernetes with a similar name
  if (groupOf(apiVersion) === '' && meant !== kind) return undefined;
  const served = `${group}/${version}`;
  if (meant === kind) return wrong('apiVersion', `${apiVersion} has no kind ${kind}`, `write apiVersion: ${served}`);
  const remedy = hasSchema(apiVersion, meant) ? '' : `, with apiVersion: ${served}`;
  return wrong('kind', `${apiVersion} has no kind ${kind}`, `did you mean "${meant}"${remedy}?`);
}

/** Whether virt8s implements the group, also when it is misspelt. */
function isOurGroup(apiVersion: unknown): boolean {
  const group = groupOf(apiVersion);
  return OURS.test(group) || (group !== '' && closest(group, groups, 2) !== undefined) || group === 'kubevirt';
}

const groups = [...new Set(allKinds.map((kind) => kindFacts[kind].group))];

/** Whether the platform validates objects of this kind. */
export const isOurs = ({ apiVersion, kind }: KubeObject): boolean => hasSchema(apiVersion, kind);

function wrong(field: string, message: string, remedy: string): Finding {
  return { rule: 'object', path: root.at(field), cause: message, remedy };
}
