import { errors } from '../errors';

/** Response format that the client accepts. */
export interface Wanted {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** Version of the Table or PartialObjectMetadata. */
  readonly metaVersion: string;
  readonly yaml: boolean;
  /** The clause's other parameters: `g`, `v`, `as` of aggregated discovery. */
  readonly parameters: Record<string, string>;
}

const PLAIN: Wanted = { as: 'object', metaVersion: 'v1', yaml: false, parameters: {} };
export const ACCEPTED = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const;

const ROUTED: ReadonlySet<string> = new Set([...ACCEPTED, '*/*']);

interface Clause {
  readonly type: string;
  readonly quality: number;
  readonly parameters: Record<string, string>;
}

/** Clauses of an Accept header, best first. */
export function clauses(accept: string | undefined): Clause[] {
  const found = (accept ?? '').split(',').flatMap((text): Clause[] => {
    const [type, ...rest] = text.trim().split(';');
    if (!type) return [];
    const parameters = Object.fromEntries(
      rest.map((pair) => pair.trim().split('=')).map(([name, value = '']) => [name, value.replace(/^"|"$/g, '')]),
    );
    return [{ type: type.trim().toLowerCase(), quality: Number(parameters.q ?? 1), parameters }];
  });
  return found.sort((a, b) => b.quality - a.quality);
}

const YAML = ['application/yaml', 'text/yaml', 'application/x-yaml'];

/**
 * The first clause that this server can serve.
 * @param routed whether Kubernetes' router checks the media type first: for all but custom resources
 * @throws StatusError 406 when there is none (protobuf alone, an unknown type)
 */
export function negotiate(accept: string | undefined, routed = false): Wanted {
  const all = clauses(accept);
  if (!all.length) return PLAIN;
  if (routed && !all.some(({ type }) => ROUTED.has(type))) throw errors.notAcceptableRoute(ACCEPTED);
  for (const { type, parameters } of all) {
    const yaml = YAML.includes(type);
    if (!yaml && !['application/json', 'application/*', '*/*'].includes(type)) continue;
    const { as, v = 'v1', g } = parameters;
    if (!as) return { ...PLAIN, yaml, parameters };
    if (g !== undefined && g !== 'meta.k8s.io') continue;
    if (!['v1', 'v1beta1'].includes(v)) continue;
    if (as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') {
      return { as, metaVersion: v, yaml, parameters };
    }
  }
  throw errors.notAcceptable(ACCEPTED);
}
