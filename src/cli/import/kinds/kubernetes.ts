/** Kubernetes structures that properties accept unchanged. Pure. */
import { isFields } from '../difference';
import { type Expression, value } from '../expression';

/** Shape of a value: a scalar type, a list of one shape, an object with these fields, or a map. */
type Shape =
  | 'string'
  | 'number'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly needs?: readonly string[] };

const texts: Shape = { list: 'string' };
const requirement: Shape = {
  fields: { key: 'string', operator: 'string', values: texts },
  needs: ['key', 'operator'],
};
const labelSelector: Shape = { fields: { matchLabels: { map: 'string' }, matchExpressions: { list: requirement } } };
const nodeTerm: Shape = { fields: { matchExpressions: { list: requirement }, matchFields: { list: requirement } } };
const podTerm: Shape = {
  fields: {
    labelSelector,
    namespaceSelector: labelSelector,
    namespaces: texts,
    topologyKey: 'string',
  },
  needs: ['topologyKey'],
};
const podTerms: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { list: podTerm },
    preferredDuringSchedulingIgnoredDuringExecution: {
      list: { fields: { weight: 'number', podAffinityTerm: podTerm }, needs: ['weight', 'podAffinityTerm'] },
    },
  },
};
const affinity: Shape = {
  fields: {
    nodeAffinity: {
      fields: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          fields: { nodeSelectorTerms: { list: nodeTerm } },
          needs: ['nodeSelectorTerms'],
        },
        preferredDuringSchedulingIgnoredDuringExecution: {
          list: { fields: { weight: 'number', preference: nodeTerm }, needs: ['weight', 'preference'] },
        },
      },
    },
    podAffinity: podTerms,
    podAntiAffinity: podTerms,
  },
};
const toleration: Shape = {
  fields: { key: 'string', operator: 'string', value: 'string', effect: 'string', tolerationSeconds: 'number' },
};
const spread: Shape = {
  fields: {
    maxSkew: 'number',
    topologyKey: 'string',
    whenUnsatisfiable: 'string',
    labelSelector,
    matchLabelKeys: texts,
    minDomains: 'number',
    nodeAffinityPolicy: 'string',
    nodeTaintsPolicy: 'string',
  },
  needs: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
};

const shapes = {
  affinity,
  labelSelector,
  tolerations: { list: toleration },
  topologySpread: { list: spread },
} satisfies Readonly<Record<string, Shape>>;

/** Returns a non-empty value if it has the type that cdk8s-plus expects, or undefined. */
export function kubernetes(type: keyof typeof shapes, given: unknown): Expression | undefined {
  if (typeof given !== 'object' || given === null || Object.keys(given).length === 0) return undefined;
  return hasShape(given, shapes[type]) ? value(given) : undefined;
}

function hasShape(given: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') return typeof given === shape;
  if ('list' in shape) return Array.isArray(given) && given.every((item) => hasShape(item, shape.list));
  if (!isFields(given)) return false;
  if ('map' in shape) return Object.values(given).every((item) => hasShape(item, shape.map));
  return (
    (shape.needs ?? []).every((key) => given[key] !== undefined) &&
    Object.entries(given).every(
      ([key, inner]) => Object.hasOwn(shape.fields, key) && hasShape(inner, shape.fields[key]!),
    )
  );
}
