/** Parses `docker://HOST[:PORT]/PATH[:TAG|@DIGEST]`. Pure. */
import { ImportError } from '../import-error';

export interface Reference {
  /** Host with port, as the registry is addressed. */
  readonly host: string;
  readonly path: string;
  /** Tag or digest. */
  readonly version: string;
}

const PATTERN =
  /^docker:\/\/(?:([^/@]+\.[^/@]+|[^/@]+:\d+|localhost)\/)?([a-z0-9._\-/]+?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** @throws ImportError if the URL is not an image reference */
export function parseReference(url: string): Reference {
  const [, host, path, tag, digest] = PATTERN.exec(url) ?? [];
  if (path === undefined) {
    const message = `${url.slice(0, 300)} is not an image reference`;
    throw new ImportError('RequestInvalid', message, 'write docker://REGISTRY/PATH:TAG');
  }
  const isDockerHub = host === undefined || host === 'docker.io' || host === 'index.docker.io';
  return {
    host: isDockerHub ? 'registry-1.docker.io' : host,
    path: isDockerHub && !path.includes('/') ? `library/${path}` : path,
    version: digest ?? tag ?? 'latest',
  };
}

/** Whether the registry is on this machine, where container engines do not expect TLS. */
export const isLocal = ({ host }: Reference): boolean => /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);
