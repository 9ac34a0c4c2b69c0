import type { Duplex } from 'node:stream';
import type { KubeObject } from '../api';
import { ApiError, KubeClient, pathOf, resources } from './kube';
import type { KubeConfig, RequestOptions, Resource, WatchEvent } from './kube';
import { ClientError, messageOf, statusText } from './errors';
import { openSocket } from './guest-socket';
import type { GuestSocket } from './guest-socket';
import { openPodPort } from './pod-port';

/** VM or VMI: a VM and its running instance have the same name. */
export type Kind = 'vm' | 'vmi';

const RESOURCE: Record<Kind, Resource> = { vm: resources.virtualMachines, vmi: resources.virtualMachineInstances };
const SUBRESOURCES = { group: 'subresources.kubevirt.io', version: 'v1' };
const NO_HEADERS: Readonly<Record<string, string | string[]>> = {};

/** Connection to an API server as one user. Errors contain the server's message and the remedy. */
export class GuestConnection {
  private readonly client: KubeClient;

  public constructor(
    public readonly config: KubeConfig,
    userAgent: string,
    private readonly headers = NO_HEADERS,
  ) {
    this.client = new KubeClient(config, { userAgent });
  }

  /** Default namespace. */
  public get namespace(): string {
    return this.config.namespace ?? 'default';
  }

  /** Returns the VM or VMI. */
  public get<T extends KubeObject>(kind: Kind, name: string, namespace = this.namespace): Promise<T> {
    return this.request<T>('GET', pathOf(RESOURCE[kind], { namespace, name }));
  }

  /** Returns the names of the VMs or VMIs of a namespace. */
  public async names(kind: Kind, namespace = this.namespace): Promise<string[]> {
    const list = await this.request<{ items: KubeObject[] }>('GET', pathOf(RESOURCE[kind], { namespace }));
    return list.items.map(({ metadata }) => metadata.name ?? '');
  }

  /** Sends the `PUT` request of an action. */
  public async act(
    kind: Kind,
    name: string,
    action: string,
    options?: object,
    namespace = this.namespace,
  ): Promise<void> {
    await this.request('PUT', this.subresource(kind, name, action, namespace), options);
  }

  /** Sends a `GET` request to a subresource. */
  public query<T>(kind: Kind, name: string, what: string, namespace = this.namespace): Promise<T> {
    return this.request<T>('GET', this.subresource(kind, name, what, namespace));
  }

  /** Returns a document of the aggregated API, such as `version`. */
  public document<T>(name: string): Promise<T> {
    return this.request<T>('GET', `/apis/${SUBRESOURCES.group}/${SUBRESOURCES.version}/${name}`);
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

  /** Opens a stream to a port of a Pod. */
  public podPort(name: string, port: number, namespace = this.namespace): Promise<Duplex> {
    const path = `${pathOf(resources.pods, { namespace, name, subresource: 'portforward' })}?ports=${port}`;
    return openPodPort(this.config, path, this.headers);
  }

  /** Sends any request and returns the parsed JSON. */
  public async request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options: Omit<RequestOptions, 'headers'> = {},
  ): Promise<T> {
    const headers = this.headers as Record<string, string>;
    try {
      return await this.client.request<T>(method, path, body, { ...options, headers });
    } catch (error) {
      throw explain(error, this.config.server);
    }
  }

  /** Watches an object from a version on. Resolves when the server ends the stream or `signal` fires. */
  public async watch<T extends KubeObject>(
    resource: Resource,
    { name, namespace, resourceVersion }: { name: string; namespace?: string; resourceVersion?: string },
    onEvent: (event: WatchEvent<T>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const headers = this.headers as Record<string, string>;
    const options = { namespace, resourceVersion, headers, fieldSelector: `metadata.name=${name}` };
    try {
      await this.client.watch<T>(resource, options, onEvent, signal);
    } catch (error) {
      throw explain(error, this.config.server);
    }
  }

  /** Closes idle connections; the next request opens new ones. */
  public close(): void {
    this.client.close();
  }

  private subresource(kind: Kind, name: string, subresource: string, namespace: string): string {
    const resource: Resource = { ...SUBRESOURCES, plural: RESOURCE[kind].plural, kind: '', namespaced: true };
    return pathOf(resource, { namespace, name, subresource });
  }
}

/** Error with the server's message, without the request line, and the remedy. */
export function explain(error: unknown, server: string): unknown {
  if (error instanceof ApiError) {
    const message = statusText(error.status) ?? error.message;
    return new ApiError(error.code, error.reason, message, error.status);
  }
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ECONNREFUSED') {
    return new ClientError(
      `cannot reach the API server ${server}: connection refused; check that it is up (virt8s status)`,
    );
  }
  return new ClientError(`cannot reach the API server ${server}: ${messageOf(error)}`);
}
