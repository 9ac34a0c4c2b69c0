/** Status of an export. Pure. */
import {
  backupPaths,
  formatsOf,
  manifestPaths,
  type ExportedMachine,
  type ExportLink,
  type LinkType,
} from '../../../api/export/export-request';
import type { VirtualMachineExportLink, VirtualMachineExportStatus } from '../../../api/generated/export-v1';
import type { Pod } from '../pod';
import { podState, STARTING } from '../storage/population/pod-state';
import { isoTime } from '../instance/phase';
import { expirationOf, type ExportCondition, type VirtualMachineExport } from './names';
import type { ExportSource } from './source';

export interface StatusFacts {
  readonly vmExport: VirtualMachineExport;
  readonly source: ExportSource;
  readonly pod?: Pod;
  readonly serviceName?: string;
  /** Secret with the token, once it is known. */
  readonly tokenSecret?: string;
  readonly links?: ExportedMachine['links'];
  /** Reason for which the exporter cannot be created. */
  readonly problem?: { readonly reason: string; readonly message: string };
  readonly now: number;
}

export type Phase = NonNullable<VirtualMachineExportStatus['phase']>;

export function statusOf(facts: StatusFacts): VirtualMachineExportStatus {
  const { vmExport, source, serviceName, tokenSecret, links, now } = facts;
  const { phase, ready } = readiness(facts);
  const before = vmExport.status?.conditions ?? [];
  const conditions = [ready, ...(source.condition ? [source.condition] : [])].map((each) => timed(each, before, now));
  return {
    phase,
    conditions,
    ttlExpirationTime: isoTime(expirationOf(vmExport)),
    ...(serviceName && { serviceName }),
    ...(tokenSecret && { tokenSecretRef: tokenSecret }),
    ...(source.vmName && { virtualMachineName: source.vmName }),
    ...(phase === 'Ready' && links && { links: linksOf(links, source) }),
  };
}

type Untimed = Pick<ExportCondition, 'type' | 'status' | 'reason' | 'message'>;

function readiness({ vmExport, source, pod, tokenSecret, problem }: StatusFacts): { phase: Phase; ready: Untimed } {
  const not = (phase: Phase, reason: string, message = ''): { phase: Phase; ready: Untimed } => ({
    phase,
    ready: { type: 'Ready', status: 'False', reason, ...(message && { message }) },
  });
  const { blocked } = source;
  if (blocked) return not(blocked.isSkipped ? 'Skipped' : 'Pending', blocked.reason, blocked.message);
  if (problem) return not('Pending', problem.reason, problem.message);
  if (!pod) return not('Pending', 'Initializing');
  if (isReady(pod)) return { phase: 'Ready', ready: { type: 'Ready', status: 'True', reason: 'PodReady' } };
  if (pod.status?.phase === 'Succeeded')
    return not('Terminated', 'PodCompleted', 'the exporter ended with its lifetime');
  const { reason, message } = podState(pod);
  if (reason === STARTING && vmExport.spec.tokenSecretRef) {
    const needed = `the exporter starts when its volumes are ready; Secret "${tokenSecret}" with the key token must exist`;
    return not('Pending', 'PodPending', needed);
  }
  return not('Pending', 'PodPending', reason === STARTING ? '' : [reason, message].filter(Boolean).join(': '));
}

export const isReady = ({ metadata, status }: Pod): boolean =>
  !metadata.deletionTimestamp &&
  status?.phase === 'Running' &&
  (status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false);

function linksOf(
  { internal, external }: ExportedMachine['links'],
  source: ExportSource,
): NonNullable<VirtualMachineExportStatus['links']> {
  return {
    ...(internal && { internal: linkOf(internal, source, 'internal') }),
    ...(external && { external: linkOf(external, source, 'external') }),
  };
}

function linkOf(
  { base, certificate }: ExportLink,
  { volumes, machine, backup }: ExportSource,
  type: LinkType,
): VirtualMachineExportLink {
  const paths = Object.entries(manifestPaths) as [keyof typeof manifestPaths, string][];
  return {
    cert: certificate,
    volumes: volumes.map(({ name, claim, content }) => ({
      name,
      formats: formatsOf(claim.metadata.name ?? '', content).map(({ format, path }) => ({ format, url: base + path })),
    })),
    ...(backup && {
      backups: backup.volumes.map((name) => {
        const { map, data } = backupPaths(name);
        const endpoints = [
          { endpoint: 'data', url: base + data } as const,
          { endpoint: 'map', url: base + map } as const,
        ];
        return { name, endpoints };
      }),
    }),
    manifests: paths
      .filter(([kind]) => kind !== 'all' || machine !== undefined)
      .map(([kind, path]) => ({ type: kind, url: `${base}/${type}${path}` })),
  };
}

/** A condition with its times, which stay while it does not change. */
function timed(condition: Untimed, before: readonly ExportCondition[], now: number): ExportCondition {
  const old = before.find(({ type }) => type === condition.type);
  const isSame =
    old?.status === condition.status &&
    old.reason === condition.reason &&
    (old.message ?? '') === (condition.message ?? '');
  const time = isoTime(now);
  return {
    ...condition,
    lastProbeTime: isSame ? (old.lastProbeTime ?? null) : time,
    lastTransitionTime: isSame ? old.lastTransitionTime : time,
  };
}
