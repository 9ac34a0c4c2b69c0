import { WebhookTransport } from '../network/webhook-transport';
import { KindRegistry } from '../registry/registry';
import { Kind } from '../registry/kind';
import { CLEANUP_FINALIZER, customResourceDefinition, setCondition } from './definition/kind';
import { StaleError, Store } from '../store/store';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Core, internalCaller } from '../verbs/core';
import { remove } from '../verbs/delete';
import { manage } from '../verbs/update';
import { CrdSpec, customKind } from './custom-kind';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from '../controllers/work-queue';

const RESOURCE = customResourceDefinition.storage;
const WRITER = { ...internalCaller('crd-controller'), manager: 'kube-apiserver' };

/** Accepts the names of CRDs, serves established CRDs, and deletes the objects of terminating CRDs. */
export class CrdController {
  private readonly served = new Map<string, { state: string; kinds: Kind[] }>();
  /** Used names by CRD: a cache, because definitions are large. */
  private readonly names = new Map<string, { group: string; accepted: Partial<CrdSpec['names']> }>();
  private readonly store: Store;
  private readonly kinds: KindRegistry;
  /** Terminating definitions whose objects are still to be deleted. */
  private readonly cleanUps: WorkQueue;
  /** Ends the wait for the objects of terminating definitions, by name. */
  private readonly waits = new Map<string, () => void>();
  private stop = () => {};

  public constructor(
    private readonly core: Core,
    private readonly transport: WebhookTransport,
    log: (message: string, details?: object) => void,
  ) {
    this.store = core.store;
    this.kinds = core.kinds;
    this.cleanUps = controllerQueue((name) => this.cleanUp(name), log);
  }

  /** Serves stored CRDs, then follows changes synchronously: a CRD is established before the response to its create. */
  public start(): void {
    for (const crd of this.store.list({ resource: RESOURCE })) this.sync(crd);
    this.stop = this.store.subscribe(RESOURCE, ({ object, previous }) => {
      if (object) this.sync(object);
      else if (previous) this.withdraw(previous);
    });
  }

  public close(): void {
    this.stop();
    void this.cleanUps.stop();
    for (const end of [...this.waits.values()]) end();
  }

  private sync(crd: AnyObject): void {
    this.names.set(crd.metadata.name!, { group: crd.spec.group, accepted: crd.status?.acceptedNames ?? {} });
    const named = this.acceptNames(crd);
    // The subscription also delivers our own writes.
    if (named) return;
    if (isTrue(crd, 'Established')) this.serve(crd);
    if (crd.metadata.deletionTimestamp && crd.metadata.finalizers?.includes(CLEANUP_FINALIZER)) {
      this.cleanUps.add(crd.metadata.name!);
    }
  }

  /** Updates the status. Returns whether it wrote. */
  private acceptNames(crd: AnyObject): boolean {
    const next = clone(crd);
    const { names, group } = crd.spec as CrdSpec;
    const accepted = crd.status?.acceptedNames ?? {};
    const others = [...this.names].filter(([name, other]) => other.group === group && name !== crd.metadata.name);
    const taken = others.flatMap(
      ([
        ,
        {
          accepted: { plural, singular, shortNames = [] },
        },
      ]) => [plural, singular, ...shortNames],
    );
    const takenKinds = others.flatMap(([, other]) => [other.accepted.kind, other.accepted.listKind]);
    let conflict: { reason: string; message: string } | undefined;
    const result: Record<string, unknown> = { ...accepted };
    for (const [field, used] of [
      ['plural', taken],
      ['singular', taken],
      ['kind', takenKinds],
      ['listKind', takenKinds],
    ] as const) {
      const wanted = names[field];
      if (wanted !== accepted[field] && used.includes(wanted)) {
        const reason = `${field[0].toUpperCase()}${field.slice(1)}Conflict`;
        conflict = { reason, message: `${JSON.stringify(wanted)} is already in use` };
      } else result[field] = wanted;
    }
    const clashing = (names.shortNames ?? []).filter(
      (name) => !accepted.shortNames?.includes(name) && taken.includes(name),
    );
    if (clashing.length) {
      const messages = clashing.map((name) => `${JSON.stringify(name)} is already in use`);
      const message = messages.length > 1 ? `[${messages.join(', ')}]` : messages[0];
      conflict ??= { reason: 'ShortNamesConflict', message };
    } else if (names.shortNames) result.shortNames = names.shortNames;
    else delete result.shortNames;
    if (names.categories) result.categories = names.categories;
    else delete result.categories;
    next.status = { ...next.status, acceptedNames: result };
    setCondition(next, {
      type: 'NamesAccepted',
      status: conflict ? 'False' : 'True',
      reason: conflict?.reason ?? 'NoConflicts',
      message: conflict?.message ?? 'no conflicts found',
    });
    if (!isTrue(crd, 'Established')) {
      setCondition(next, {
        type: 'Established',
        status: conflict ? 'False' : 'True',
        reason: conflict ? 'NotAccepted' : 'InitialNamesAccepted',
        message: conflict ? 'not all names are accepted' : 'the initial names have been accepted',
      });
    }
    if (deepEqual(next.status, crd.status)) return false;
    return this.write(crd, manage(customResourceDefinition, 'status', crd, next, WRITER));
  }

  private write(crd: AnyObject, next: AnyObject): boolean {
    const key = { resource: RESOURCE, namespace: '', name: crd.metadata.name! };
    try {
      this.store.update(key, next, crd.metadata.resourceVersion!);
    } catch (error) {
      // Another write was first; it will be processed as well.
      if (!(error instanceof StaleError)) throw error;
    }
    return true;
  }

  private serve(crd: AnyObject): void {
    const name = crd.metadata.name!;
    const terminating = crd.metadata.deletionTimestamp !== undefined;
    const state = `${crd.metadata.generation ?? 0} ${terminating}`;
    const before = this.served.get(name);
    if (before?.state === state) return;
    const spec = acceptedSpec(crd);
    const kinds = spec.versions
      .filter((version) => version.served)
      .map((version) => customKind(spec, version, this.transport, terminating));
    for (const kind of before?.kinds ?? []) {
      if (!kinds.some((next) => next.version === kind.version)) this.kinds.remove(kind);
    }
    for (const kind of kinds) this.kinds.add(kind);
    this.served.set(name, { state, kinds });
  }

  private withdraw(crd: AnyObject): void {
    for (const kind of this.served.get(crd.metadata.name!)?.kinds ?? []) this.kinds.remove(kind);
    this.served.delete(crd.metadata.name!);
    this.names.delete(crd.metadata.name!);
    // Its names are available now.
    for (const [name, { group }] of [...this.names]) {
      if (group !== crd.spec.group) continue;
      const other = this.store.get({ resource: RESOURCE, namespace: '', name });
      if (other) this.sync(other);
    }
  }

  /** Deletes the objects of a terminating CRD, and the CRD when all are gone. Throws until then, to be called again. */
  private async cleanUp(name: string): Promise<void> {
    const key = { resource: RESOURCE, namespace: '', name };
    const crd = this.store.get(key);
    if (!crd?.metadata.deletionTimestamp || !crd.metadata.finalizers?.includes(CLEANUP_FINALIZER)) return;
    const spec = acceptedSpec(crd);
    const storage = spec.versions.find((version) => version.storage) ?? spec.versions[0];
    const kind = customKind(spec, storage, this.transport);
    this.report(crd, 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    const caller = internalCaller('crd-finalizer');
    for (const { metadata } of [...this.store.list({ resource: kind.storage })]) {
      const target = { kind, namespace: metadata.namespace ?? '', name: metadata.name!, subresource: '' };
      if (!metadata.deletionTimestamp) await remove(this.core, target, { dryRun: false }, caller);
    }
    const left = this.store.count(kind.storage);
    if (left > 0) {
      this.awaitDeletions(name, kind.storage);
      throw new Error(`${left} objects of ${name} still exist`);
    }
    this.waits.get(name)?.();
    const current = this.store.get(key);
    if (!current) return;
    const next = clone(current);
    next.metadata.finalizers = next.metadata.finalizers?.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
    if (next.metadata.finalizers?.length) this.store.update(key, next, current.metadata.resourceVersion!);
    else this.store.delete(key, current.metadata.resourceVersion);
  }

  /** Continues the clean-up when an object is deleted: its finalizers may take long. */
  private awaitDeletions(name: string, storage: string): void {
    if (this.waits.has(name)) return;
    const stop = this.store.subscribe(storage, ({ object }) => !object && this.cleanUps.add(name));
    this.waits.set(name, () => {
      stop();
      this.waits.delete(name);
    });
  }

  /** Sets the condition Terminating. */
  private report(crd: AnyObject, reason: string, message: string): void {
    const next = clone(crd);
    setCondition(next, { type: 'Terminating', status: 'True', reason, message });
    if (!deepEqual(next.status, crd.status))
      this.write(crd, manage(customResourceDefinition, 'status', crd, next, WRITER));
  }
}

/** Spec with the accepted names. */
function acceptedSpec(crd: AnyObject): CrdSpec {
  const accepted = crd.status?.acceptedNames ?? {};
  return { ...crd.spec, names: { ...crd.spec.names, ...accepted } } as CrdSpec;
}

function isTrue(crd: AnyObject, type: string): boolean {
  const conditions: { type: string; status: string }[] = crd.status?.conditions ?? [];
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}
