/** Objects that the cluster would hold besides the rendered one. Pure. */
import type { Find, FindAll, KubeObject, VirtualMachineInstance } from '../../api';
import { type ClaimInfo, claimNames, namedClaim } from '../../runtime/controller/pod';

export interface Support {
  readonly find: Find;
  readonly list: FindAll;
}

/** Namespace of an object: none for cluster-scoped kinds, `default` if unset. */
const namespaceOf = ({ metadata }: KubeObject): string => metadata?.namespace || 'default';

/** Looks up objects in a list; the first of equal names wins. */
export function supportOf(objects: readonly KubeObject[]): Support {
  const byKind = new Map<string, KubeObject[]>();
  for (const object of objects) {
    const same = byKind.get(object.kind);
    if (same) same.push(object);
    else byKind.set(object.kind, [object]);
  }
  return {
    find: (kind, namespace, name) =>
      byKind
        .get(kind)
        ?.find(
          (object) => object.metadata?.name === name && (namespace === undefined || namespaceOf(object) === namespace),
        ),
    list: (kind, namespace) =>
      (byKind.get(kind) ?? []).filter((object) => namespace === undefined || namespaceOf(object) === namespace),
  };
}

/** Placeholder for a claim that the files do not contain: bound, small, with a file system. */
const MODEL_CLAIM: ClaimInfo = {
  volumeMode: 'Filesystem',
  accessModes: ['ReadWriteOnce'],
  requests: { storage: '2Gi' },
  capacity: { storage: '2Gi' },
  isBound: true,
};

interface Claim extends KubeObject {
  spec?: {
    volumeMode?: 'Filesystem' | 'Block';
    accessModes?: string[];
    resources?: { requests?: Record<string, string> };
  };
  status?: { phase?: string; capacity?: Record<string, string> };
}

/** Claims of a VMI's volumes: from the files, or placeholders with this uid. */
export function claimsOf(
  { metadata, spec }: VirtualMachineInstance,
  { find }: Support,
  uid: string,
): Map<string, ClaimInfo> {
  const named = (spec.volumes ?? []).map(namedClaim).filter((name) => name !== undefined);
  return new Map(
    [...new Set([...claimNames(spec), ...named])].map((name) => [
      name,
      claimInfo(find('PersistentVolumeClaim', metadata.namespace, name) as Claim | undefined, uid),
    ]),
  );
}

function claimInfo(claim: Claim | undefined, uid: string): ClaimInfo {
  if (!claim) return { ...MODEL_CLAIM, uid };
  const requests = claim.spec?.resources?.requests;
  return {
    ...MODEL_CLAIM,
    uid: claim.metadata.uid ?? uid,
    ...(claim.spec?.volumeMode && { volumeMode: claim.spec.volumeMode }),
    ...(claim.spec?.accessModes && { accessModes: claim.spec.accessModes }),
    ...(requests && { requests, capacity: requests }),
    ...(claim.status?.capacity && { capacity: claim.status.capacity }),
    ...(claim.status?.phase && { isBound: claim.status.phase === 'Bound' }),
  };
}
