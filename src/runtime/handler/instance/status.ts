import { backupProgress } from './backup-status';
import { attachedVolumes } from '../../../api/hotplug-volumes';
import { keys } from '../../../api/keys';
import { isDeepStrictEqual } from 'node:util';
import type {
  VirtualMachineInstance,
  VirtualMachineInstanceNetworkInterface,
  VirtualMachineInstanceStatus,
  VolumeStatus,
} from '../../../api';
import type { DomainInterface, DomainState } from '../../protocol';
import { containerStatus } from '../kube-types';
import { hotplugProblem, hotplugStatus } from '../hotplug/status';
import { POD_NIC } from '../network/plan';
import {
  accessCredentials,
  agentConnected,
  failed,
  hasSharedStorage,
  liveMigratable,
  mergeConditions,
  paused,
  ready,
  storageLiveMigratable,
  synchronized,
} from './conditions';
import { emulated } from './emulated';
import {
  type Observed,
  type Phase,
  computeState,
  isAlive,
  isFinal,
  isOver,
  isUp,
  type Problem,
  reportedFailure,
  reportedProblem,
} from './observed';
import { ConditionType, FailureReason } from '../../../api/reasons';

/** The guest of a VMI has ended if it cannot be found for this long. */
export const MISSING_MS = 30_000;
/** A start that takes longer is reported, so that the user sees its state. */
export const SLOW_START_MS = 5_000;

export const NODE_NAME_LABEL = keys.nodeName;

/** Phase of the VMI; undefined if it is too early to know. */
export function phaseOf(observed: Observed): Phase | undefined {
  const { vmi, pod, facts, now } = observed;
  const before = vmi?.status?.phase;
  if (isFinal(before)) return before;
  if (isOver(facts.domain)) return facts.domain?.reason === 'Shutdown' ? 'Succeeded' : phaseOfCrash(facts.domain);
  if (computeState(pod) === 'terminated') return pod?.status?.phase === 'Succeeded' ? 'Succeeded' : 'Failed';
  if (before === 'Running') return isLost(observed) ? 'Failed' : 'Running';
  if (isUp(facts.domain)) return 'Running';
  if (computeState(pod) !== 'running') return undefined;
  const startedAt = Date.parse(computeStartedAt({ pod }) ?? '');
  return reportedFailure({ facts, now }) || now - startedAt >= SLOW_START_MS || before === 'Scheduled'
    ? 'Scheduled'
    : undefined;
}

/** Whether a guest that ran will not come back: it could not be found for long, or its container was replaced. */
function isLost({ vmi, pod, facts, now }: Observed): boolean {
  if (now - (facts.missingSince ?? now) >= MISSING_MS) return true;
  const running = vmi?.status?.phaseTransitionTimestamps?.find(({ phase }) => phase === 'Running');
  const ranAt = Date.parse(running?.phaseTransitionTimestamp ?? '');
  return !!facts.domain && !isAlive(facts.domain) && Date.parse(computeStartedAt({ pod }) ?? '') > ranAt;
}

/** A guest that was destroyed on request has not failed. */
function phaseOfCrash(domain: DomainState | undefined): Phase {
  return domain?.reason === 'Destroyed' || domain?.reason === 'Migrated' ? 'Succeeded' : 'Failed';
}

/** Computes the whole status of a VMI from the observed state; fields of other writers are kept. */
export function statusOf(observed: Observed, phase: Phase): VirtualMachineInstanceStatus {
  const { vmi, pod, facts, node } = observed;
  if (!vmi) throw new Error('statusOf needs a VMI');
  const before = vmi.status ?? {};
  const now = isoSeconds(observed.now);
  const { domain } = facts;
  const up = phase === 'Running';
  const volumeStatus = up ? volumesOf(observed) : undefined;
  if (up && before.phase === 'Running' && !(domain && facts.network)) return unheard(observed, before, now);
  const conditions = isFinal(phase)
    ? [
        ready(vmi, pod, undefined),
        liveMigratable(vmi),
        storageLiveMigratable(vmi),
        phase === 'Failed' ? failed(pod, domain) : undefined,
      ]
    : [
        ready(vmi, pod, domain),
        ...(up ? [liveMigratable(vmi), storageLiveMigratable(vmi)] : []),
        paused(domain),
        agentConnected(domain),
        accessCredentials(vmi),
        emulated(vmi, facts),
        synchronized(reportedProblem(observed, hotplugProblem(volumeStatus)) ?? remembered(observed)),
      ];
  return withoutUndefined({
    ...before,
    phase,
    phaseTransitionTimestamps: transitions(observed, phase, now),
    nodeName: node,
    activePods: pod ? { ...before.activePods, [pod.metadata.uid ?? '']: node } : before.activePods,
    qosClass: pod?.status?.qosClass ?? before.qosClass,
    launcherContainerImageVersion:
      pod?.spec.containers.find((container) => container.name === 'compute')?.image ??
      before.launcherContainerImageVersion,
    conditions: mergeConditions(before.conditions ?? [], conditions, now),
    ...(up && {
      interfaces: interfacesOf(observed),
      guestOSInfo: domain?.agent?.connected ? (domain.os ?? {}) : (before.guestOSInfo ?? {}),
      machine: domain?.machineType ? { type: domain.machineType } : before.machine,
      currentCPUTopology: domain?.cpu ?? before.currentCPUTopology,
      memory: memoryOf(vmi, domain) ?? before.memory,
      migrationMethod: before.migrationMethod ?? (hasSharedStorage(vmi) ? 'LiveMigration' : 'BlockMigration'),
      volumeStatus,
      changedBlockTracking: backupProgress(before.changedBlockTracking, domain),
    }),
  });
}

/** A handler that has just started does not know its guests yet: the VMI's conditions are kept, except for new failures. */
function unheard(observed: Observed, before: VirtualMachineInstanceStatus, now: string): VirtualMachineInstanceStatus {
  const conditions = before.conditions ?? [];
  const kept = conditions.filter(({ type }) => type !== ConditionType.Synchronized);
  const verdict = synchronized(reportedFailure(observed) ?? remembered(observed));
  return { ...before, conditions: mergeConditions(conditions, [...kept, verdict], now) };
}

/** The VMI's message about fields that were not applied, until the launcher has reported again. */
function remembered({ vmi, facts }: Observed): Problem | undefined {
  if (facts.syncedSpec !== undefined) return undefined;
  const { reason = '', message = '' } =
    vmi?.status?.conditions?.find(({ type }) => type === ConditionType.Synchronized) ?? {};
  return reason === FailureReason.SpecNotApplied ? { reason, message } : undefined;
}

/** Smallest merge patch from the VMI's status to the computed one; undefined if they are equal. */
export function patchFor(vmi: VirtualMachineInstance, status: VirtualMachineInstanceStatus): object | undefined {
  const before = (vmi.status ?? {}) as Record<string, unknown>;
  const after = status as Record<string, unknown>;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  const labelled = vmi.metadata.labels?.[NODE_NAME_LABEL] === status.nodeName;
  if (changed.length === 0 && labelled) return undefined;
  return {
    metadata: {
      // lists are replaced as a whole: a patch based on an outdated copy must not undo others' changes
      resourceVersion: vmi.metadata.resourceVersion,
      ...(labelled ? {} : { labels: { [NODE_NAME_LABEL]: status.nodeName } }),
    },
    ...(changed.length > 0 && {
      status: Object.fromEntries(changed.map((key) => [key, replaceWhole(before[key], after[key])])),
    }),
  };
}

/** In a merge patch, removed keys of an object must be null. */
function replaceWhole(before: unknown, after: unknown): unknown {
  if (after === undefined) return null;
  const isObject = (v: unknown): v is Record<string, unknown> =>
    typeof v === 'object' && v !== null && !Array.isArray(v);
  if (!isObject(before) || !isObject(after)) return after;
  const removed = Object.keys(before).filter((key) => !(key in after));
  return { ...after, ...Object.fromEntries(removed.map((key) => [key, null])) };
}

/** `2026-01-02T03:04:05Z`, as Kubernetes writes times. */
const isoSeconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');

function computeStartedAt({ pod }: Pick<Observed, 'pod'>): string | undefined {
  return pod && containerStatus(pod, 'compute')?.state?.running?.startedAt;
}

/** Times at which each phase began; those that nobody recorded are taken from the Pod. */
function transitions(
  observed: Observed,
  phase: Phase,
  now: string,
): VirtualMachineInstanceStatus['phaseTransitionTimestamps'] {
  const { vmi, pod } = observed;
  const known = vmi?.status?.phaseTransitionTimestamps ?? [];
  const passed: [Phase, string | undefined][] = [
    ['Scheduling', pod?.metadata.creationTimestamp],
    ['Scheduled', computeStartedAt(observed)],
    [phase, now],
  ];
  const added = passed.flatMap(([name, time], i) => {
    const first = passed.findIndex((entry) => entry[0] === name) === i;
    if (!first || !time || known.some((entry) => entry.phase === name)) return [];
    return [{ phase: name, phaseTransitionTimestamp: time }];
  });
  return [...known, ...added];
}

/** NICs as the guest reports them; the pod network's addresses are always the Pod's. */
function interfacesOf({ vmi, pod, facts }: Observed): VirtualMachineInstanceNetworkInterface[] {
  const reported = facts.domain?.interfaces ?? [];
  const podIps = (pod?.status?.podIPs ?? []).map(({ ip }) => ip);
  const own = (vmi?.spec.domain.devices.interfaces ?? []).map((nic): VirtualMachineInstanceNetworkInterface => {
    const fact = facts.network?.find((candidate) => candidate.network === nic.name);
    const mac = fact?.mac || nic.macAddress;
    const seen = reported.find((candidate) => candidate.name === nic.name || (mac && candidate.mac === mac));
    const ips = fact ? podIps : (seen?.ips ?? []);
    return withoutUndefined({
      name: nic.name,
      mac: seen?.mac ?? mac,
      interfaceName: seen?.interfaceName,
      podInterfaceName: fact ? POD_NIC : undefined,
      ipAddress: ips[0],
      ipAddresses: ips.length ? ips : undefined,
      infoSource: seen?.interfaceName ? 'domain, guest-agent' : 'domain',
      queueCount: seen?.queueCount ?? 1,
      linkState: seen?.linkState ?? (nic.state === 'down' ? 'down' : 'up'),
    });
  });
  const macs = new Set(own.map(({ mac }) => mac));
  return [...own, ...reported.filter((seen) => !seen.name && !macs.has(seen.mac)).map(guestOnly)];
}

/** A NIC that the guest created (a bridge, a VLAN). */
function guestOnly({ mac, interfaceName, ips = [] }: DomainInterface): VirtualMachineInstanceNetworkInterface {
  return withoutUndefined({
    mac,
    interfaceName,
    ipAddress: ips[0],
    ipAddresses: ips.length ? ips : undefined,
    infoSource: 'guest-agent',
  });
}

function memoryOf(
  vmi: VirtualMachineInstance,
  domain: DomainState | undefined,
): VirtualMachineInstanceStatus['memory'] {
  if (!domain?.memory) return undefined;
  const { guestAtBoot, guestCurrent } = domain.memory;
  const requested = vmi.spec.domain.memory?.guest;
  return withoutUndefined({
    ...vmi.status?.memory,
    guestAtBoot: mebibytes(guestAtBoot),
    guestCurrent: mebibytes(guestCurrent),
    guestRequested: requested ?? mebibytes(guestAtBoot),
  });
}

/** Quantity in Mi, if it is a whole number of mebibytes. */
const mebibytes = (bytes: number): string => (bytes % (1 << 20) === 0 ? `${bytes / (1 << 20)}Mi` : String(bytes));

/** Target device of each volume, merged with the controller's status of its claim. */
function volumesOf({ vmi, pod, facts, attachments, now }: Observed): VolumeStatus[] | undefined {
  const before = vmi?.status?.volumeStatus ?? [];
  const targets = facts.domain?.volumes;
  if (!vmi || !targets) return vmi?.status?.volumeStatus;
  // the controller adds hotplugged volumes
  const attached = attachedVolumes(vmi.spec);
  const permanent = (vmi.spec.volumes ?? []).filter((volume) => !attached.includes(volume)).map(({ name }) => name);
  const names = [...new Set([...permanent, ...before.map(({ name }) => name)])];
  return names.map((name) => {
    const seen = targets.find((target) => target.name === name);
    const old = before.find((status) => status.name === name);
    const status = { ...old, name, target: seen?.target ?? old?.target ?? '', size: seen?.size ?? old?.size };
    return withoutUndefined(old?.hotplugVolume ? hotplugStatus(vmi, facts, pod, attachments, status, now) : status);
  });
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}
