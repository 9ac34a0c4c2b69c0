import { Answer } from './server';

/** The part of an answer that both servers must agree on: without identifiers, times, and the order of the mistakes. */
export function normal({ code, body }: Answer): unknown {
  if (code >= 400) {
    const causes = (body.causes ?? (body.details as { causes?: unknown[] } | undefined)?.causes) as
      { reason?: string; message?: string; field?: string }[] | undefined;
    const list = (causes ?? []).map((c) => `${c.field}: ${c.message} [${c.reason}]`).sort();
    // the message of an invalid object only repeats the causes
    return code === 422 && list.length > 0
      ? { code, causes: list }
      : { code, message: sortLines(body.message), causes: list };
  }
  const object = structuredClone(body) as { metadata?: Record<string, unknown> };
  for (const key of ['uid', 'resourceVersion', 'creationTimestamp', 'generation']) delete object.metadata?.[key];
  const entries = (object.metadata?.managedFields ?? []) as { time?: string }[];
  for (const entry of entries) if (entry.time) entry.time = 'some time';
  // the order of entries depends on their times
  if (object.metadata?.managedFields)
    object.metadata.managedFields = entries.map((e) => JSON.stringify(sorted(e))).sort();
  return { code, object: sorted(object) };
}

const sortLines = (message: unknown): unknown =>
  typeof message === 'string' ? message.split('\n').sort().join('\n') : message;

/** The same value with sorted keys. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}
