import { claimsOf } from '../../claims';
import { clone } from '../json/values';
import { AnyObject } from '../types';
import { Core, keyOf } from '../verbs/core';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from './work-queue';

const CLAIMS = '/persistentvolumeclaims';
const VOLUMES = '/persistentvolumes';
const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection';
const VOLUME_FINALIZER = 'kubernetes.io/pv-protection';

/** Names of the claims of a Pod's volumes. */
const claimNames = ({ metadata, spec }: AnyObject): string[] =>
  claimsOf({ metadata, spec: spec ?? {} }).map(({ name }) => name);

/** Releases deleted claims that no scheduled Pod uses, and deleted volumes without a bound claim. */
export class StorageProtectionController {
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.queue = controllerQueue((key) => this.reconcile(key), log);
  }

  public start(): void {
    const { store } = this.core;
    const add = (resource: string, { metadata }: AnyObject) =>
      metadata.deletionTimestamp && this.queue.add(JSON.stringify([resource, metadata.namespace ?? '', metadata.name]));
    this.stops.push(
      store.subscribe(CLAIMS, ({ object, previous }) => {
        if (object) add(CLAIMS, object);
        const volume = !object && previous?.spec?.volumeName;
        if (volume) this.queue.add(JSON.stringify([VOLUMES, '', volume]));
      }),
      store.subscribe(VOLUMES, ({ object }) => object && add(VOLUMES, object)),
      store.subscribe('/pods', ({ key, object, previous }) => {
        const ended = ['Succeeded', 'Failed'].includes(object?.status?.phase);
        if (object && !ended) return;
        for (const name of claimNames((object ?? previous)!)) {
          this.queue.add(JSON.stringify([CLAIMS, key.namespace, name]));
        }
      }),
    );
    for (const resource of [CLAIMS, VOLUMES]) for (const object of store.list({ resource })) add(resource, object);
  }

  public close(): void {
    this.stops.forEach((stop) => stop());
    void this.queue.stop();
  }

  private reconcile(text: string): void {
    const [resource, namespace, name] = JSON.parse(text) as [string, string, string];
    const { store, kinds } = this.core;
    const object = store.get({ resource, namespace, name });
    if (!object?.metadata.deletionTimestamp) return;
    const finalizer = resource === CLAIMS ? CLAIM_FINALIZER : VOLUME_FINALIZER;
    const finalizers: string[] = object.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) return;
    if (resource === CLAIMS ? this.claimInUse(object) : this.volumeInUse(object)) return;
    const key = keyOf(kinds.byStorage(resource)!, namespace, name);
    const rest = finalizers.filter((item) => item !== finalizer);
    if (!rest.length) {
      store.delete(key, object.metadata.resourceVersion);
      return;
    }
    const next = clone(object);
    next.metadata.finalizers = rest;
    store.update(key, next, object.metadata.resourceVersion!);
  }

  /** Whether a Pod uses its claims: it is scheduled and has not ended. */
  private claimInUse({ metadata: { namespace = '', name = '' } }: AnyObject): boolean {
    return [...this.core.store.list({ resource: '/pods', namespace })].some(
      (pod) =>
        pod.spec?.nodeName && !['Succeeded', 'Failed'].includes(pod.status?.phase) && claimNames(pod).includes(name),
    );
  }

  private volumeInUse({ spec, status }: AnyObject): boolean {
    const { namespace = '', name = '', uid } = spec?.claimRef ?? {};
    if (status?.phase !== 'Bound' || !name) return false;
    return this.core.store.get({ resource: CLAIMS, namespace, name })?.metadata.uid === uid;
  }
}
