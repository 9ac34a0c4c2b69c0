import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { KubeObject } from '../api';
import { isConstruct, isKubeObject, objectsOf } from './objects';

/** What the API server and controllers write, and no two clusters alike. */
const VOLATILE = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'];

const FIRST = ['apiVersion', 'kind', 'metadata', 'name'];

/**
 * Objects as YAML for snapshots: compact, fields in one order, without what differs from run to run, and with the values
 * of Secrets as `<redacted sha256:…>`, which change when they do.
 */
export function toSnapshot(given: unknown): string {
  return objectsOf(given)
    .map((object) =>
      stringify(masked(object), { lineWidth: 0, sortMapEntries: order, aliasDuplicateObjects: false }).trimEnd(),
    )
    .join('\n---\n');
}

function order({ key: a }: { key: unknown }, { key: b }: { key: unknown }): number {
  const [one, two] = [a, b].map((key) => String((key as { value?: unknown } | null)?.value ?? key));
  const [first, second] = [one, two].map((key) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length));
  return first - second || (one < two ? -1 : one > two ? 1 : 0);
}

function masked(object: KubeObject): object {
  const { metadata, ...rest } = object;
  const kept = Object.entries(metadata ?? {}).filter(([field]) => !VOLATILE.includes(field));
  return { ...rest, ...redacted(object), metadata: Object.fromEntries(kept) };
}

/** A Secret's values, each told from another, and none of them told. */
function redacted({ apiVersion, kind, ...fields }: KubeObject): object {
  if (kind !== 'Secret' || apiVersion !== 'v1') return {};
  const { data, stringData } = fields as Partial<Record<'data' | 'stringData', Record<string, unknown>>>;
  const redact = (values: Record<string, unknown>, decode: (text: string) => Buffer): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const digest = createHash('sha256')
          .update(decode(String(value)))
          .digest('hex');
        return [key, `<redacted sha256:${digest.slice(0, 12)}>`];
      }),
    );
  return {
    ...(data ? { data: redact(data, (text) => Buffer.from(text, 'base64')) } : {}),
    ...(stringData ? { stringData: redact(stringData, (text) => Buffer.from(text)) } : {}),
  };
}

/**
 * For `expect.addSnapshotSerializer(serializer)` of jest and vitest: apps, charts, constructs with objects, and objects
 * themselves are printed by {@link toSnapshot}.
 */
export const serializer = {
  /** Is the value one of those? */
  test(value: unknown): boolean {
    if (isConstruct(value)) return true;
    return Array.isArray(value) ? value.length > 0 && value.every(isKubeObject) : isKubeObject(value);
  },
  /** Its text. */
  serialize(value: unknown): string {
    return toSnapshot(value);
  },
};
