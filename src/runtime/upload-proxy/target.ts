/** Finds the upload server of a claim. Pure: it examines the claim and its Pod. */
import type { core, KubeObject } from '../../api';
import { keys } from '../../api/keys';

export interface Claim extends KubeObject {
  readonly spec?: Pick<core.PersistentVolumeClaimSpec, 'dataSourceRef' | 'volumeName'>;
}

interface Container {
  readonly name: string;
  readonly ready?: boolean;
  readonly state?: { readonly terminated?: { readonly exitCode: number; readonly message?: string } };
}

export interface Pod extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly containerStatuses?: readonly Container[];
    readonly initContainerStatuses?: readonly Container[];
  };
}

/** Address of an upload server, and the only certificate that it may have (PEM). */
export interface Server {
  readonly address: string;
  readonly certificate: string;
}

export type Target =
  | { readonly server: Server }
  /** Whether it is worth to look again. */
  | { readonly code: number; readonly problem: string; readonly isPassing: boolean };

/** Name of the Pod with the upload server of a claim. */
export const podNameOf = (claim: Claim | undefined): string | undefined =>
  claim?.metadata.annotations?.[keys.uploadPod];

/** @param uid UID of the claim that the token allows to upload to */
export function targetOf(uid: string, claim: Claim | undefined, pod: Pod | undefined): Target {
  if (!claim) return { code: 404, problem: 'the claim of the token does not exist', isPassing: false };
  const { metadata, spec } = claim;
  if (metadata.uid !== uid) {
    const problem = 'the claim of the token was deleted, and another one has its name; request another token';
    return { code: 401, problem, isPassing: false };
  }
  const isFull = metadata.annotations?.[keys.podPhase] === 'Succeeded' || (spec?.dataSourceRef && spec.volumeName);
  if (isFull) return { code: 409, problem: 'the upload to this claim is complete', isPassing: false };
  const isOurs = pod?.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid) ?? false;
  const certificate = isOurs ? certificateOf(pod) : undefined;
  const { phase, podIP, containerStatuses: [container] = [] } = pod?.status ?? {};
  if (isOurs && certificate && podIP && phase === 'Running' && container?.ready) {
    return { server: { address: podIP, certificate } };
  }
  const reported = metadata.annotations?.[keys.runningMessage];
  const problem = `the upload server of the claim is not ready${reported ? `: ${reported}` : '; try again'}`;
  return { code: 503, problem, isPassing: true };
}

/** Certificate that the init container of the Pod has made. */
function certificateOf(pod: Pod | undefined): string | undefined {
  const [identity] = pod?.status?.initContainerStatuses ?? [];
  const { exitCode, message = '' } = identity?.state?.terminated ?? {};
  if (exitCode !== 0) return undefined;
  try {
    const { certificate } = JSON.parse(message) as { certificate?: unknown };
    return typeof certificate === 'string' && certificate.includes('BEGIN CERTIFICATE') ? certificate : undefined;
  } catch {
    return undefined;
  }
}
