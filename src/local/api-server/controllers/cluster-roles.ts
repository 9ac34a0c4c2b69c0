import { matchLabelSelector } from '../registry/label-selector';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { PolicyRule } from '../authorization/authorizer';
import { defaultRoles } from '../authorization/default-roles';
import { RBAC_GROUP } from '../authorization/rbac';
import { reconciled } from '../authorization/reconcile';
import { Core, internalCaller, keyOf } from '../verbs/core';
import { manage } from '../verbs/update';
import { ensure } from './bootstrap';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from './work-queue';

const MANAGER = { ...internalCaller('apiserver'), manager: 'kube-apiserver' };
const RESOURCE = `${RBAC_GROUP}/clusterroles`;

/** Default roles of every cluster, and aggregated roles (`aggregationRule`). */
export class ClusterRoleController {
  private readonly queue: WorkQueue;
  private stop = () => {};

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.queue = controllerQueue((name) => this.aggregate(name), log);
  }

  public start(): void {
    for (const object of defaultRoles()) this.provide(object);
    this.stop = this.core.store.subscribe(RESOURCE, () => this.enqueueAll());
    // Before the first request is served.
    for (const name of ['view', 'edit', 'admin']) this.aggregate(name);
    this.enqueueAll();
  }

  public close(): void {
    this.stop();
    void this.queue.stop();
  }

  /** Stores a default object, or adds to the stored one what it lacks. */
  private provide(wanted: AnyObject): void {
    const { store, kinds } = this.core;
    const kind = kinds.byKind(wanted.apiVersion!, wanted.kind!)!;
    const key = keyOf(kind, wanted.metadata.namespace ?? '', wanted.metadata.name!);
    const stored = store.get(key);
    if (stored && wanted.roleRef && !deepEqual(stored.roleRef, wanted.roleRef)) store.delete(key);
    else if (stored) {
      const next = reconciled(stored, wanted);
      if (next) store.update(key, next, stored.metadata.resourceVersion!);
      return;
    }
    ensure(this.core, kind, manage(kind, '', kind.empty(), wanted, MANAGER));
  }

  private enqueueAll(): void {
    for (const { metadata, aggregationRule } of this.core.store.list({ resource: RESOURCE })) {
      if (aggregationRule) this.queue.add(metadata.name!);
    }
  }

  private aggregate(name: string): void {
    const { store, kinds } = this.core;
    const key = keyOf(kinds.find(RBAC_GROUP, 'v1', 'clusterroles')!, '', name);
    const current = store.get(key);
    const selectors = current?.aggregationRule?.clusterRoleSelectors as Parameters<typeof matchLabelSelector>[0][];
    if (!current || !selectors) return;
    const found: PolicyRule[] = [];
    for (const selector of selectors) {
      const matches = matchLabelSelector(selector);
      for (const other of store.list({ resource: RESOURCE })) {
        if (other.metadata.name === name || !matches(other.metadata.labels)) continue;
        for (const rule of (other.rules ?? []) as PolicyRule[]) {
          if (!found.some((known) => deepEqual(known, rule))) found.push(rule);
        }
      }
    }
    if (deepEqual(found, current.rules ?? [])) return;
    const next = clone(current);
    next.rules = found;
    store.update(key, next, current.metadata.resourceVersion!);
  }
}
