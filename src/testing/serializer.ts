import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { KubeObject } from '../api';
import { isConstruct, isKubeObject, objectsOf } from './objects';

/** Metadata that the API server and controllers write, and that differs between clusters. */
const VOLATILE = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'];

const FIRST = ['apiVersion', 'kind', 'metadata', 'name'];

/**
 * Returns objects as YAML for snapshots: compact, with sorted fields, without fields that differ between runs. Values
 * of Secrets are replaced by `<redacted sha256:…>`, which changes with the value.
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

/** Replaces a Secret's values by digests, so that different values can be distinguished but not read. */
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
 * Serializer for `expect.addSnapshotSerializer(serializer)` of jest and vitest. It prints apps, charts, constructs and
 * objects with {@link toSnapshot}.
 */
export const serializer = {
  /** Returns whether the serializer can print the value. */
  test(value: unknown): boolean {
    if (isConstruct(value)) return true;
    return Array.isArray(value) ? value.length > 0 && value.every(isKubeObject) : isKubeObject(value);
  },
  /** Returns the text of the value. */
  serialize(value: unknown): string {
    return toSnapshot(value);
  },
};
