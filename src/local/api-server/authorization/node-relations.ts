import { Store } from '../store/store';
import { AnyObject } from '../types';

export type Related = 'serviceaccounts' | 'secrets' | 'configmaps' | 'persistentvolumeclaims';

const MIRROR = 'kubernetes.io/config.mirror';

interface Named {
  readonly name?: string;
}
interface Container {
  readonly env?: readonly { valueFrom?: { secretKeyRef?: Named; configMapKeyRef?: Named } }[];
  readonly envFrom?: readonly { secretRef?: Named; configMapRef?: Named }[];
}
interface Volume {
  readonly name: string;
  readonly secret?: { secretName?: string };
  readonly configMap?: Named;
  readonly persistentVolumeClaim?: { claimName?: string };
  readonly ephemeral?: { volumeClaimTemplate?: object };
  readonly projected?: { sources?: readonly { secret?: Named; configMap?: Named }[] };
  readonly csi?: { nodePublishSecretRef?: Named };
}

/** Objects that a Pod needs on its node, as `resource/name`. A Pod that a node itself declared grants nothing. */
export function referencesOf({ metadata, spec = {} }: AnyObject): string[] {
  if (metadata.annotations?.[MIRROR] !== undefined) return [];
  const found = new Set<string>();
  const add = (resource: Related, name: string | undefined) => name && found.add(`${resource}/${name}`);
  add('serviceaccounts', spec.serviceAccountName);
  for (const { name } of (spec.imagePullSecrets ?? []) as Named[]) add('secrets', name);
  const containers: Container[] = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  for (const { env = [], envFrom = [] } of containers) {
    for (const { valueFrom } of env) {
      add('secrets', valueFrom?.secretKeyRef?.name);
      add('configmaps', valueFrom?.configMapKeyRef?.name);
    }
    for (const { secretRef, configMapRef } of envFrom) {
      add('secrets', secretRef?.name);
      add('configmaps', configMapRef?.name);
    }
  }
  for (const volume of (spec.volumes ?? []) as Volume[]) {
    add('secrets', volume.secret?.secretName);
    add('secrets', volume.csi?.nodePublishSecretRef?.name);
    add('configmaps', volume.configMap?.name);
    add('persistentvolumeclaims', volume.persistentVolumeClaim?.claimName);
    if (volume.ephemeral) add('persistentvolumeclaims', `${metadata.name}-${volume.name}`);
    for (const { secret, configMap } of volume.projected?.sources ?? []) {
      add('secrets', secret?.name);
      add('configmaps', configMap?.name);
    }
  }
  return [...found];
}

interface PlacedPod {
  readonly node: string;
  readonly references: readonly string[];
}

/** Which objects the Pods of each node refer to. Follows every change of the store. */
export class NodeRelations {
  private readonly pods = new Map<string, PlacedPod>();
  /** Number of Pods by node and object (`node namespace/resource/name`). */
  private readonly uses = new Map<string, number>();
  /** Claims of the volumes, as `namespace/name`. */
  private readonly claims = new Map<string, string>();

  public constructor(store: Store) {
    for (const pod of store.list({ resource: '/pods' })) this.place(pod.metadata.namespace!, pod.metadata.name!, pod);
    for (const volume of store.list({ resource: '/persistentvolumes' })) this.claim(volume.metadata.name!, volume);
    store.subscribe('/pods', ({ key, object, previous }) => {
      if (object && previous && samePlace(object, previous)) return;
      this.place(key.namespace, key.name, object);
    });
    store.subscribe('/persistentvolumes', ({ key, object }) => this.claim(key.name, object));
  }

  public runs(node: string, namespace: string, pod: string): boolean {
    return this.pods.get(`${namespace}/${pod}`)?.node === node;
  }

  /** Whether a Pod of the node refers to the object. */
  public needs(node: string, resource: Related, namespace: string, name: string): boolean {
    return this.uses.has(`${node} ${namespace}/${resource}/${name}`);
  }

  /** Whether a Pod of the node uses the claim of the volume. */
  public needsVolume(node: string, volume: string): boolean {
    const [namespace, name] = this.claims.get(volume)?.split('/') ?? [];
    return namespace !== undefined && this.needs(node, 'persistentvolumeclaims', namespace, name);
  }

  private claim(name: string, volume: AnyObject | undefined): void {
    const ref = volume?.spec?.claimRef as { namespace?: string; name?: string } | undefined;
    if (ref) this.claims.set(name, `${ref.namespace}/${ref.name}`);
    else this.claims.delete(name);
  }

  private place(namespace: string, name: string, pod: AnyObject | undefined): void {
    const key = `${namespace}/${name}`;
    const before = this.pods.get(key);
    for (const reference of before?.references ?? []) this.count(`${before!.node} ${namespace}/${reference}`, -1);
    const node: string | undefined = pod?.spec?.nodeName;
    if (!pod || !node) {
      this.pods.delete(key);
      return;
    }
    const references = referencesOf(pod);
    this.pods.set(key, { node, references });
    for (const reference of references) this.count(`${node} ${namespace}/${reference}`, 1);
  }

  private count(use: string, change: number): void {
    const next = (this.uses.get(use) ?? 0) + change;
    if (next > 0) this.uses.set(use, next);
    else this.uses.delete(use);
  }
}

/** Whether no reference of a Pod can have changed. */
const samePlace = (next: AnyObject, previous: AnyObject): boolean =>
  next.metadata.uid === previous.metadata.uid &&
  next.spec?.nodeName === previous.spec?.nodeName &&
  next.spec?.ephemeralContainers?.length === previous.spec?.ephemeralContainers?.length;
