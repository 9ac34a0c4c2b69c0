import { Core, keyOf } from '../verbs/core';
import { AnyObject } from '../types';
import { ensure } from './bootstrap';

const CA_MAP = 'kube-root-ca.crt';

/** Creates a ServiceAccount `default` and a ConfigMap with the cluster's CA in every namespace; recreates deleted ones. */
export class ServiceAccountController {
  private readonly stops: (() => void)[] = [];
  private closed = false;

  public constructor(
    private readonly core: Core,
    private readonly ca: string,
  ) {}

  public start(): void {
    const { store } = this.core;
    this.stops.push(
      // Synchronous: after the response to `create namespace`, clients may create Pods.
      store.subscribe('/namespaces', ({ object, previous }) => object && !previous && this.provide(object)),
      store.subscribe('/serviceaccounts', ({ key, object }) => !object && this.again(key.namespace, key.name)),
      store.subscribe('/configmaps', ({ key, object }) => !object && this.again(key.namespace, key.name)),
    );
    for (const namespace of [...store.list({ resource: '/namespaces' })]) this.provide(namespace);
  }

  public close(): void {
    this.closed = true;
    this.stops.forEach((stop) => stop());
  }

  private again(namespace: string, name: string): void {
    if (name !== 'default' && name !== CA_MAP) return;
    setImmediate(() => {
      if (this.closed) return;
      const found = this.core.store.get({ resource: '/namespaces', namespace: '', name: namespace });
      if (found) this.provide(found);
    });
  }

  private provide({ metadata: { name: namespace = '', deletionTimestamp } }: AnyObject): void {
    if (deletionTimestamp) return;
    const accounts = this.core.kinds.find('', 'v1', 'serviceaccounts')!;
    const maps = this.core.kinds.find('', 'v1', 'configmaps')!;
    const metadata = { name: 'default', namespace };
    ensure(this.core, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    const data = { 'ca.crt': this.ca };
    const current = this.core.store.get(keyOf(maps, namespace, CA_MAP));
    if (!current) {
      const annotations = {
        'kubernetes.io/description':
          'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
      };
      ensure(this.core, maps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: CA_MAP, namespace, annotations },
        data,
      });
    } else if (current.data?.['ca.crt'] !== this.ca) {
      this.core.store.update(keyOf(maps, namespace, CA_MAP), { ...current, data }, current.metadata.resourceVersion!);
    }
  }
}
