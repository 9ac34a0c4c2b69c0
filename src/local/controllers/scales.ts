import type { KubeObject } from '../../api/meta';
import { isNotFound, pathOf, type KubeClient, type Resource } from '../../runtime/kube';

/** Scale subresource of an object. */
export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas?: number; selector?: string };
}

export interface ScaleTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface Scalable extends Resource {
  readonly hasScale: boolean;
}

/** Time for which the resources of a group are remembered. */
const MEMORY_MS = 30_000;
const MAX_GROUPS = 100;

/** Reads and writes the scale of any object whose kind has that subresource. */
export class Scales {
  private readonly groups = new Map<string, { until: number; resources: Promise<Scalable[]> }>();

  public constructor(private readonly client: KubeClient) {}

  /** Returns undefined if the object does not exist. @throws Error for a kind that is unknown or has no scale */
  public async get(target: ScaleTarget): Promise<Scale | undefined> {
    const resource = await this.resourceOf(target);
    if (!resource.hasScale) throw new Error(`${nameOf(resource)} does not implement the scale subresource`);
    const { namespace, name } = target;
    return this.client.find<Scale>(resource, { namespace, name, subresource: 'scale' });
  }

  public async set(target: ScaleTarget, scale: Scale, replicas: number): Promise<Scale> {
    const { namespace, name } = target;
    const { resourceVersion } = scale.metadata;
    const path = pathOf(await this.resourceOf(target), { namespace, name, subresource: 'scale' });
    // a PUT, because Kubernetes' role for autoscalers has no patch
    return this.client.request<Scale>('PUT', path, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { namespace, name, resourceVersion },
      spec: { replicas },
    });
  }

  /** Finds the collection of a kind. @throws Error */
  public async resourceOf({ apiVersion, kind }: Pick<ScaleTarget, 'apiVersion' | 'kind'>): Promise<Scalable> {
    const found = (await this.resources(apiVersion)).find((resource) => resource.kind === kind);
    if (found) return found;
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
    throw new Error(`no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`);
  }

  private resources(apiVersion: string): Promise<Scalable[]> {
    const known = this.groups.get(apiVersion);
    if (known && known.until > performance.now()) return known.resources;
    if (this.groups.size >= MAX_GROUPS) this.groups.clear();
    const resources = this.discover(apiVersion);
    resources.catch(() => this.groups.delete(apiVersion));
    this.groups.set(apiVersion, { until: performance.now() + MEMORY_MS, resources });
    return resources;
  }

  private async discover(apiVersion: string): Promise<Scalable[]> {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const path = `/${group ? 'apis' : 'api'}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`;
    interface Entry {
      name: string;
      kind: string;
      namespaced: boolean;
    }
    try {
      const { resources = [] } = await this.client.request<{ resources?: Entry[] }>('GET', path);
      const names = new Set(resources.map(({ name }) => name));
      return resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, kind, namespaced }) => ({
          group: group!,
          version: version!,
          plural: name,
          kind,
          namespaced,
          hasScale: names.has(`${name}/scale`),
        }));
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }
}

/** `jobs.batch` */
export const nameOf = ({ group, plural }: Resource): string => (group ? `${plural}.${group}` : plural);
