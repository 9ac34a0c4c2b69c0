import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api';
import { installedKinds, type InstalledKindName } from '../../api/install/kinds';
import type { PlatformObject } from '../../api/platform';
import { ApiError, keyOf, type KubeClient } from '../kube';
import { stored, type OperatorCaches } from './caches';

/** Name under which the API server records the fields that the operator owns. */
const MANAGER = 'virt-operator';

interface Written {
  /** Object that the API server returned. */
  readonly object: KubeObject;
  /** Hash of what was applied; undefined if the object was written in another way. */
  readonly desired?: string;
}

/** Writes objects by server-side apply, and knows its own writes that the caches do not show yet. */
export class Writer {
  private readonly written = new Map<string, Written>();

  public constructor(
    private readonly client: KubeClient,
    private readonly caches: OperatorCaches,
  ) {}

  /** Returns the newest known state of an object. */
  public find(object: KubeObject): KubeObject | undefined {
    const cached = stored(this.caches, object);
    const own = this.written.get(idOf(object));
    const informer = this.caches.installed[object.kind as InstalledKindName];
    if (own && !informer.hasSeen(own.object.metadata.resourceVersion)) return own.object;
    return cached;
  }

  /**
   * Whether this content was written already, and the object has not changed since. It may still look different, because
   * the API server normalizes quantities and the like; writing it again would not change that.
   */
  public isApplied(object: PlatformObject, found: KubeObject): boolean {
    const own = this.written.get(idOf(object));
    return own !== undefined && own.desired === hashOf(object) && versionOf(own.object) === versionOf(found);
  }

  /** Returns whether the stored object changed. @throws ApiError if the API server rejects it */
  public async apply(object: PlatformObject): Promise<boolean> {
    const before = this.find(object)?.metadata.resourceVersion;
    const { name = '', namespace } = object.metadata;
    const resource = installedKinds[object.kind as InstalledKindName];
    const result = await this.client.patch(resource, { name, ...(namespace ? { namespace } : {}) }, object, 'apply', {
      fieldManager: MANAGER,
      force: true,
    });
    // the cache has the same, so that an API server which returns more does not matter
    delete result.metadata.managedFields;
    this.written.set(idOf(object), { object: result, desired: hashOf(object) });
    return result.metadata.resourceVersion !== before;
  }

  /** Remembers an object that was written in another way. */
  public note(object: KubeObject): void {
    this.written.set(idOf(object), { object });
  }

  /**
   * Deletes an object unless it is gone already.
   *
   * @param options `isUnchanged`: only in the state that is given
   * @returns whether it was deleted
   */
  public async remove({ kind, metadata }: KubeObject, { isUnchanged = false } = {}): Promise<boolean> {
    const { name = '', namespace, uid, resourceVersion } = metadata;
    try {
      await this.client.delete(
        installedKinds[kind as InstalledKindName],
        { name, ...(namespace ? { namespace } : {}) },
        { preconditions: { uid, ...(isUnchanged ? { resourceVersion } : {}) }, propagationPolicy: 'Foreground' },
      );
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
      return false;
    }
  }
}

const idOf = (object: KubeObject): string => `${object.kind} ${keyOf(object)}`;
const hashOf = (object: PlatformObject): string => createHash('sha256').update(JSON.stringify(object)).digest('hex');
/** The status of a workload changes often; its generation changes only with the spec, and not with labels. */
const versionOf = ({ metadata: { generation, resourceVersion, labels, annotations } }: KubeObject): string =>
  JSON.stringify([generation ?? resourceVersion, labels, annotations]);
