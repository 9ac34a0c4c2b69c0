import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from './value-kinds';

/** Fields that belong into `metadata`. A name is often the id as well, so it may be beside the other properties. */
const FIELDS = ['annotations', 'labels', 'namespace'] as const;

/** Whether properties have such a field. */
export const hasFieldsOfMetadata = (props: unknown): props is Record<string, unknown> =>
  isRecord(props) && FIELDS.some((field) => props[field] !== undefined);

/**
 * Returns the fields of `metadata` that are beside it, where nothing reads them. A field is allowed if the object has
 * the same value: a program may pass the properties of a chart or a component on.
 *
 * @param construct - construct that receives the properties
 * @param props - properties that were passed
 * @param takes - properties that the construct has, such as `metadata?: ApiObjectMetadata`
 */
export function misplacedMetadata(
  construct: IConstruct,
  props: Record<string, unknown>,
  takes: readonly string[],
): string[] {
  if (!takes.some((property) => property.startsWith('metadata?: '))) return [];
  return FIELDS.filter((field) => {
    const value = props[field];
    if (value === undefined || takes.some((property) => property.startsWith(`${field}?: `))) return false;
    // the namespace of a source, in options that are passed to several calls
    if (field === 'namespace' && takes.some((property) => /^source\??: /.test(property))) return false;
    return !isDeepStrictEqual(value, valueOf(construct, props, field));
  });
}

/** Returns the value that the object gets. */
function valueOf(
  construct: IConstruct,
  { metadata }: Record<string, unknown>,
  field: (typeof FIELDS)[number],
): unknown {
  const own = isRecord(metadata) ? metadata[field] : undefined;
  return own ?? (field === 'namespace' ? chartOf(construct)?.namespace : undefined);
}

function chartOf(construct: IConstruct): Chart | undefined {
  return construct.node.scopes.filter((scope) => Chart.isChart(scope)).at(-1) as Chart | undefined;
}
