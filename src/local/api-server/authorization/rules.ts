import { Access, PolicyRule } from './authorizer';

const ALL = '*';

const has = (list: readonly string[] | undefined, wanted: string): boolean => list?.includes(wanted) ?? false;
const hasOrAll = (list: readonly string[] | undefined, wanted: string): boolean => has(list, ALL) || has(list, wanted);

/** Whether `pattern` (`/healthz`, or `/healthz/*`) covers the path. */
const coversUrl = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));

function allowsResource(resources: readonly string[] | undefined, resource: string, subresource: string): boolean {
  if (has(resources, ALL)) return true;
  if (!subresource) return has(resources, resource);
  return has(resources, `${resource}/${subresource}`) || has(resources, `*/${subresource}`);
}

/** Whether the rule allows the access. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!hasOrAll(rule.verbs, access.verb)) return false;
  if (!access.isResource) return rule.nonResourceURLs?.some((pattern) => coversUrl(pattern, access.path)) ?? false;
  return (
    hasOrAll(rule.apiGroups, access.group) &&
    allowsResource(rule.resources, access.resource, access.subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(access.name))
  );
}

/** Rules with one verb, and one resource or URL, that together allow the same as `rule`. */
function breakDown(rule: PolicyRule): PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          names.map((name) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...name })),
        ),
      ),
    ),
    ...nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] }))),
  ];
}

/** Whether `owner` allows everything that `part`, a rule of `breakDown`, allows. */
function covers(owner: PolicyRule, part: PolicyRule): boolean {
  if (!hasOrAll(owner.verbs, part.verbs![0])) return false;
  if (part.nonResourceURLs) {
    return owner.nonResourceURLs?.some((pattern) => coversUrl(pattern, part.nonResourceURLs![0])) ?? false;
  }
  const [resource, ...sub] = part.resources![0].split('/');
  const [name] = part.resourceNames ?? [];
  return (
    hasOrAll(owner.apiGroups, part.apiGroups![0]) &&
    allowsResource(owner.resources, resource, sub.join('/')) &&
    (!owner.resourceNames?.length || (name !== undefined && owner.resourceNames.includes(name)))
  );
}

/** The parts of `wanted` that none of the rules in `held` allows. */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !held.some((owner) => covers(owner, part)));
}

const quoted = (list: readonly string[]) => `[${list.map((item) => JSON.stringify(item)).join(' ')}]`;

/** Joins rules that differ only in their verbs, and prints each as Kubernetes does in errors. */
export function describeRules(parts: readonly PolicyRule[]): string[] {
  const joined = new Map<string, string>();
  const verbsOf = new Map<string, string[]>();
  for (const part of parts) {
    const texts = [
      part.apiGroups && `APIGroups:${quoted(part.apiGroups)}`,
      part.resources && `Resources:${quoted(part.resources)}`,
      part.nonResourceURLs && `NonResourceURLs:${quoted(part.nonResourceURLs)}`,
      part.resourceNames && `ResourceNames:${quoted(part.resourceNames)}`,
    ].filter(Boolean);
    // Only rules about resources are joined.
    const key = part.nonResourceURLs ? JSON.stringify(part) : texts.join(', ');
    const verbs = [...(verbsOf.get(key) ?? []), ...part.verbs!];
    verbsOf.set(key, verbs);
    joined.set(key, `{${[...texts, `Verbs:${quoted(verbs)}`].join(', ')}}`);
  }
  return [...new Set(joined.values())].sort();
}
