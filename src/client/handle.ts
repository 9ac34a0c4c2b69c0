import type { KubeObject } from '../api';
import { isNotFound, pathOf } from './kube';
import type { ObjectRef, Resource } from './kube';
import type { Session } from './session';
import { waitFor } from './wait';
import type { WaitOptions } from './wait';

/** An object of the cluster, by name: it need not exist yet. */
export class ObjectHandle<T extends KubeObject = KubeObject> {
  /** @internal */
  public constructor(
    protected readonly open: () => Promise<Session>,
    private readonly collectionIn: (session: Session) => Promise<Resource> | Resource,
    public readonly name: string,
    private readonly inNamespace: string | undefined,
  ) {}

  /** The object as it is now. @throws ApiError 404 when it does not exist */
  public async get(): Promise<T> {
    const { connection, path } = await this.place();
    return connection.request<T>('GET', path);
  }

  /** Is it there? */
  public async exists(): Promise<boolean> {
    return this.get().then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
  }

  /** Deletes it; an object that is not there is as good as deleted. Waits for its end only when told to. */
  public async delete(options: { readonly wait?: boolean } & WaitOptions = {}): Promise<void> {
    const { connection, path } = await this.place();
    await connection.request('DELETE', path).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    if (options.wait) await this.waitFor('Deleted', options);
  }

  /**
   * Watches the object until a condition is true (`Ready`, `AgentConnected`), its phase or status is this word
   * (`Running`, `Stopped`, `Succeeded`), it is gone (`Deleted`), or the function says so.
   *
   * @returns the object as it was then; for `Deleted` nothing
   * @throws ApiError 504 when that takes too long, with its last conditions; 404 when there is no such object
   */
  public waitFor(wanted: 'Deleted', options?: WaitOptions): Promise<undefined>;
  public waitFor(wanted: string | ((object: T) => boolean), options?: WaitOptions): Promise<T>;
  public async waitFor(wanted: string | ((object: T) => boolean), options?: WaitOptions): Promise<T | undefined> {
    const { connection, resource, ref } = await this.place();
    return waitFor<T>(connection, resource, ref, wanted, options);
  }

  /** Another object beside this one. */
  protected related<R extends KubeObject>(collection: Resource, name: string): ObjectHandle<R> {
    return new ObjectHandle<R>(this.open, () => collection, name, this.inNamespace);
  }

  protected async place() {
    const session = await this.open();
    const { connection } = session;
    const resource = await this.collectionIn(session);
    const namespace = resource.namespaced ? (this.inNamespace ?? connection.namespace) : undefined;
    const ref: ObjectRef = { namespace, name: this.name };
    return { connection, resource, ref, path: pathOf(resource, ref), namespace: namespace ?? '' };
  }
}
