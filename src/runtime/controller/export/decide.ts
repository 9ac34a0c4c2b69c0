/** Decides what an export needs: a Service with a certificate, a token, manifests and the Pod of an exporter. Pure. */
import { exporterPod } from './exporter-pod';
import { keys } from '../../../api/keys';
import type { ExportedMachine, ExportLink } from '../../../api/export/export-request';
import { externalPath } from '../../../api/export/external-path';
import type { ProxyAddress } from './external';
import type { VirtualMachineExportStatus } from '../../../api/generated/export-v1';
import type { KubeObject, VirtualMachine } from '../../../api';
import type { Pod } from '../pod';
import { exportedMachine } from './machine';
import {
  expirationOf,
  exporterName,
  manifestsName,
  tokenSecretName,
  type ExportClaim,
  type VirtualMachineExport,
} from './names';
import { sourceOf, type ExportSource, type SourceFacts } from './source';
import { statusOf } from './status';

export interface Observed {
  readonly vmExport: VirtualMachineExport;
  readonly facts: SourceFacts;
  readonly pod?: Pod;
  readonly service?: KubeObject;
  readonly image: string;
  /** Address of the proxy for clients outside of the cluster. */
  readonly proxy?: ProxyAddress;
  readonly now: number;
}

export type Action =
  | { readonly do: 'deleteExport' }
  | { readonly do: 'createClaim'; readonly claim: ExportClaim }
  /** Creates a certificate with its Secret, and the Service. */
  | {
      readonly do: 'createService';
      readonly name: string;
      readonly hosts: readonly string[];
      readonly notAfter: number;
    }
  | { readonly do: 'createToken'; readonly name: string }
  | { readonly do: 'createManifests'; readonly name: string; readonly vm: VirtualMachine; readonly describe: Describe }
  | { readonly do: 'createPod'; readonly pod: Pod }
  | { readonly do: 'deletePod'; readonly pod: Pod; readonly reason: string; readonly message: string };

/** Objects for a VM, whose instance type is expanded. */
export type Describe = (expanded: VirtualMachine) => ExportedMachine;

export interface Decision {
  readonly actions: readonly Action[];
  /** Undefined if the export is deleted. */
  readonly status?: VirtualMachineExportStatus;
  readonly retryMs?: number;
}

/** Snapshots are not watched, and the Pods of others neither. */
const WAITING_RECHECK_MS = 3_000;
/** The exporter still answers requests when its export expires. */
const CERTIFICATE_MARGIN_MS = 3_600_000;

export function decide(observed: Observed): Decision {
  const { vmExport, facts, pod, service, now } = observed;
  const left = expirationOf(vmExport) - now;
  if (left <= 0) return { actions: [{ do: 'deleteExport' }] };
  const source = sourceOf(vmExport, facts);
  const isForeign = taken(observed);
  const actions = isForeign ? [] : actionsOf(observed, source);
  const own = service && isOwn(service, vmExport) ? service : undefined;
  const status = statusOf({
    vmExport,
    source,
    pod: pod && isOwn(pod, vmExport) ? pod : undefined,
    ...(own && { serviceName: own.metadata.name, links: linksOf(observed, own) }),
    ...(source.blocked ? {} : { tokenSecret: tokenSecretOf(vmExport) }),
    ...(isForeign && { problem: isForeign }),
    now,
  });
  const isWaiting = source.blocked !== undefined || isForeign !== undefined;
  return { actions, status, retryMs: isWaiting ? Math.min(WAITING_RECHECK_MS, left) : left };
}

function actionsOf(observed: Observed, source: ExportSource): Action[] {
  const { vmExport, pod, service, image } = observed;
  if (source.missing.length > 0) return source.missing.map((claim) => ({ do: 'createClaim', claim }));
  if (source.blocked) {
    if (!pod || pod.metadata.deletionTimestamp) return [];
    return [{ do: 'deletePod', pod, reason: 'ExportPaused', message: source.blocked.message }];
  }
  if (!service) return [createService(vmExport)];
  if (pod?.status?.phase === 'Failed' && !pod.metadata.deletionTimestamp) {
    const why = pod.status.message ?? pod.status.reason ?? 'see its log';
    const message = `the exporter Pod failed (${why.slice(0, 500)}); it is replaced`;
    return [{ do: 'deletePod', pod, reason: 'ExporterPodFailedOrCompleted', message }];
  }
  if (pod) return [];
  const { machine } = source;
  const links = linksOf(observed, service);
  const manifests = machine && manifestsName(vmExport);
  return [
    ...(vmExport.spec.tokenSecretRef ? [] : [{ do: 'createToken', name: tokenSecretName(vmExport) } as const]),
    ...(machine && manifests
      ? [
          {
            do: 'createManifests',
            name: manifests,
            vm: machine,
            describe: (expanded: VirtualMachine) => exportedMachine(expanded, source, links),
          } as const,
        ]
      : []),
    {
      do: 'createPod',
      pod: exporterPod({
        vmExport,
        volumes: source.volumes,
        image,
        tokenSecret: tokenSecretOf(vmExport),
        certificateSecret: service.metadata.annotations?.[keys.exportCertificateSecret] ?? '',
        ...(manifests && { manifests }),
        ...(source.backup && { backup: source.backup }),
      }),
    },
  ];
}

function createService(vmExport: VirtualMachineExport): Action {
  const name = exporterName(vmExport);
  const { namespace } = vmExport.metadata;
  const hosts = [`${name}.${namespace}.svc`, `${name}.${namespace}`, name, `${name}.${namespace}.svc.cluster.local`];
  return { do: 'createService', name, hosts, notAfter: expirationOf(vmExport) + CERTIFICATE_MARGIN_MS };
}

const tokenSecretOf = (vmExport: VirtualMachineExport): string =>
  vmExport.spec.tokenSecretRef ?? tokenSecretName(vmExport);

function linksOf({ vmExport, proxy }: Observed, service: KubeObject): ExportedMachine['links'] {
  const { namespace = '', name = '' } = vmExport.metadata;
  const external = proxy && { base: proxy.url + externalPath(namespace, name), certificate: proxy.certificate };
  return { internal: linkOf(service), external };
}

function linkOf({ metadata }: KubeObject): ExportLink {
  return {
    base: `https://${metadata.name}.${metadata.namespace}.svc`,
    certificate: metadata.annotations?.[keys.exportCertificate] ?? '',
  };
}

const isOwn = ({ metadata }: KubeObject, owner: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid) ?? false;

/** The Pod or Service of this name, if it belongs to something else. That of an earlier export is being deleted. */
function taken({ vmExport, pod, service }: Observed): { reason: string; message: string } | undefined {
  const other = [pod, service].find((each) => each && !isOwn(each, vmExport));
  if (!other) return undefined;
  const { kind, metadata } = other;
  const message = `${kind} ${metadata.namespace}/${metadata.name} exists and does not belong to this export; delete it, or rename the export`;
  return { reason: 'NameTaken', message };
}
