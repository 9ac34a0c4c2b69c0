import { version } from '../../package.json';
import type { KubeList, KubeObject } from '../api';
import { APPLY_PATCH, pathOf } from './kube';
import { Collections } from './collections';
import { GuestConnection } from './connection';
import { ObjectHandle } from './handle';
import { resolveConfig } from './kubeconfig';
import type { ConnectionFlags } from './kubeconfig';
import { VirtualMachineHandle } from './virtual-machine';
import type { Session } from './session';

/** Options for server-side apply. */
export interface ApplyOptions {
  /** Owner of the fields. Default: `virt8s`. */
  readonly fieldManager?: string;
  /** Whether to take over fields that others own instead of failing. Default: false. */
  readonly force?: boolean;
  /** Whether to validate without writing. Default: false. */
  readonly dryRun?: boolean;
}

/** Selects the objects of a kind. */
export interface ListOptions {
  /** Namespace of the objects; `''` for all namespaces. Default: the client's. Ignored for kinds of the cluster. */
  readonly namespace?: string;
  /** Labels that the objects have. Default: any. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Kinds that are applied first, because others need them. */
const FIRST = ['Namespace', 'CustomResourceDefinition'];

/** Client of a cluster or the local engine, for scripts and tests. */
export class Client {
  /**
   * Creates a client from a kubeconfig. Files are read on the first request, which rejects if they are not valid.
   *
   * @param flags kubectl's flags: `context`, `namespace`, `kubeconfig` … Default: `KUBECONFIG`, the running local engine,
   *   the surrounding Pod, or `~/.kube/config`, in this order
   */
  public static fromKubeconfig(flags: ConnectionFlags = {}): Client {
    return new Client(async () => new GuestConnection(await resolveConfig(flags), `virt8s-client/${version}`));
  }

  private opened?: Promise<Session>;

  private constructor(private readonly open: () => Promise<GuestConnection>) {}

  /** Returns a handle of a virtual machine, by default in the client's namespace. The VM may not exist yet. */
  public vm(name: string, options: { readonly namespace?: string } = {}): VirtualMachineHandle {
    return new VirtualMachineHandle(() => this.session(), name, options.namespace);
  }

  /** Returns a handle of any object: `client.object({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } })`. */
  public object<T extends KubeObject = KubeObject>(of: KubeObject): ObjectHandle<T> {
    const { apiVersion, kind, metadata } = of;
    return new ObjectHandle<T>(
      () => this.session(),
      ({ collections }) => collections.of(apiVersion, kind),
      metadata.name ?? '',
      metadata.namespace,
    );
  }

  /**
   * Returns the objects of a kind: `client.list({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' })`.
   *
   * @throws ClientError if the cluster does not know the kind
   */
  public async list<T extends KubeObject = KubeObject>(
    { apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>,
    { namespace, labels = {} }: ListOptions = {},
  ): Promise<T[]> {
    const { connection, collections } = await this.session();
    const resource = await collections.of(apiVersion, kind);
    const place = resource.namespaced ? { namespace: (namespace ?? connection.namespace) || undefined } : {};
    const labelSelector = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
    const query = labelSelector.length > 0 ? { labelSelector: labelSelector.join(',') } : {};
    const { items } = await connection.request<KubeList<T>>('GET', pathOf(resource, place), undefined, { query });
    // the items of a list do not repeat its kind
    return items.map((item) => ({ ...item, apiVersion, kind }));
  }

  /**
   * Writes objects by server-side apply, in their order, namespaces and CRDs first. Accepts the result of `synthObjects`
   * of `virt8s/testing` and the documents of a manifest.
   *
   * @returns the stored objects
   * @throws ApiError with the remedy if an object is rejected; the objects before it are written
   */
  public async apply<T extends KubeObject>(objects: T | readonly T[], options: ApplyOptions = {}): Promise<T[]> {
    const { connection, collections } = await this.session();
    const rank = ({ kind }: KubeObject): number => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);
    const ordered = ([objects].flat() as T[]).map((object, index) => ({ object, index }));
    ordered.sort((a, b) => rank(a.object) - rank(b.object));
    const stored: T[] = [];
    for (const { object, index } of ordered) {
      const resource = await collections.of(object.apiVersion, object.kind);
      const { name = '' } = object.metadata;
      const namespace = resource.namespaced ? (object.metadata.namespace ?? connection.namespace) : undefined;
      stored[index] = await connection.request<T>('PATCH', pathOf(resource, { namespace, name }), object, {
        contentType: APPLY_PATCH,
        query: {
          fieldManager: options.fieldManager ?? 'virt8s',
          force: options.force,
          dryRun: options.dryRun ? 'All' : undefined,
        },
      });
      const isKind = object.kind === 'CustomResourceDefinition' && !options.dryRun;
      if (isKind) await this.object(object).waitFor('Established');
    }
    return stored;
  }

  /** Deletes objects in reverse order. With `wait`, waits until they are deleted. */
  public async delete(
    objects: KubeObject | readonly KubeObject[],
    options: { readonly wait?: boolean; readonly timeoutMs?: number } = {},
  ): Promise<void> {
    for (const object of ([objects].flat() as KubeObject[]).reverse()) await this.object(object).delete(options);
  }

  /** Closes idle connections. The process can also exit without this call. */
  public async close(): Promise<void> {
    await this.opened?.then(
      ({ connection }) => connection.close(),
      () => undefined,
    );
  }

  private session(): Promise<Session> {
    this.opened ??= this.open().then(
      (connection) => ({ connection, collections: new Collections(connection) }),
      (error: unknown) => {
        // the next request retries: the engine may be up by then
        this.opened = undefined;
        throw error;
      },
    );
    return this.opened;
  }
}
