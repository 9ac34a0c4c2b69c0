import { controllerRef } from '../../api/owner';
import type { KubeObject } from '../../api/meta';
import {
  isConflict,
  isNotFound,
  resources,
  type EventRecorder,
  type Expectations,
  type KubeClient,
} from '../../runtime/kube';
import type { Pod } from '../core-v1';
import type { PodTemplate } from './apps-v1';
import { isTerminating, messageOf } from './controller';
import type { Informers } from './informers';

const MAX_NAME = 253;

/** The Pod of a template, owned by `owner`, whose name the API server chooses unless `name` is set. Pure. */
export function podOf(owner: KubeObject, template: PodTemplate = {}, name?: string): Pod {
  const { labels = {}, annotations = {}, finalizers } = template.metadata ?? {};
  const prefix = `${owner.metadata.name}-`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: owner.metadata.namespace,
      ...(name ? { name } : {}),
      generateName: prefix.length > MAX_NAME ? owner.metadata.name : prefix,
      labels: { ...labels },
      annotations: { ...annotations },
      ...(finalizers?.length ? { finalizers: [...finalizers] } : {}),
      ownerReferences: [controllerRef(owner)],
    },
    spec: structuredClone(template.spec ?? { containers: [] }),
  };
}

/** Creates and deletes the Pods of one controller's objects, reports events, and expects the caches to follow. */
export class PodControl {
  public constructor(
    private readonly client: KubeClient,
    private readonly informers: Informers,
    private readonly events: EventRecorder,
    private readonly expectations: Expectations,
  ) {}

  /** Creates a Pod for the owner with this key. Returns undefined if the namespace is being deleted. */
  public async create(key: string, owner: KubeObject, pod: Pod): Promise<Pod | undefined> {
    let created: Pod;
    try {
      created = await this.client.create(resources.pods, pod);
    } catch (error) {
      if (isTerminating(error)) return undefined;
      this.events.warning(owner, 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
    this.expect(key, created);
    this.events.normal(owner, 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
    return created;
  }

  /** Deletes this very Pod, not a later one of its name; one that does not exist counts as deleted. */
  public async delete(key: string, owner: KubeObject, { metadata }: Pod): Promise<void> {
    const { namespace, name = '', uid } = metadata;
    try {
      const left = await this.client.delete(resources.pods, { namespace, name }, { preconditions: { uid } });
      if (left.kind === 'Pod') this.expect(key, left as Pod);
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      this.events.warning(owner, 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
    this.events.normal(owner, 'SuccessfulDelete', `Deleted pod: ${name}`);
  }

  /** Expects the cache to reach the version of a Pod that was written for this key. */
  public expect(key: string, { metadata }: Pod): void {
    this.expectations.expect(key, this.informers.get('pods'), metadata.resourceVersion);
  }
}
