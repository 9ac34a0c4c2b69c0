import type { KubeObject } from '../../../api';

/** Pod of a program, reduced to what explains why it is not ready. */
export interface ProgramPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number; readonly message?: string };
  };
  readonly lastState?: { readonly terminated?: { readonly exitCode?: number; readonly message?: string } };
}

/** Longest text of a container in a condition. */
const MOST_TEXT = 200;

/** Keeps what {@link troubleOf} reads. */
export function slimPod(pod: ProgramPod): ProgramPod {
  const { apiVersion, kind, metadata, spec, status } = pod;
  const { name, namespace, labels, resourceVersion, uid, deletionTimestamp } = metadata;
  return {
    ...{ apiVersion, kind },
    metadata: { name, namespace, labels, resourceVersion, uid, ...(deletionTimestamp ? { deletionTimestamp } : {}) },
    spec: { ...(spec?.nodeName ? { nodeName: spec.nodeName } : {}) },
    status: {
      ...(status?.phase ? { phase: status.phase } : {}),
      conditions: status?.conditions ?? [],
      containerStatuses: status?.containerStatuses ?? [],
      initContainerStatuses: status?.initContainerStatuses ?? [],
    },
  };
}

/** Returns why a Pod is not ready, in words; undefined if it is, or if it is only starting. */
export function troubleOf(pod: ProgramPod): string | undefined {
  const { status, metadata, spec } = pod;
  const where = `Pod ${metadata.name}${spec?.nodeName ? ` on node ${spec.nodeName}` : ''}`;
  const unscheduled = status?.conditions?.find(({ type, status: s }) => type === 'PodScheduled' && s === 'False');
  if (unscheduled) return `${where} is not scheduled: ${text(unscheduled.message)}`;
  for (const container of [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]) {
    const { name, state, lastState } = container;
    const reason = state?.waiting?.reason;
    if (reason && !['ContainerCreating', 'PodInitializing'].includes(reason)) {
      const last = lastState?.terminated?.message;
      return `${where}: container ${name}: ${reason}: ${text(last ?? state.waiting?.message)}`;
    }
    const ended = state?.terminated;
    if (ended && ended.exitCode !== 0)
      return `${where}: container ${name} ended with code ${ended.exitCode}: ${text(ended.message)}`;
  }
  return undefined;
}

const text = (message: string | undefined): string => {
  const line = (message ?? 'no message').trim().replace(/\s+/g, ' ');
  return line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)}…` : line;
};
