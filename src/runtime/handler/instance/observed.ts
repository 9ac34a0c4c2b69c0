import type { VirtualMachineInstance } from '../../../api';
import type { KvmAccess } from '../devices/plan';
import type { DomainState, PodInterface } from '../../protocol';
import { containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';
import { FailureReason } from '../../../api/reasons';

/** A step of a start that did not work. */
export interface Failure {
  readonly step: 'listen' | 'devices' | 'network' | 'disks' | 'connect' | 'sync';
  readonly reason: string;
  /** Cause and remedy. */
  readonly message: string;
  /** Epoch ms before which the step is not tried again. */
  readonly retryAt: number;
  readonly attempts: number;
  /** Epoch ms of the first of them. */
  readonly since: number;
}

/** What the handler did for a Pod and heard of it. After a restart it finds out anew what is; its times begin again. */
export interface PodFacts {
  /** The notify socket is open. */
  readonly listening: boolean;
  /** Result of phase 1. */
  readonly network?: readonly PodInterface[];
  /** Whether the launcher can use KVM; undefined while that was not looked at. */
  readonly kvm?: KvmAccess;
  /** What is wrong with the devices of a running guest, which are left alone. */
  readonly deviceDifferences?: readonly string[];
  /** What phase 1 found otherwise than it would make it, and left alone under a running guest. */
  readonly networkDifferences?: readonly string[];
  readonly disksMounted: boolean;
  /** The launcher's socket is there. */
  readonly launcherUp: boolean;
  /** Last state that the launcher reported, and whether it may have changed unseen since. */
  readonly domain?: DomainState;
  readonly domainStale: boolean;
  /** Hash of the spec that the launcher acknowledged last. */
  readonly syncedSpec?: string;
  /** Fields of that spec that the running guest does not have. */
  readonly notApplied?: readonly string[];
  readonly failure?: Failure;
  /** Epoch ms: when the guest was first asked to power off, and last. */
  readonly shutdownAskedAt?: number;
  readonly shutdownRepeatedAt?: number;
  readonly killedAt?: number;
  readonly endedAt?: number;
  /** Sockets are closed and mounts undone. */
  readonly released?: boolean;
  /** Since when a guest that ran is not to be found. */
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

/** Everything that a decision rests on. */
export interface Observed {
  readonly now: number;
  readonly node: string;
  readonly vmi?: VirtualMachineInstance;
  /** Its launcher Pod on this node. */
  readonly pod?: Pod;
  readonly facts: PodFacts;
  /** Hash of the VMI's spec. */
  readonly specHash: string;
}

export type Phase = NonNullable<NonNullable<VirtualMachineInstance['status']>['phase']>;

export const isFinal = (phase: Phase | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Life of the compute container. */
export function computeState(pod: Pod | undefined): 'waiting' | 'running' | 'ended' {
  if (!pod) return 'ended';
  const state = containerStatus(pod, 'compute')?.state;
  if (state?.terminated || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return 'ended';
  return state?.running ? 'running' : 'waiting';
}

/** The guest has a QEMU process. */
export function isAlive(domain: DomainState | undefined): boolean {
  return domain !== undefined && !['NoState', 'Shutoff', 'Crashed'].includes(domain.status);
}

/** The guest is up: also when it was paused on purpose, not while it is being started. */
export function isUp(domain: DomainState | undefined): boolean {
  return isAlive(domain) && !(domain?.status === 'Paused' && domain.reason === 'StartingUp');
}

/** The guest ended: by itself, by a crash or by us. */
export const isOver = (domain: DomainState | undefined): boolean =>
  domain?.status === 'Shutoff' || domain?.status === 'Crashed';

/** A launcher that is being started or restarted answers within seconds; until then its silence is no failure. */
const SILENCE_MS = 5_000;

/** The failure that is worth telling, if any. */
export function toldFailure({ facts, now }: Pick<Observed, 'facts' | 'now'>): Failure | undefined {
  const { failure } = facts;
  return failure?.step === 'connect' && now - failure.since < SILENCE_MS ? undefined : failure;
}

/** A problem that the user should know of, as a condition's reason and message. */
export type Trouble = Pick<Failure, 'reason' | 'message'>;

/** The first thing to tell of a guest: what keeps it from running or from being seen, else what differs while it runs. */
export function toldTrouble(observed: Pick<Observed, 'facts' | 'now'>): Trouble | undefined {
  const { domain, deviceDifferences, networkDifferences, notApplied } = observed.facts;
  return (
    toldFailure(observed) ??
    domain?.trouble ??
    (deviceDifferences && devicesTrouble(deviceDifferences)) ??
    (networkDifferences && networkTrouble(networkDifferences)) ??
    (notApplied && notAppliedTrouble(notApplied))
  );
}

function devicesTrouble(differences: readonly string[]): Trouble {
  return {
    reason: FailureReason.DevicesDiffer,
    message:
      `the devices of the running guest are not as its VMI wants them: ${differences.join('; ')}; ` +
      'they are left alone while the guest runs; restart the VM',
  };
}

function networkTrouble(differences: readonly string[]): Trouble {
  return {
    reason: FailureReason.NetworkDiffers,
    message:
      `the network of the running guest is not as its VMI wants it: ${differences.join(', ')}; ` +
      'it is left alone while the guest runs; restart the VM',
  };
}

function notAppliedTrouble(fields: readonly string[]): Trouble {
  return {
    reason: FailureReason.SpecNotApplied,
    message: `the running guest keeps what it was started with, changed since: ${fields.join(', ')}; restart the VM`,
  };
}
