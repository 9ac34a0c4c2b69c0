import { deepEqual } from '../json/values';
import type { AnyObject } from '../types';
import { type Core, keyOf } from '../verbs/core';
import { ensure } from './bootstrap';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';

/** Authorities by which clients of this server, and this server as a client of others, are verified. */
export interface AuthenticationTrust {
  /** CA of client certificates, in PEM. */
  readonly clientCa: string;
  /** CA of this server's own client certificate, and the common names that it may have. */
  readonly requestheader?: { readonly clientCa: string; readonly allowedNames: readonly string[] };
}

/** Data of the ConfigMap, in which lists are JSON. Pure. */
export function trustData({ clientCa, requestheader }: AuthenticationTrust): Record<string, string> {
  return {
    'client-ca-file': clientCa,
    ...(requestheader
      ? {
          'requestheader-allowed-names': JSON.stringify(requestheader.allowedNames),
          'requestheader-client-ca-file': requestheader.clientCa,
          'requestheader-extra-headers-prefix': JSON.stringify(['X-Remote-Extra-']),
          'requestheader-group-headers': JSON.stringify(['X-Remote-Group']),
          'requestheader-username-headers': JSON.stringify(['X-Remote-User']),
        }
      : {}),
  };
}

/** Publishes the trust in the ConfigMap that aggregated API servers read; recreates it if it is deleted. */
export class AuthenticationTrustController {
  private readonly data: Record<string, string>;
  private stop = (): void => {};
  private closed = false;

  public constructor(
    private readonly core: Core,
    trust: AuthenticationTrust,
  ) {
    this.data = trustData(trust);
  }

  public start(): void {
    this.stop = this.core.store.subscribe('/configmaps', ({ key, object }) => {
      if (!object && key.namespace === NAMESPACE && key.name === NAME) setImmediate(() => this.publish());
    });
    this.publish();
  }

  public close(): void {
    this.closed = true;
    this.stop();
  }

  private publish(): void {
    if (this.closed) return;
    const { store, kinds } = this.core;
    const kind = kinds.find('', 'v1', 'configmaps')!;
    const key = keyOf(kind, NAMESPACE, NAME);
    const current: AnyObject | undefined = store.get(key);
    const { data } = this;
    if (!current) {
      const metadata = { name: NAME, namespace: NAMESPACE };
      ensure(this.core, kind, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...data } });
    } else if (!deepEqual(current.data, data)) {
      store.update(key, { ...current, data: { ...data } }, current.metadata.resourceVersion!);
    }
  }
}
