/** Parses image references like Docker and Kubernetes. Pure. */

export interface ImageReference {
  /** Registry and path: `docker.io/library/busybox`. */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const GRAMMAR = /^([a-zA-Z0-9][a-zA-Z0-9._\-/:[\]]*?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** Splits a reference and adds its defaults; undefined if it is not valid. */
export function parseReference(ref: string): ImageReference | undefined {
  const match = GRAMMAR.exec(ref);
  if (!match) return undefined;
  const [, name = '', tag, digest] = match;
  if (/[A-Z]/.test(name.split('/').slice(1).join('/')) || name.endsWith('/') || name.includes('//')) return undefined;
  const first = name.split('/')[0] ?? '';
  const hasRegistry = name.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  const path = hasRegistry ? name : `docker.io/${name.includes('/') ? name : `library/${name}`}`;
  return { repository: path, digest, tag: tag ?? (digest ? undefined : 'latest') };
}

/** Canonical reference of an image: `docker.io/library/busybox:latest` for `busybox`. */
export function normalReference(ref: string): string {
  const parsed = parseReference(ref);
  if (!parsed) return ref;
  const { repository, tag, digest } = parsed;
  return `${repository}${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;
}

/** Kubernetes' default pull policy: `Always` only for `:latest`. */
export function defaultPullPolicy(ref: string): 'Always' | 'IfNotPresent' {
  const parsed = parseReference(ref);
  return parsed?.tag === 'latest' && !parsed.digest ? 'Always' : 'IfNotPresent';
}
