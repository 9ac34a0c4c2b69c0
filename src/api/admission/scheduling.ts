import type { Finding, Path } from '../findings';
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '../generated/core-v1';
import type { LabelSelector } from '../generated/meta-v1';
import { isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from '../names';
import { InstanceRule, mistake } from './rule';
import { mistakesOf } from '../mistakes';

/** Validates where the guest may run, by Kubernetes' rules for Pods. Clients know these mistakes without `affinity`. */
export const affinity: InstanceRule = (spec, at) => {
  if (!spec.affinity) return [];
  const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity;
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const node = at.at('nodeAffinity');
  const terms = node.at('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const errors = [
    ...(required && !required.nodeSelectorTerms?.length
      ? bad(terms, 'Required value: must have at least one node selector term', 'add a term')
      : mistakesOf(required?.nodeSelectorTerms ?? [], (term, i) => nodeTerm(term, terms.at(i)))),
    ...mistakesOf(preferred, ({ weight, preference }, i) => {
      const own = node.at('preferredDuringSchedulingIgnoredDuringExecution', i);
      return [...weightFits(weight, own), ...nodeTerm(preference ?? {}, own.at('preference'))];
    }),
    ...podTerms(podAffinity, at.at('podAffinity')),
    ...podTerms(podAntiAffinity, at.at('podAntiAffinity')),
  ];
  const depth = at.parts.length;
  return errors.map(({ field, path, ...error }) => ({
    ...error,
    path: at.at('affinity', ...path.parts.slice(depth)),
    field: field ?? `${path}`,
  }));
};

/** Validates topology spread constraints. */
export const topologySpread: InstanceRule = (spec, at) => {
  const constraints = spec.topologySpreadConstraints ?? [];
  const path = at.at('topologySpreadConstraints');
  const last = new Map(constraints.map((constraint, i) => [placeOf(constraint), i]));
  return mistakesOf(constraints, (constraint, i) => [
    ...spread(constraint, path.at(i)),
    ...selector(constraint.labelSelector, path.at(i, 'labelSelector'), path.at('labelSelector')),
    ...(last.get(placeOf(constraint)) !== i
      ? bad(path.at(i), 'Duplicate value', 'remove one of the two', {
          field: `${path.at(i, '{topologyKey, whenUnsatisfiable}')}`,
        })
      : []),
  ]);
};

const placeOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string =>
  JSON.stringify([topologyKey, whenUnsatisfiable]);

function spread(constraint: TopologySpreadConstraint, at: Path): Finding[] {
  // items in a pool's lists may lack required fields
  const { maxSkew = 0, topologyKey, whenUnsatisfiable: action = '' } = constraint;
  const errors: Finding[] = [];
  if (!(maxSkew > 0)) {
    const message = `Invalid value: ${maxSkew}: must be greater than zero`;
    errors.push(...bad(at.at('maxSkew'), message, 'use 1 or more', { value: maxSkew }));
  }
  errors.push(...topology(topologyKey, at.at('topologyKey')));
  const allowed = ['DoNotSchedule', 'ScheduleAnyway'];
  if (!allowed.includes(action)) {
    const message = `Unsupported value: "${action}"`;
    errors.push(...bad(at.at('whenUnsatisfiable'), message, 'use an allowed value', { value: action, allowed }));
  }
  return errors;
}

type Extra = Pick<Finding, 'value' | 'allowed' | 'field'>;

/** Fields that KubeVirt reports as invalid values, although Kubernetes has other types of errors for them. */
function bad(path: Path, message: string, remedy: string, extra: Extra = {}): Finding[] {
  return mistake('scheduling', path, `${extra.field ?? path}: ${message}`, remedy, extra);
}

function weightFits(weight: number, at: Path): Finding[] {
  if (weight > 0 && weight <= 100) return [];
  const message = `Invalid value: ${weight}: must be in the range 1-100`;
  return bad(at.at('weight'), message, 'use 1 to 100', { value: weight });
}

function nodeTerm({ matchExpressions, matchFields }: NodeSelectorTerm, at: Path): Finding[] {
  return [
    ...mistakesOf(matchExpressions ?? [], (each, i) => nodeLabel(each, at.at('matchExpressions', i))),
    ...mistakesOf(matchFields ?? [], (each, i) => nodeField(each, at.at('matchFields', i))),
  ];
}

function nodeLabel({ key, operator, values = [] }: NodeSelectorRequirement, at: Path): Finding[] {
  const errors: Finding[] = [];
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      const message = "Required value: must be specified single value when `operator` is 'Lt' or 'Gt'";
      errors.push(...bad(at.at('values'), message, 'write one number'));
    }
  } else {
    errors.push(...valuesFit(operator, values, at));
  }
  return [...errors, ...labelKey(key, at.at('key'))];
}

function valuesFit(operator: string, values: readonly string[], at: Path): Finding[] {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length > 0) return [];
    const message = "Required value: must be specified when `operator` is 'In' or 'NotIn'";
    return bad(at.at('values'), message, 'add values');
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length === 0) return [];
    const message = "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return bad(at.at('values'), message, 'remove values');
  }
  return unknownOperator(operator, at);
}

function unknownOperator(operator: string, at: Path): Finding[] {
  const message = `Invalid value: "${operator}": not a valid selector operator`;
  return bad(at.at('operator'), message, 'use In, NotIn, Exists or DoesNotExist', { value: operator });
}

/** Validates a field selector of nodes: `metadata.name` is the only field. */
function nodeField({ key, operator, values = [] }: NodeSelectorRequirement, at: Path): Finding[] {
  const errors: Finding[] = [];
  if (operator !== 'In' && operator !== 'NotIn') errors.push(...unknownOperator(operator, at));
  else if (values.length !== 1) {
    const message = "Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(...bad(at.at('values'), message, 'write the name of one node'));
  }
  if (key !== 'metadata.name') {
    const message = `Invalid value: "${key}": not a valid field selector key`;
    return [...errors, ...bad(at.at('key'), message, 'write metadata.name', { value: key })];
  }
  const wrong = mistakesOf(values, (value, i) =>
    isDnsSubdomain(value)
      ? []
      : bad(at.at('values', i), `Invalid value: "${value}": not an RFC 1123 subdomain`, 'write the name of a node', {
          value: value,
        }),
  );
  return [...errors, ...wrong];
}

function podTerms(given: PodAffinity | undefined, at: Path): Finding[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: required = [] } = given ?? {};
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } = given ?? {};
  return [
    ...mistakesOf(required, (term, i) => podTerm(term, at.at('requiredDuringSchedulingIgnoredDuringExecution', i))),
    ...mistakesOf(preferred, ({ weight, podAffinityTerm }, i) => {
      const own = at.at('preferredDuringSchedulingIgnoredDuringExecution', i);
      return [...weightFits(weight, own), ...podTerm(podAffinityTerm, own.at('podAffinityTerm'))];
    }),
  ];
}

function podTerm(term: PodAffinityTerm | undefined, at: Path): Finding[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey } = term ?? ({} as Partial<PodAffinityTerm>);
  const lost = (namespaces ?? []).find((name) => !isDnsLabel(name));
  return [
    ...selector(labelSelector, at.at('labelSelector')),
    ...selector(namespaceSelector, at.at('namespaceSelector')),
    ...(lost === undefined
      ? []
      : bad(at.at('namespace'), `Invalid value: "${lost}": not an RFC 1123 label`, 'write the name of a namespace', {
          value: lost,
        })),
    ...topology(topologyKey, at.at('topologyKey')),
  ];
}

function topology(key: string | undefined, at: Path): Finding[] {
  if (key) return labelKey(key, at);
  return [...bad(at, 'Required value: can not be empty', 'write kubernetes.io/hostname'), ...labelKey('', at)];
}

function labelKey(key: string, at: Path): Finding[] {
  if (isQualifiedName(key)) return [];
  const mistakes = bad(at, `Invalid value: ${JSON.stringify(key)}: not a valid label key`, 'write the key of a label', {
    value: key,
  });
  // an empty key has two mistakes, which counts where a response ends
  return key === '' ? [...mistakes, ...mistakes] : mistakes;
}

/** @param named path of the selector in KubeVirt's messages */
function selector(given: LabelSelector | undefined, at: Path, named = at): Finding[] {
  if (!given) return [];
  const errors: Finding[] = [];
  for (const [key, value] of Object.entries(given.matchLabels ?? {})) {
    if (isQualifiedName(key) && isLabelValue(value)) continue;
    const message = `Invalid value: ${JSON.stringify(`${key}=${value}`)}: not a valid label`;
    const extra = { value, field: `${named.at('matchLabels')}` };
    errors.push(...bad(at.at('matchLabels', key), message, 'use labels of Pods', extra));
  }
  const expressions = mistakesOf(given.matchExpressions ?? [], ({ key, operator, values = [] }, i) => {
    const below = [
      ...valuesFit(operator, values, at.at('matchExpressions', i)),
      ...labelKey(key, at.at('matchExpressions', i, 'key')),
      ...mistakesOf(values, (value, j) => {
        if (isLabelValue(value)) return [];
        const message = `Invalid value: "${value}": not a valid label value`;
        return bad(at.at('matchExpressions', i, 'values', j), message, 'use values of labels', { value: value });
      }),
    ];
    const depth = at.parts.length;
    return below.map((error) => ({ ...error, field: `${named.at(...error.path.parts.slice(depth))}` }));
  });
  return [...errors, ...expressions];
}
