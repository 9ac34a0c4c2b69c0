import type { WorkQueue } from '../../../runtime/kube';
import { evaluatorOf, scopesOf, totalUsage } from '../admission/quota/usage';
import { withStatus } from '../admission/quota/status';
import { addAmounts, Amounts } from '../admission/pod-resources';
import { deepEqual } from '../json/values';
import { Change, Store } from '../store/store';
import { AnyObject } from '../types';
import { Core } from '../verbs/core';
import { controllerQueue } from './work-queue';

const QUOTAS = '/resourcequotas';

/**
 * Computes the status of ResourceQuotas from the stored objects: at start, after changes of the quota, and after writes
 * that change usage. Admission has then stored every object that it charged, because the queue runs in a later turn.
 */
export class ResourceQuotaController {
  private readonly queue: WorkQueue;
  /** Number of quotas by namespace: changes in other namespaces cost nothing. */
  private readonly quotas = new Map<string, number>();
  private stop = () => {};

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.queue = controllerQueue((namespace) => this.reconcile(namespace), log);
  }

  public start(): void {
    const { store } = this.core;
    this.stop = store.subscribeAll((change) => this.seen(change));
    for (const quota of store.list({ resource: QUOTAS })) this.count(quota.metadata.namespace!, 1);
    for (const namespace of this.quotas.keys()) this.queue.add(namespace);
  }

  public close(): void {
    this.stop();
    void this.queue.stop();
  }

  private count(namespace: string, difference: number): void {
    const count = (this.quotas.get(namespace) ?? 0) + difference;
    if (count > 0) this.quotas.set(namespace, count);
    else this.quotas.delete(namespace);
  }

  private seen({ key: { resource, namespace }, object, previous }: Change): void {
    if (resource === QUOTAS && !object !== !previous) this.count(namespace, object ? 1 : -1);
    if (!this.quotas.has(namespace)) return;
    if (object && previous && !mayChangeUsage(resource, object, previous)) return;
    this.queue.add(namespace);
  }

  private reconcile(namespace: string): void {
    const { store } = this.core;
    for (const quota of [...store.list({ resource: QUOTAS, namespace })]) {
      const hard: Amounts = quota.spec?.hard ?? {};
      const used = { ...statusOnly(quota, hard), ...this.measure(namespace, quota, hard) };
      const status = Object.keys(hard).length ? { hard, used } : {};
      if (deepEqual(status, quota.status ?? {})) continue;
      const key = { resource: QUOTAS, namespace, name: quota.metadata.name! };
      store.update(key, withStatus(quota, status, 'kube-controller-manager'), quota.metadata.resourceVersion!);
    }
  }

  private measure(namespace: string, quota: AnyObject, hard: Amounts): Amounts {
    const { store, kinds } = this.core;
    const scopes = scopesOf(quota);
    const now = Date.now();
    const measured = new Set<string>();
    let used: Amounts = {};
    for (const { group, plural, storage, namespaced } of kinds.all()) {
      if (!namespaced || measured.has(storage)) continue;
      measured.add(storage);
      const evaluator = evaluatorOf(group, plural);
      const names = evaluator ? Object.keys(hard).filter((name) => evaluator.counts(name)) : [];
      if (!names.length) continue;
      used = addAmounts(used, totalUsage(evaluator!, names, scopes, objects(store, storage, namespace), now));
    }
    return used;
  }
}

const objects = (store: Store, resource: string, namespace: string) => store.list({ resource, namespace });

/** Usage of resources that this server cannot measure, as somebody else wrote it. */
const statusOnly = (quota: AnyObject, hard: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries((quota.status?.used ?? {}) as Amounts).filter(([name]) => hard[name] !== undefined),
  );

/** Whether an update may change usage. */
function mayChangeUsage(resource: string, object: AnyObject, previous: AnyObject): boolean {
  switch (resource) {
    case QUOTAS:
    case '/services':
    case '/persistentvolumeclaims':
      return true;
    case '/pods':
      return object.status?.phase !== previous.status?.phase || !deepEqual(object.spec, previous.spec);
    default:
      return false;
  }
}
