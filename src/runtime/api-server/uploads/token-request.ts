import type { KubeObject } from '../../../api';
import { awaitsUpload, isUploadTarget } from '../../../api/cdi/upload';
import { kinds } from '../../../api/kinds/registry';
import { isDnsSubdomain } from '../../../api/names';
import { resources, type KubeClient, type UploadTarget } from '../../kube';
import { badRequest, conflict, notFound } from '../status';

interface Claim extends KubeObject {
  readonly spec?: {
    readonly volumeName?: string;
    readonly dataSourceRef?: { readonly apiGroup?: string; readonly kind?: string };
  };
}

export interface TokenIssuer {
  readonly client: KubeClient;
  readonly sign: (target: UploadTarget) => string;
}

/** Answers an UploadTokenRequest with a token for its claim. Nothing is stored. */
export async function answerTokenRequest(
  { client, sign }: TokenIssuer,
  { version, namespace }: { readonly version: string; readonly namespace: string },
  body: string,
): Promise<object> {
  const { metadata, pvcName: name } = requestOf(body);
  const found = await client.find<Claim>(resources.persistentVolumeClaims, { namespace, name });
  const subject = { group: '', kind: 'persistentvolumeclaims', name };
  if (!found) throw notFound(subject);
  const { dataSourceRef, volumeName } = found.spec ?? {};
  const isPopulated = dataSourceRef?.apiGroup === GROUP && dataSourceRef.kind === SOURCE;
  if (!isPopulated && !isUploadTarget(found)) {
    const remedy = 'create a DataVolume with the source upload, or a claim whose dataSourceRef is a VolumeUploadSource';
    throw badRequest(`PersistentVolumeClaim "${name}" does not receive an upload`, remedy);
  }
  const isFull = isPopulated ? volumeName : !awaitsUpload(found);
  if (isFull) throw conflict(subject, 'its upload is complete', 'delete it, and create it again');
  const token = sign({ namespace, name, uid: found.metadata.uid ?? '' });
  return {
    apiVersion: `${kinds.UploadTokenRequest.group}/${version}`,
    kind: kinds.UploadTokenRequest.kind,
    metadata: { name: metadata?.name, namespace, creationTimestamp: null },
    spec: { pvcName: name },
    status: { token },
  };
}

const { group: GROUP, kind: SOURCE } = kinds.VolumeUploadSource;

function requestOf(body: string): { metadata?: { name?: unknown }; pvcName: string } {
  let request: { metadata?: { name?: unknown }; spec?: { pvcName?: unknown } } | null;
  try {
    request = JSON.parse(body) as typeof request;
  } catch {
    throw badRequest('the body is not JSON', 'send an UploadTokenRequest as JSON');
  }
  const pvcName = request?.spec?.pvcName;
  if (typeof pvcName === 'string' && isDnsSubdomain(pvcName)) return { metadata: request?.metadata, pvcName };
  throw badRequest('spec.pvcName is not the name of a claim', 'write the name of a PersistentVolumeClaim');
}
