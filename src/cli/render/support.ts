/** What the cluster would hold besides the object that is shown. Pure. */
import type { Find, FindAll, KubeObject, VirtualMachineInstance } from '../../api';
import { type ClaimInfo, claimNames, namedClaim } from '../../runtime/controller/pod';

export interface Support {
  readonly find: Find;
  readonly list: FindAll;
}

/** Cluster objects have no namespace, and objects without one are of the default. */
const namespaceOf = ({ metadata }: KubeObject): string => metadata?.namespace || 'default';

/** Answers look-ups from a list of objects; the first of a name wins. */
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

/** A claim that nobody described: bound, with a file system, and small. */
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

/** The claims of a VMI's volumes: as described, else as the model has them, with this uid. */
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
