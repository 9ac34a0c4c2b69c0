import { KubeObject } from '../../api/meta';

/** Any object: known metadata and arbitrary fields. */
export interface AnyObject extends KubeObject {
  // Kinds differ and CRDs are only known at run time; each kind's own file narrows what it touches.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

/** User of a request, as `authentication.k8s.io/v1` UserInfo. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Record<string, string[]>;
}

/** A certificate and its key, in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Now, in the precision of `metav1.Time`. */
export function timestamp(at = Date.now()): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
