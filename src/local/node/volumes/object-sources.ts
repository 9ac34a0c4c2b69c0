import { isNotFound, resources } from '../../../runtime/kube';
import type { KubeClient } from '../../../runtime/kube';
import type { ConfigMap, Pod, Secret, Volume } from '../../core-v1';
import type { Sources } from '../pods/environment';
import { referencesOf } from './payload';
import type { PayloadSources } from './payload';

/** Content of the ConfigMaps and Secrets to which a Pod refers, read at one time. */
export class ObjectSources implements PayloadSources {
  private constructor(
    private readonly configMaps: ReadonlyMap<string, Record<string, Buffer>>,
    private readonly secrets: ReadonlyMap<string, Record<string, Buffer>>,
    private readonly tokens: ReadonlyMap<string, string>,
  ) {}

  public static async load(client: KubeClient, pod: Pod, tokens: ReadonlyMap<string, string>): Promise<ObjectSources> {
    const { configMaps, secrets } = referencesOf(pod);
    const namespace = pod.metadata.namespace;
    const load = async <T>(
      names: Set<string>,
      get: (name: string) => Promise<T | undefined>,
    ): Promise<Map<string, T>> => {
      const found = await Promise.all([...names].map(async (name) => [name, await get(name)] as const));
      return new Map(found.flatMap(([name, data]) => (data ? [[name, data] as const] : [])));
    };
    return new ObjectSources(
      await load(configMaps, async (name) => {
        const object = await client.find<ConfigMap>(resources.configMaps, { namespace, name });
        return object && { ...buffers(object.data, 'utf8'), ...buffers(object.binaryData, 'base64') };
      }),
      await load(secrets, async (name) => {
        const object = await client.find<Secret>(resources.secrets, { namespace, name });
        return object && buffers(object.data, 'base64');
      }),
      tokens,
    );
  }

  public configMap(name: string): Record<string, Buffer> | undefined {
    return this.configMaps.get(name);
  }

  public secret(name: string): Record<string, Buffer> | undefined {
    return this.secrets.get(name);
  }

  public token(path: string): string | undefined {
    return this.tokens.get(path);
  }

  /** Content as text, for variables. */
  public get variables(): Sources {
    const text = (data: Record<string, Buffer> | undefined): Record<string, string> | undefined =>
      data && Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value.toString('utf8')]));
    return {
      configMap: (name) => text(this.configMaps.get(name)),
      secret: (name) => text(this.secrets.get(name)),
    };
  }
}

const buffers = (data: Record<string, string> | undefined, encoding: BufferEncoding): Record<string, Buffer> =>
  Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, encoding)]));

interface Token {
  readonly value: string;
  readonly renewAt: number;
}

/** ServiceAccount tokens for projected volumes: requested once, renewed after 80 % of their lifetime. */
export class PodTokens {
  private readonly tokens = new Map<string, Token>();

  public constructor(private readonly client: KubeClient) {}

  /** Tokens of a volume by the path of their projection. */
  public async of(pod: Pod, volume: Volume): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const { serviceAccountToken: wanted } of volume.projected?.sources ?? []) {
      if (!wanted) continue;
      const key = `${pod.metadata.uid}/${volume.name}/${wanted.path}`;
      let token = this.tokens.get(key);
      if (!token || token.renewAt < Date.now()) {
        token = await this.request(pod, wanted.audience, wanted.expirationSeconds ?? 3600);
        this.tokens.set(key, token);
      }
      found.set(wanted.path, token.value);
    }
    return found;
  }

  public forget(podUid: string): void {
    for (const key of this.tokens.keys()) if (key.startsWith(`${podUid}/`)) this.tokens.delete(key);
  }

  private async request(pod: Pod, audience: string | undefined, expirationSeconds: number): Promise<Token> {
    const { namespace = '', name, uid } = pod.metadata;
    const account = pod.spec.serviceAccountName || 'default';
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(account)}/token`;
    try {
      const { status } = await this.client.request<{ status?: { token?: string } }>('POST', path, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          audiences: audience ? [audience] : [],
          expirationSeconds,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
        },
      });
      return { value: status?.token ?? '', renewAt: Date.now() + expirationSeconds * 800 };
    } catch (error) {
      if (isNotFound(error)) throw new Error(`failed to fetch token: serviceaccounts "${account}" not found`);
      throw error;
    }
  }
}
