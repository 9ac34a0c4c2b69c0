import { closest } from '../api/names';
import { ApiError, apiVersionOf, resources } from './kube';
import type { Resource } from './kube';
import type { GuestConnection } from './connection';
import { ClientError } from './errors';

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Finds the collection of each kind. Discovers each group of another project once. */
export class Collections {
  private readonly asked = new Map<string, Promise<Resource[]>>();

  public constructor(private readonly connection: GuestConnection) {}

  /** @throws ClientError if the API server does not know the kind */
  public async of(apiVersion: string, kind: string): Promise<Resource> {
    const found = await this.find(apiVersion, kind);
    if (found) return found;
    const kinds = (await this.ask(apiVersion)).map((resource) => resource.kind);
    const near = closest(kind, kinds);
    const remedy = near ? `did you mean ${near}?` : 'install its CustomResourceDefinition first, or check apiVersion';
    throw new ClientError(`the cluster has no kind ${kind} in ${apiVersion}; ${remedy}`);
  }

  /** Returns undefined if the API server does not know the kind. */
  public async find(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const ours = Object.values<Resource>(resources).find(
      (resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion,
    );
    if (ours) return ours;
    const found = (await this.in(apiVersion)).find((resource) => resource.kind === kind);
    // the kind may be installed later
    if (!found) this.asked.delete(apiVersion);
    return found;
  }

  private in(apiVersion: string): Promise<Resource[]> {
    let answer = this.asked.get(apiVersion);
    if (!answer) {
      answer = this.ask(apiVersion);
      this.asked.set(apiVersion, answer);
      answer.catch(() => this.asked.delete(apiVersion));
    }
    return answer;
  }

  private async ask(apiVersion: string): Promise<Resource[]> {
    const slash = apiVersion.indexOf('/');
    const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
    const parts = group ? ['apis', group, version] : ['api', version];
    try {
      const path = `/${parts.map(encodeURIComponent).join('/')}`;
      const list = await this.connection.request<ResourceList>('GET', path);
      return (list.resources ?? [])
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, kind, namespaced }) => ({ group, version, plural: name, kind, namespaced }));
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return [];
      throw error;
    }
  }
}
