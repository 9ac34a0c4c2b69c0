import type { KubeObject } from '../api';
import { ApiError, KubeClient, pathOf, resources } from '../runtime/kube';
import type { KubeConfig, Resource } from '../runtime/kube';
import { CliError, messageOf, statusText } from './errors';
import { resolveConfig } from './kubeconfig';
import type { ConnectionFlags } from './kubeconfig';
import { openSocket } from './stream';
import type { GuestSocket } from './stream';
import { PLURAL } from './target';
import type { Kind } from './target';
import { userAgent } from './version';

/** Flags that every command takes. */
export interface GlobalFlags extends ConnectionFlags {
  readonly as?: string;
  readonly asGroup?: string[];
  readonly asUid?: string;
  readonly verbose?: boolean;
}

const RESOURCE: Record<Kind, Resource> = { vm: resources.virtualMachines, vmi: resources.virtualMachineInstances };
const SUBRESOURCES = { group: 'subresources.kubevirt.io', version: 'v1' };

/** The cluster that a command speaks to, as whom, and in which namespace. */
export class Connection {
  private constructor(
    public readonly config: KubeConfig,
    private readonly client: KubeClient,
    private readonly headers: Record<string, string | string[]>,
    public readonly namespace: string,
  ) {}

  public static async open(flags: GlobalFlags): Promise<Connection> {
    const config = await resolveConfig(flags);
    return new Connection(
      config,
      new KubeClient(config, { userAgent }),
      impersonation(flags),
      config.namespace ?? 'default',
    );
  }

  /** The VM or VMI itself. */
  public get<T extends KubeObject>(kind: Kind, name: string, namespace = this.namespace): Promise<T> {
    return this.json<T>('GET', pathOf(RESOURCE[kind], { namespace, name }));
  }

  /** Names of the VMs or VMIs of a namespace. */
  public async names(kind: Kind, namespace = this.namespace): Promise<string[]> {
    const list = await this.json<{ items: KubeObject[] }>('GET', pathOf(RESOURCE[kind], { namespace }));
    return list.items.map(({ metadata }) => metadata.name ?? '');
  }

  /** `PUT` of an action. */
  public async act(
    kind: Kind,
    name: string,
    action: string,
    options?: object,
    namespace = this.namespace,
  ): Promise<void> {
    await this.json('PUT', this.subresource(kind, name, action, namespace), options);
  }

  /** `GET` of what a subresource knows. */
  public query<T>(kind: Kind, name: string, what: string, namespace = this.namespace): Promise<T> {
    return this.json<T>('GET', this.subresource(kind, name, what, namespace));
  }

  /** A document of the aggregated API itself: `version`. */
  public document<T>(name: string): Promise<T> {
    return this.json<T>('GET', `/apis/${SUBRESOURCES.group}/${SUBRESOURCES.version}/${name}`);
  }

  /** Opens a stream of a guest: `console`, `portforward/80/tcp` … */
  public socket(
    kind: Kind,
    name: string,
    stream: string,
    namespace = this.namespace,
    options: { keepMessages?: boolean } = {},
  ): Promise<GuestSocket> {
    return openSocket(this.config, this.subresource(kind, name, stream, namespace), this.headers, options);
  }

  public close(): void {
    this.client.close();
  }

  private subresource(kind: Kind, name: string, subresource: string, namespace: string): string {
    const resource: Resource = { ...SUBRESOURCES, plural: PLURAL[kind], kind: '', namespaced: true };
    return pathOf(resource, { namespace, name, subresource });
  }

  private async json<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = this.headers as Record<string, string>;
    try {
      return await this.client.request<T>(method, path, body, { headers });
    } catch (error) {
      throw explain(error, this.config.server);
    }
  }
}

function impersonation(flags: GlobalFlags): Record<string, string | string[]> {
  return {
    ...(flags.as ? { 'Impersonate-User': flags.as } : {}),
    ...(flags.asUid ? { 'Impersonate-Uid': flags.asUid } : {}),
    ...(flags.asGroup?.length ? { 'Impersonate-Group': flags.asGroup } : {}),
  };
}

/** What the server said, without our own request line around it, and what to do about it. */
export function explain(error: unknown, server: string): unknown {
  if (error instanceof ApiError) {
    const message = statusText(error.status) ?? error.message;
    return new ApiError(error.code, error.reason, message, error.status);
  }
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ECONNREFUSED') {
    return new CliError(`cannot reach the API server ${server}: connection refused; is it up (virt8s status)?`);
  }
  return new CliError(`cannot reach the API server ${server}: ${messageOf(error)}`);
}
