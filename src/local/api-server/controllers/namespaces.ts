import { Condition } from '../../../api/meta';
import { Store } from '../store/store';
import { clone, deepEqual } from '../json/values';
import { AnyObject, timestamp } from '../types';
import { Core, internalCaller } from '../verbs/core';
import { remove } from '../verbs/delete';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from './work-queue';

const RESOURCE = '/namespaces';

/** Deletes the contents of a terminating namespace, then the namespace. */
export class NamespaceController {
  private readonly queue: WorkQueue;
  private readonly store: Store;
  private readonly terminating = new Set<string>();
  private readonly stops: (() => void)[] = [];
  private readonly caller = internalCaller('namespace-controller');

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.store = core.store;
    this.queue = controllerQueue((name) => this.process(name), log);
  }

  public start(): void {
    this.stops.push(
      this.store.subscribe(RESOURCE, ({ object }) => object && this.observe(object)),
      // A deleted object may have been the last of a terminating namespace.
      this.store.subscribeAll(({ key, object }) => {
        if (!object && this.terminating.has(key.namespace)) this.queue.add(key.namespace);
      }),
    );
    for (const namespace of this.store.list({ resource: RESOURCE })) this.observe(namespace);
  }

  public close(): void {
    this.stops.forEach((stop) => stop());
    void this.queue.stop();
  }

  private observe(namespace: AnyObject): void {
    if (!namespace.metadata.deletionTimestamp) return;
    this.terminating.add(namespace.metadata.name!);
    this.queue.add(namespace.metadata.name!);
  }

  private async process(name: string): Promise<void> {
    const key = { resource: RESOURCE, namespace: '', name };
    if (!this.store.get(key)?.metadata.deletionTimestamp) return void this.terminating.delete(name);
    for (const { resource } of this.store.resourcesIn(name)) {
      const kind = this.core.kinds.byStorage(resource);
      if (!kind) continue;
      for (const { metadata } of [...this.store.list({ resource, namespace: name })]) {
        if (metadata.deletionTimestamp) continue;
        const target = { kind, namespace: name, name: metadata.name!, subresource: '' };
        const policy = { dryRun: false, propagationPolicy: 'Background' as const };
        await remove(this.core, target, policy, this.caller).catch((error: { code?: number }) => {
          if (error.code !== 404) throw error;
        });
      }
    }
    const remaining = this.store.resourcesIn(name).filter(({ count }) => count > 0);
    const current = this.store.get(key);
    if (!current?.metadata.deletionTimestamp) return;
    if (remaining.length) return this.report(current, remaining);
    const next = clone(current);
    next.spec = {
      ...next.spec,
      finalizers: (next.spec?.finalizers ?? []).filter((item: string) => item !== 'kubernetes'),
    };
    if (next.spec.finalizers.length || next.metadata.finalizers?.length) {
      if (!deepEqual(next, current)) this.store.update(key, next, current.metadata.resourceVersion!);
      return;
    }
    this.terminating.delete(name);
    this.store.delete(key, current.metadata.resourceVersion);
  }

  /** Conditions that list the remaining objects. */
  private report(current: AnyObject, remaining: { resource: string; count: number }[]): void {
    const name = current.metadata.name!;
    const finalizers = new Map<string, number>();
    for (const { resource } of remaining) {
      for (const object of this.store.list({ resource, namespace: name })) {
        for (const item of object.metadata.finalizers ?? []) finalizers.set(item, (finalizers.get(item) ?? 0) + 1);
      }
    }
    const content = remaining
      .map(({ resource, count }) => {
        const [group, plural] = resource.split('/');
        return `${group ? `${plural}.${group}` : `${plural}.`} has ${count} resource instances`;
      })
      .sort();
    const waiting = [...finalizers].map(([item, count]) => `${item} in ${count} resource instances`).sort();
    const conditions: [string, boolean, string, string][] = [
      ['NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        false,
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        false,
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      ['NamespaceContentRemaining', true, 'SomeResourcesRemain', `Some resources are remaining: ${content.join(', ')}`],
      [
        'NamespaceFinalizersRemaining',
        waiting.length > 0,
        waiting.length ? 'SomeFinalizersRemain' : 'ContentHasNoFinalizers',
        waiting.length
          ? `Some content in the namespace has finalizers remaining: ${waiting.join(', ')}`
          : 'All content-preserving finalizers finished',
      ],
    ];
    const before: Condition[] = current.status?.conditions ?? [];
    const next = clone(current);
    next.status.conditions = conditions.map(([type, on, reason, message]) => {
      const status = on ? 'True' : 'False';
      const old = before.find((condition) => condition.type === type);
      const lastTransitionTime = old?.status === status ? old.lastTransitionTime : timestamp();
      return { type, status, lastTransitionTime, reason, message };
    });
    if (deepEqual(next, current)) return;
    this.store.update({ resource: RESOURCE, namespace: '', name }, next, current.metadata.resourceVersion!);
  }
}
