import type { KubeObject } from '../../api/meta';
import { isAlreadyExists, isNotFound, type Expectations, type KubeClient, type Resource } from '../../runtime/kube';
import { sortedJson } from '../api-server/json/values';
import type { LabelSelector } from '../core-v1';
import type { ControllerRevision, PodTemplate } from './apps-v1';
import { controllerRef } from '../../api/owner';
import { resourceOf, type Informers } from './informers';
import { candidatesOf, claim } from './ownership';
import { matcherOf } from './pods';
import { safeText } from './template-hash';

/** History of the templates of StatefulSets and DaemonSets, in ControllerRevisions. */

/** The patch that returns an object to this template: the data of a revision. */
export const snapshotOf = (template: PodTemplate) => ({ spec: { template: { ...template, $patch: 'replace' } } });

/** The template in a revision. */
export function templateOf({ data }: ControllerRevision): PodTemplate {
  const { $patch: _patch, ...template } = (data as ReturnType<typeof snapshotOf>).spec.template;
  return template;
}

export const isSameData = (a: unknown, b: unknown): boolean => sortedJson(a) === sortedJson(b);

/** Go escapes these characters in JSON. */
const ESCAPED = /[<>&\u2028\u2029]/g;
const goJson = (value: unknown): string =>
  sortedJson(value).replace(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Hash of a revision's data: FNV-1 with 32 bits. After a collision, the count changes it. */
export function revisionHash(data: unknown, collisionCount: number): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(goJson(data) + String(collisionCount))) {
    hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  }
  return safeText(hash);
}

export const byRevision = (a: ControllerRevision, b: ControllerRevision): number =>
  a.revision - b.revision ||
  compare(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
  compare(a.metadata.name, b.metadata.name);

const compare = (a = '', b = ''): number => (a === b ? 0 : a < b ? -1 : 1);

export const nextRevision = (revisions: readonly ControllerRevision[]): number =>
  Math.max(0, ...revisions.map(({ revision }) => revision)) + 1;

export interface NewRevision {
  readonly owner: KubeObject;
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly data: unknown;
  readonly revision: number;
}

export const revisionOf = ({ owner, name, labels, data, revision }: NewRevision): ControllerRevision => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: {
    namespace: owner.metadata.namespace,
    name,
    labels,
    annotations: owner.metadata.annotations,
    ownerReferences: [controllerRef(owner)],
  },
  data,
  revision,
});

const REVISIONS = resourceOf('controllerRevisions');

/** Reads and writes the revisions of one controller's objects. */
export class Revisions {
  public constructor(
    private readonly client: KubeClient,
    private readonly informers: Informers,
    private readonly expectations: Expectations,
    private readonly ownerResource: Resource,
  ) {}

  /** Revisions of the owner, the oldest first. */
  public async list(key: string, owner: KubeObject, selector: LabelSelector): Promise<ControllerRevision[]> {
    await this.informers.start('controllerRevisions');
    const selects = matcherOf(selector);
    const claimed = await claim<ControllerRevision>({
      client: this.client,
      owner,
      ownerResource: this.ownerResource,
      resource: REVISIONS,
      selects: ({ metadata }) => selects(metadata.labels),
      candidates: candidatesOf(this.informers.get('controllerRevisions'), owner),
      onWrite: (revision) => this.expect(key, revision),
    });
    return claimed.sort(byRevision);
  }

  /** Creates a revision. Returns undefined if another one has its name: the collision count must be raised. */
  public async create(key: string, revision: ControllerRevision): Promise<ControllerRevision | undefined> {
    let created: ControllerRevision | undefined;
    try {
      created = await this.client.create(REVISIONS, revision);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { namespace, name = '' } = revision.metadata;
      created = await this.client.find<ControllerRevision>(REVISIONS, { namespace, name });
      if (!created) throw error;
      if (!isSameData(created.data, revision.data)) return undefined;
    }
    this.expect(key, created);
    return created;
  }

  /** Makes a revision the newest one: its owner returned to it. */
  public async renumber(key: string, { metadata }: ControllerRevision, revision: number): Promise<ControllerRevision> {
    const { namespace, name = '', uid } = metadata;
    const body = { metadata: { uid }, revision };
    const written = await this.client.patch<ControllerRevision>(REVISIONS, { namespace, name }, body, 'merge');
    this.expect(key, written);
    return written;
  }

  public async delete({ metadata }: ControllerRevision): Promise<void> {
    const { namespace, name = '', uid } = metadata;
    try {
      await this.client.delete(REVISIONS, { namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  private expect(key: string, { metadata }: ControllerRevision): void {
    this.expectations.expect(key, this.informers.get('controllerRevisions'), metadata.resourceVersion);
  }
}
