import { errors } from '../errors';
import { Core } from '../verbs/core';
import { Context } from './context';
import { Route } from './dispatcher';
import { serveResource, SubresourceLookup } from './resources';

/** Resource that is never stored: `tokenreviews`, `selfsubjectaccessreviews`, metrics. */
export interface VirtualResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Default: only `create`. */
  readonly verbs?: readonly string[];
  serve(context: Context): Promise<void>;
}

/** Objects of the kinds in the registry, and virtual resources. */
export class ResourceRoute implements Route {
  public constructor(
    private readonly core: Core,
    private readonly subresources: SubresourceLookup,
    private readonly virtual: readonly VirtualResource[],
  ) {}

  public async serve(context: Context): Promise<boolean> {
    const { info } = context;
    if (!info.isResource) return false;
    const kind = this.core.kinds.find(info.group, info.version, info.resource);
    if (kind) {
      await serveResource(this.core, kind, this.subresources, context);
      return true;
    }
    const virtual = this.virtual.find(
      (item) => item.group === info.group && item.version === info.version && item.plural === info.resource,
    );
    if (virtual) {
      if (!(virtual.verbs ?? ['create']).includes(info.verb)) throw errors.methodNotAllowed();
      await virtual.serve(context);
      return true;
    }
    // Unknown resources of a local group get a Status; other paths are unknown.
    if (this.core.kinds.all().some((item) => !item.custom && item.group === info.group)) {
      throw errors.noSuchResource();
    }
    return false;
  }
}
