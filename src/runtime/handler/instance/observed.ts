import type { VirtualMachineInstance } from '../../../api';
import type { KvmAccess } from '../devices/plan';
import type { DomainState, PodInterface } from '../../protocol';
import { containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';
import { FailureReason } from '../../../api/reasons';

/** A step of a start that failed. */
export interface Failure {
  readonly step: 'listen' | 'devices' | 'network' | 'disks' | 'connect' | 'sync';
  readonly reason: string;
  /** Cause and remedy. */
  readonly message: string;
  /** Epoch ms before which the step is not retried. */
  readonly retryAt: number;
  readonly attempts: number;
  /** Epoch ms of the first failure. */
  readonly since: number;
}

/** Facts that the handler has learnt about a Pod. After a restart it observes them again; their times start over. */
export interface PodFacts {
  /** Whether the notify socket is open. */
  readonly listening: boolean;
  /** Result of phase 1. */
  readonly network?: readonly PodInterface[];
  /** Whether the launcher can use KVM; undefined until that was checked. */
  readonly kvm?: KvmAccess;
  /** Problems with the devices of a running guest, which are left unchanged. */
  readonly deviceDifferences?: readonly string[];
  /** Differences that phase 1 found and left unchanged under a running guest. */
  readonly networkDifferences?: readonly string[];
  readonly disksMounted: boolean;
  /** Whether the launcher's socket exists. */
  readonly launcherUp: boolean;
  /** Last state that the launcher reported, and whether it may have changed since. */
  readonly domain?: DomainState;
  readonly domainStale: boolean;
  /** Hash of the last spec that the launcher acknowledged. */
  readonly syncedSpec?: string;
  /** Fields of that spec that the running guest has not applied. */
  readonly notApplied?: readonly string[];
  /** Hotplugged volumes that the launcher can use, and those that it cannot get, with the time of the next attempt. */
  readonly plugged?: readonly string[];
  readonly plugProblems?: readonly (Problem & { readonly name: string })[];
  readonly plugRetryAt?: number;
  readonly failure?: Failure;
  /** Epoch ms of the first and the last press of the guest's power button. */
  readonly shutdownRequestedAt?: number;
  readonly shutdownRepeatedAt?: number;
  readonly killedAt?: number;
  readonly endedAt?: number;
  /** Whether sockets are closed and disks unmounted. */
  readonly released?: boolean;
  /** Since when a guest that ran cannot be found. */
  readonly missingSince?: number;
  /** Epoch ms of the last writes of its VMI's status. */
  readonly writes: readonly number[];
}

export const NOTHING_DONE: PodFacts = {
  listening: false,
  disksMounted: false,
  launcherUp: false,
  domainStale: true,
  writes: [],
};

/** Everything that a decision is based on. */
export interface Observed {
  readonly now: number;
  readonly node: string;
  readonly vmi?: VirtualMachineInstance;
  /** Launcher Pod of the VMI on this node. */
  readonly pod?: Pod;
  /** Attachment Pods on this node that name the launcher Pod as their owner. */
  readonly attachments: readonly Pod[];
  readonly facts: PodFacts;
  /** Hash of the VMI's spec, and of the volumes that this node has for it. */
  readonly specHash: string;
}

export type Phase = NonNullable<NonNullable<VirtualMachineInstance['status']>['phase']>;

export const isFinal = (phase: Phase | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** State of the compute container. */
export function computeState(pod: Pod | undefined): 'waiting' | 'running' | 'terminated' {
  if (!pod) return 'terminated';
  const state = containerStatus(pod, 'compute')?.state;
  if (state?.terminated || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return 'terminated';
  return state?.running ? 'running' : 'waiting';
}

/** Whether the guest has a QEMU process. */
export function isAlive(domain: DomainState | undefined): boolean {
  return domain !== undefined && !['NoState', 'Shutoff', 'Crashed'].includes(domain.status);
}

/** Whether the guest is up, including a paused guest but not one that is being started. */
export function isUp(domain: DomainState | undefined): boolean {
  return isAlive(domain) && !(domain?.status === 'Paused' && domain.reason === 'StartingUp');
}

/** Whether the guest has ended: it shut down, crashed or was stopped. */
export const isOver = (domain: DomainState | undefined): boolean =>
  domain?.status === 'Shutoff' || domain?.status === 'Crashed';

/** A launcher that is being started or restarted answers within seconds; its silence until then is not a failure. */
const SILENCE_MS = 5_000;

/** The failure to report, if any. */
export function reportedFailure({ facts, now }: Pick<Observed, 'facts' | 'now'>): Failure | undefined {
  const { failure } = facts;
  return failure?.step === 'connect' && now - failure.since < SILENCE_MS ? undefined : failure;
}

/** A problem to report to the user, as reason and message of a condition. */
export type Problem = Pick<Failure, 'reason' | 'message'>;

/** The most important problem of a guest: what prevents it from running or being observed, else what differs while it runs. */
export function reportedProblem(observed: Pick<Observed, 'facts' | 'now'>, volumes?: Problem): Problem | undefined {
  const { domain, deviceDifferences, networkDifferences, notApplied } = observed.facts;
  return (
    reportedFailure(observed) ??
    domain?.trouble ??
    volumes ??
    (deviceDifferences && devicesTrouble(deviceDifferences)) ??
    (networkDifferences && networkTrouble(networkDifferences)) ??
    (notApplied && notAppliedTrouble(notApplied))
  );
}

function devicesTrouble(differences: readonly string[]): Problem {
  return {
    reason: FailureReason.DevicesDiffer,
    message:
      `the devices of the running guest differ from its VMI: ${differences.join('; ')}; ` +
      'they stay unchanged while the guest runs; restart the VM',
  };
}

function networkTrouble(differences: readonly string[]): Problem {
  return {
    reason: FailureReason.NetworkDiffers,
    message:
      `the network of the running guest differs from its VMI: ${differences.join(', ')}; ` +
      'it stays unchanged while the guest runs; restart the VM',
  };
}

function notAppliedTrouble(fields: readonly string[]): Problem {
  return {
    reason: FailureReason.SpecNotApplied,
    message: `the running guest keeps what it was started with, changed since: ${fields.join(', ')}; restart the VM`,
  };
}
