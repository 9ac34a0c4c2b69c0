import type { KubeObject } from '../api';
import { isNotFound, pathOf } from './kube';
import type { ObjectRef, Resource } from './kube';
import type { Session } from './session';
import { waitFor } from './wait';
import type { WaitOptions } from './wait';

/** Handle of an object of the cluster by name. The object may not exist yet. */
export class ObjectHandle<T extends KubeObject = KubeObject> {
  /** @internal */
  public constructor(
    protected readonly open: () => Promise<Session>,
    private readonly collectionIn: (session: Session) => Promise<Resource> | Resource,
    public readonly name: string,
    private readonly inNamespace: string | undefined,
  ) {}

  /** Fetches the object. @throws ApiError 404 if it does not exist */
  public async get(): Promise<T> {
    const { connection, path } = await this.place();
    return connection.request<T>('GET', path);
  }

  /** Whether the object exists. */
  public async exists(): Promise<boolean> {
    return this.get().then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
  }

  /** Deletes the object; a missing object is not an error. With `wait`, waits until it is deleted. */
  public async delete(options: { readonly wait?: boolean } & WaitOptions = {}): Promise<void> {
    const { connection, path } = await this.place();
    await connection.request('DELETE', path).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    if (options.wait) await this.waitFor('Deleted', options);
  }

  /**
   * Watches the object until a condition is true (`Ready`, `AgentConnected`), its phase or status has this value
   * (`Running`, `Stopped`, `Succeeded`), it is deleted (`Deleted`), or the function returns true.
   *
   * @returns the object that met the condition; undefined for `Deleted`
   * @throws ApiError 504 with the last conditions after the timeout; 404 if the object does not exist
   */
  public waitFor(wanted: 'Deleted', options?: WaitOptions): Promise<undefined>;
  public waitFor(wanted: string | ((object: T) => boolean), options?: WaitOptions): Promise<T>;
  public async waitFor(wanted: string | ((object: T) => boolean), options?: WaitOptions): Promise<T | undefined> {
    const { connection, resource, ref } = await this.place();
    return waitFor<T>(connection, resource, ref, wanted, options);
  }

  /** Returns a handle of another object of the same namespace. */
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
