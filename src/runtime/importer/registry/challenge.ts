/** Parses `WWW-Authenticate` of a registry. Pure. */

export type Challenge =
  | { readonly scheme: 'basic' }
  | { readonly scheme: 'bearer'; readonly realm: string; readonly query: Readonly<Record<string, string>> };

/** The challenge; undefined for a scheme that registries do not use. */
export function parseChallenge(header: string): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(header.trim()) ?? [];
  if (scheme.toLowerCase() === 'basic') return { scheme: 'basic' };
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  const fields = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const { realm, service, scope } = fields;
  if (!realm || !URL.canParse(realm)) return undefined;
  return { scheme: 'bearer', realm, query: { ...(service && { service }), ...(scope && { scope }) } };
}
