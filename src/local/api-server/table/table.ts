import { KubeList } from '../../../api/meta';
import { errors } from '../errors';
import { Kind } from '../registry/kind';
import { AnyObject } from '../types';

const GROUP = 'meta.k8s.io';

export interface TableOptions {
  /** `Metadata`, `Object`, `None`. */
  readonly includeObject: string;
  readonly headers: boolean;
}

export function partialObject(object: AnyObject, version: string): AnyObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `${GROUP}/${version}`, metadata: object.metadata };
}

export function partialList(list: KubeList<AnyObject>, version: string): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${GROUP}/${version}`,
    metadata: list.metadata,
    items: list.items.map((item) => partialObject(item, version)),
  };
}

/** Table of `kubectl get`. @throws StatusError 400 for an unknown includeObject */
export function tableOf(
  value: AnyObject | KubeList<AnyObject>,
  kind: Kind,
  version: string,
  options: TableOptions,
): object {
  if (!['Metadata', 'Object', 'None', ''].includes(options.includeObject)) {
    throw errors.badRequest(`unrecognized includeObject value: ${JSON.stringify(options.includeObject)}`);
  }
  const list = 'items' in value && Array.isArray(value.items) ? (value as KubeList<AnyObject>) : undefined;
  const objects = list ? list.items : [value as AnyObject];
  const now = Date.now();
  const bookmark = !list && !objects[0].metadata.name;
  return {
    kind: 'Table',
    apiVersion: `${GROUP}/${version}`,
    metadata: list
      ? list.metadata
      : { resourceVersion: objects[0].metadata.resourceVersion, ...annotationsOf(objects[0], bookmark) },
    columnDefinitions: options.headers
      ? kind.printer.columns.map(({ name, type, format = '', description = '', priority = 0 }) => ({
          name,
          type,
          format,
          description,
          priority,
        }))
      : null,
    rows: bookmark
      ? []
      : objects.map((object) => ({
          cells: kind.printer.row(object, now),
          ...rowObject(object, version, options.includeObject),
        })),
  };
}

function annotationsOf(object: AnyObject, bookmark: boolean): object {
  return bookmark && object.metadata.annotations ? { annotations: object.metadata.annotations } : {};
}

function rowObject(object: AnyObject, version: string, include: string): object {
  if (include === 'None') return {};
  return { object: include === 'Object' ? object : partialObject(object, version) };
}
