import type { Kind } from '../registry/kind';
import type { Attributes } from './admission';

/** Fields of an AdmissionRequest, without its UID, user and objects, for a plugin that sees the object as `seenAs`. */
export function requestFields(attributes: Attributes, seenAs: Kind): Record<string, unknown> {
  const { kind, subresource, name, namespace, operation, dryRun, options } = attributes;
  const gvk = (item: Kind) => {
    const { group, version, kind: kindName } = attributes.objectKind ?? item;
    return { group, version, kind: kindName };
  };
  const gvr = ({ group, version, plural }: Kind) => ({ group, version, resource: plural });
  return {
    kind: gvk(seenAs),
    resource: gvr(seenAs),
    ...(subresource ? { subResource: subresource } : {}),
    requestKind: gvk(kind),
    requestResource: gvr(kind),
    ...(subresource ? { requestSubResource: subresource } : {}),
    ...(name ? { name } : {}),
    ...(namespace ? { namespace } : {}),
    operation,
    dryRun,
    options,
  };
}
