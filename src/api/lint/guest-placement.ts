/** Nodes and resources of a guest: requirements that no node meets, and fields for which Kubernetes rejects the Pod. */
import { isDeepStrictEqual } from 'node:util';
import { mistake } from '../admission/rule';
import type { Finding, Path } from '../findings';
import { isDnsSubdomain, isLabelValue } from '../names';
import { tryParseQuantity } from '../quantity';
import { type Json, listAt, objectAt, read, textAt, textsAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

/** Kubernetes' rules for the tolerations of a Pod, of which the webhook of guests applies only those for operators and effects. */
const tolerations: Rule = (spec, at) => {
  if (spec.tolerations === undefined) return [];
  return listAt(spec, 'tolerations').flatMap((each, i) => {
    const path = at.at('tolerations', i);
    const operator = textAt(each, 'operator') ?? 'Equal';
    const [value, effect] = [textAt(each, 'value'), textAt(each, 'effect')];
    const bad = (field: string, cause: string, remedy: string, got?: unknown): Finding[] =>
      mistake('toleration', path.at(field), cause, remedy, { value: got });
    return [
      ...(operator === 'Exists' && value !== undefined
        ? bad(
            'value',
            'the operator Exists accepts every value, so value must be empty',
            'remove it, or use Equal',
            value,
          )
        : []),
      ...(operator === 'Equal' && value !== undefined && !isLabelValue(value)
        ? bad('value', `"${value}" is not a valid value of a taint`, 'use the value of the taint', value)
        : []),
      ...(operator !== 'Exists' && textAt(each, 'key') === undefined
        ? bad('key', 'only the operator Exists may leave out the key', 'add the key of the taint')
        : []),
      ...(each.tolerationSeconds !== undefined && effect !== 'NoExecute'
        ? bad(
            'tolerationSeconds',
            `a time limit is only for the effect NoExecute, and this is for ${effect ?? 'each effect'}: Kubernetes rejects the Pod`,
            'set the effect NoExecute, or leave the time limit out',
            each.tolerationSeconds,
          )
        : []),
    ];
  });
};

const priority: Rule = (spec, at) => {
  const got = textAt(spec, 'priorityClassName');
  if (got === undefined || isDnsSubdomain(got)) return [];
  const cause = `"${got}" cannot be the name of a PriorityClass`;
  const remedy = 'use lower case letters, digits, dashes and dots';
  return mistake('priority-class-name', at.at('priorityClassName'), cause, remedy, { value: got });
};

/** Values that a node must have under one label. */
interface Wanted {
  values?: readonly string[];
  without: string[];
  above: number;
  below: number;
  absent: boolean;
  present: boolean;
}

const anything = (): Wanted => ({ without: [], above: -Infinity, below: Infinity, absent: false, present: false });

function requireLabel(wanted: Map<string, Wanted>, key: string, operator: string, values: readonly string[]): void {
  const own = wanted.get(key) ?? anything();
  wanted.set(key, own);
  if (operator === 'In') own.values = own.values?.filter((value) => values.includes(value)) ?? values;
  else if (operator === 'NotIn') own.without.push(...values);
  else if (operator === 'Gt') own.above = Math.max(own.above, Number(values[0]));
  else if (operator === 'Lt') own.below = Math.min(own.below, Number(values[0]));
  else if (operator === 'Exists') own.present = true;
  else if (operator === 'DoesNotExist') own.absent = true;
}

function isPossible({ values, without, above, below, absent, present }: Wanted): boolean {
  const isRange = above !== -Infinity || below !== Infinity;
  if (absent) return !present && !values && !isRange;
  if (values) {
    const inRange = (value: string): boolean => !isRange || (Number(value) > above && Number(value) < below);
    return values.some((value) => !without.includes(value) && inRange(value));
  }
  // Gt and Lt compare whole numbers
  return below - above >= 2;
}

/** Labels that each node of a guest has: the launcher runs on Linux, and on the architecture of its guest. */
function implied(spec: Json): [string, string][] {
  const architecture = textAt(spec, 'architecture');
  return [
    ['kubernetes.io/os', 'linux'],
    ...(architecture === undefined ? [] : [['kubernetes.io/arch', architecture] as [string, string]]),
  ];
}

const numbersOf = (term: Json): string[] =>
  listAt(term, 'matchExpressions').flatMap(({ operator, values }) =>
    (operator === 'Gt' || operator === 'Lt') && Array.isArray(values) ? values.map(String) : [],
  );

const nodes: Rule = (spec, at) => {
  const selector = textsAt(spec, 'nodeSelector');
  const os = selector['kubernetes.io/os'];
  if (os !== undefined && os !== 'linux') {
    const cause = `guests of every system run on Linux nodes, and this selects ${os} nodes`;
    const path = at.at('nodeSelector', 'kubernetes.io/os');
    return mistake('node-contradiction', path, cause, 'leave it out', { value: os, allowed: ['linux'] });
  }
  const required = objectAt(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (!required) return [];
  const terms = at.at(
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  );
  return listAt(required, 'nodeSelectorTerms').flatMap((term, i) => {
    const wanted = new Map<string, Wanted>();
    for (const [key, value] of [...Object.entries(selector), ...implied(spec)])
      requireLabel(wanted, key, 'In', [value]);
    for (const each of listAt(term, 'matchExpressions')) {
      const values = Array.isArray(each.values) ? each.values.map(String) : [];
      requireLabel(wanted, String(each.key), String(each.operator), values);
    }
    const fraction = numbersOf(term).find((value) => !/^-?\d+$/.test(value));
    if (fraction !== undefined) {
      const cause = `Gt and Lt compare whole numbers, not "${fraction}": no node fits`;
      return mistake('node-contradiction', terms.at(i), cause, 'use a whole number', { value: fraction });
    }
    const [impossible] = [...wanted].find(([, own]) => !isPossible(own)) ?? [];
    if (impossible === undefined) return [];
    const cause = `the requirements for the label "${impossible}" contradict each other or the nodeSelector: no node fits`;
    return mistake('node-contradiction', terms.at(i), cause, 'remove one of them');
  });
};

/** A guest cannot run where certain Pods run, and where they do not run. */
const pods: Rule = (spec, at) => {
  const terms = (kind: string): readonly Json[] =>
    listAt(spec, 'affinity', kind, 'requiredDuringSchedulingIgnoredDuringExecution');
  const together = terms('podAffinity');
  if (together.length === 0) return [];
  return terms('podAntiAffinity').flatMap((term, i) => {
    if (!together.some((other) => isDeepStrictEqual(other, term))) return [];
    const path = at.at('affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', i);
    const cause = 'the guest must run apart from the Pods that it must run together with: no node fits';
    return mistake('pod-contradiction', path, cause, 'remove one of the two rules');
  });
};

/** Resources that Kubernetes itself defines. Others have a domain. */
const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources of which a container cannot use more than it requests. */
const isWhole = (name: string): boolean =>
  name.startsWith('hugepages-') || (name.includes('/') && !/(^|\.)kubernetes\.io\//.test(name));

/** Requests and limits of resources, with which Kubernetes rejects the Pod. */
const resources: Rule = (spec, at) => {
  const own = objectAt(spec, 'domain', 'resources');
  if (!own) return [];
  const path = at.at('domain', 'resources');
  const names = (['requests', 'limits'] as const).flatMap((group) =>
    Object.keys(objectAt(own, group) ?? {}).flatMap((name) => {
      if (STANDARD.has(name) || name.includes('/') || name.startsWith('hugepages-')) return [];
      const cause = `"${name}" is not a resource of Kubernetes, which rejects the Pod`;
      const remedy = 'use cpu or memory, or a resource with its domain, such as example.com/licence';
      return mistake('resource-name', path.at(group, name), cause, remedy, { value: name });
    }),
  );
  const unequal = Object.entries(objectAt(own, 'requests') ?? {}).flatMap(([name, requested]) => {
    if (!isWhole(name)) return [];
    const limit = read(own, 'limits', name);
    const same = tryParseQuantity(limit)?.nanos === tryParseQuantity(requested)?.nanos;
    if (limit !== undefined && same) return [];
    const cause = `the request of "${name}" needs an equal limit: Kubernetes rejects the Pod`;
    const remedy = /gpu/i.test(name) ? 'assign the GPU with devices.gpus instead' : `set limits["${name}"] to the same`;
    return mistake('resource-limit', path.at('requests', name), cause, remedy, { value: requested });
  });
  return [...names, ...unequal];
};

/** Rules about nodes and resources of a guest. */
export const placementValues: readonly Rule[] = [tolerations, priority, nodes, pods, resources];
