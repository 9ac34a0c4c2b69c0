import { keys } from '../../../api/keys';
import type { VirtualMachineInstance, VirtualMachineInstanceCondition } from '../../../api';
import { lastWords, remedyOf } from '../../../api/last-words';
import type { DomainState } from '../../protocol';
import type { Pod } from '../kube-types';
import type { Problem } from './observed';
import { isOver, isUp } from './observed';
import {
  AGENT_CREDENTIALS,
  ConditionType,
  FailureReason,
  ObstacleReason,
  PausedReason,
  UnreadyReason,
} from '../../../api/reasons';

/** A condition without its times. */
export type Verdict = Pick<VirtualMachineInstanceCondition, 'type' | 'status' | 'reason' | 'message'>;

/** Ready: the guest runs and passes its readiness probe, which the kubelet executes. */
export function ready(vmi: VirtualMachineInstance, pod: Pod | undefined, domain: DomainState | undefined): Verdict {
  const type = ConditionType.Ready;
  if (!isUp(domain) || domain?.status === 'Paused') {
    const message = isUp(domain) ? 'the guest is paused' : 'Guest VM is not reported as running';
    return { type, status: 'False', reason: UnreadyReason.GuestNotRunning, message };
  }
  const containersReady = pod?.status?.conditions?.find((condition) => condition.type === 'ContainersReady');
  if (vmi.spec.readinessProbe && containersReady?.status !== 'True') {
    return {
      type,
      status: 'False',
      reason: UnreadyReason.ContainersNotReady,
      message: 'the readiness probe does not succeed (yet)',
    };
  }
  return { type, status: 'True' };
}

/** Paused: why the guest is paused; absent while it runs. */
export function paused(domain: DomainState | undefined): Verdict | undefined {
  if (domain?.status !== 'Paused' || domain.reason === 'StartingUp') return undefined;
  const type = ConditionType.Paused;
  switch (domain.reason) {
    case 'User':
      return { type, status: 'True', reason: PausedReason.ByUser, message: 'VMI was paused by user' };
    case 'IOError':
      return { type, status: 'True', reason: PausedReason.IOError, message: storageError(domain.failedDisks ?? []) };
    case 'Migration':
    case 'PostcopyFailed':
      return { type, status: 'True', reason: PausedReason.ByMigration, message: 'VMI was paused by a migration' };
    default:
      return { type, status: 'True', reason: PausedReason.Other, message: `VMI is paused: ${domain.reason}` };
  }
}

/** KubeVirt's message, with the disks as far as QEMU reports them. */
function storageError(disks: NonNullable<DomainState['failedDisks']>): string {
  const names = (isFull: boolean): string[] =>
    disks.filter((disk) => disk.isFull === isFull).map(({ name }) => `"${name}"`);
  const [full, broken] = [names(true), names(false)];
  const cause = [
    ...(full.length > 0 ? [`the storage of ${full.join(', ')} is full`] : []),
    ...(broken.length > 0 ? [`${broken.join(', ')} reported an error`] : []),
  ].join(', and ');
  const remedy =
    full.length === 0 || broken.length > 0
      ? 'look at its storage, then unpause it'
      : 'free space there or enlarge the claim: a guest on a file system continues automatically, another one when it is unpaused';
  return `VMI was paused, low-level IO error detected${cause && `: ${cause}`}; ${remedy}`;
}

/** AgentConnected: present while the guest agent answers. */
export function agentConnected(domain: DomainState | undefined): Verdict | undefined {
  return isUp(domain) && domain?.agent?.connected ? { type: ConditionType.AgentConnected, status: 'True' } : undefined;
}

/** AccessCredentialsSynchronized=False: credentials that only the guest agent could set; absent if there are none. */
export function accessCredentials({ spec }: VirtualMachineInstance): Verdict | undefined {
  const byAgent = (spec.accessCredentials ?? []).flatMap(({ sshPublicKey, userPassword }, i) =>
    (sshPublicKey ?? userPassword)?.propagationMethod.qemuGuestAgent ? [`spec.accessCredentials[${i}]`] : [],
  );
  if (byAgent.length === 0) return undefined;
  return {
    type: ConditionType.AccessCredentialsSynchronized,
    status: 'False',
    reason: AGENT_CREDENTIALS,
    message:
      `${byAgent.join(', ')}: virt8s does not set credentials through the guest agent yet; ` +
      'set keys with the propagation method noCloud or configDrive, and passwords in the user data of cloud-init',
  };
}

/** Synchronized=False: the current problem; absent if there is none. */
export function synchronized(problem: Problem | undefined): Verdict | undefined {
  if (!problem) return undefined;
  return { type: ConditionType.Synchronized, status: 'False', reason: problem.reason, message: problem.message };
}

/** Synchronized=False of a failed VMI: how its guest ended, as reported by the component that knows. */
export function failed(pod: Pod | undefined, domain: DomainState | undefined): Verdict {
  const verdict = (reason: FailureReason, message: string): Verdict => ({
    type: ConditionType.Synchronized,
    status: 'False',
    reason,
    message,
  });
  const { containerStatuses = [], initContainerStatuses = [] } = pod?.status ?? {};
  const broken = [...initContainerStatuses, ...containerStatuses].find(({ state }) => state?.terminated?.exitCode);
  const { exitCode, reason, message } = broken?.state?.terminated ?? {};
  if (broken && !(isOver(domain) && broken.name === 'compute' && !message)) {
    const words = lastWords(message ?? reason);
    const remedy = remedyOf(message);
    return verdict(
      FailureReason.LauncherPodFailed,
      `container "${broken.name}" of the launcher Pod ended with code ${exitCode}` +
        `${words ? `: ${words}` : ''}${remedy ? `; ${remedy}` : ''}`,
    );
  }
  if (isOver(domain)) {
    return verdict(
      FailureReason.GuestCrashed,
      `the guest ended unexpectedly (${domain?.reason}); see the log of the launcher Pod's compute container`,
    );
  }
  const remedy = "the guest ended without a reported cause; see the log of the launcher Pod's compute container";
  return verdict(FailureReason.GuestLost, remedy);
}

/**
 * StorageLiveMigratable, with KubeVirt's messages if a disk prevents it. It is never True: evictions and drains would wait
 * for a migration that does not happen.
 */
export function storageLiveMigratable(vmi: VirtualMachineInstance): Verdict {
  return { type: ConditionType.StorageLiveMigratable, ...(immovableStorage(vmi) ?? NO_MIGRATION) };
}

/** LiveMigratable: the guest's own obstacle with KubeVirt's message, or else that migration is not supported yet. */
export function liveMigratable(vmi: VirtualMachineInstance): Verdict {
  return { type: ConditionType.LiveMigratable, ...(immovableStorage(vmi) ?? immovableDevices(vmi) ?? NO_MIGRATION) };
}

type Obstacle = Omit<Verdict, 'type'>;

const obstacle = (reason: ObstacleReason, message: string): Obstacle => ({ status: 'False', reason, message });

const NO_MIGRATION = obstacle(
  ObstacleReason.MigrationNotSupported,
  'this version of virt8s cannot migrate a running guest; to move it to another node, restart its VM',
);

/** Whether no disk is known to be accessible from one node only. */
export function hasSharedStorage(vmi: VirtualMachineInstance): boolean {
  return immovableStorage(vmi) === undefined;
}

function immovableStorage(vmi: VirtualMachineInstance): Obstacle | undefined {
  for (const volume of vmi.spec.volumes ?? []) {
    if (volume.hostDisk && !volume.hostDisk.shared) {
      return obstacle(ObstacleReason.DisksNotLiveMigratable, `volume "${volume.name}" is a local hostDisk`);
    }
    const name = volume.persistentVolumeClaim?.claimName ?? volume.dataVolume?.name;
    if (name === undefined) continue;
    const claim = vmi.status?.volumeStatus?.find((status) => status.name === volume.name)?.persistentVolumeClaimInfo;
    if (claim && !claim.accessModes?.includes('ReadWriteMany')) {
      return obstacle(
        ObstacleReason.DisksNotLiveMigratable,
        `cannot migrate VMI: PVC ${name} is not shared, live migration requires that all PVCs must be shared ` +
          '(using ReadWriteMany access mode)',
      );
    }
  }
  return undefined;
}

function immovableDevices(vmi: VirtualMachineInstance): Obstacle | undefined {
  const { devices } = vmi.spec.domain;
  const nic = (devices.interfaces ?? []).find(
    (candidate) =>
      candidate.bridge &&
      vmi.spec.networks?.find((network) => network.name === candidate.name)?.pod &&
      vmi.metadata.annotations?.[ALLOW_POD_BRIDGE] === undefined,
  );
  if (nic) {
    return obstacle(
      ObstacleReason.InterfaceNotLiveMigratable,
      `cannot migrate VMI which does not use masquerade, bridge with ${ALLOW_POD_BRIDGE} ` +
        `VM annotation or a migratable plugin to connect to the pod network (interface "${nic.name}")`,
    );
  }
  if (devices.gpus?.length || devices.hostDevices?.length) {
    return obstacle(ObstacleReason.HostDeviceNotLiveMigratable, 'VMI uses a PCI host devices');
  }
  if (vmi.spec.domain.launchSecurity) return obstacle(ObstacleReason.SEVNotLiveMigratable, 'VMI uses launch security');
  if (vmi.spec.domain.cpu?.model === 'host-passthrough') {
    return obstacle(ObstacleReason.CPUModeNotLiveMigratable, 'VMI uses cpu mode host-passthrough');
  }
  return undefined;
}

const ALLOW_POD_BRIDGE = keys.allowPodBridgeMigration;

/**
 * Merges these conditions into the list: unchanged ones keep their times, those of ours that no longer apply are removed,
 * those of other writers are kept.
 */
export function mergeConditions(
  before: readonly VirtualMachineInstanceCondition[],
  verdicts: readonly (Verdict | undefined)[],
  now: string,
): VirtualMachineInstanceCondition[] {
  const ours = new Set<string>(Object.values(ConditionType));
  const fresh = verdicts.filter((verdict) => verdict !== undefined);
  const kept = before.flatMap((old) => {
    const verdict = fresh.find((candidate) => candidate.type === old.type);
    if (!verdict) return ours.has(old.type) ? [] : [old];
    if (verdict.status === old.status && verdict.reason === old.reason && verdict.message === old.message) return [old];
    const lastTransitionTime = verdict.status === old.status ? old.lastTransitionTime : now;
    return [{ lastProbeTime: null, lastTransitionTime, ...verdict }];
  });
  const added = fresh.filter((verdict) => !before.some((old) => old.type === verdict.type));
  return [...kept, ...added.map((verdict) => ({ lastProbeTime: null, lastTransitionTime: now, ...verdict }))];
}
