import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeVirtConfiguration } from '../../../api';
import { keys } from '../../../api/keys';
import { selects } from '../../../api/kinds/label-selector';
import type { KernelFacts } from './guest-labels';
import { text } from './sysfs';

const KSM = 'kernel/mm/ksm/run';
const MERGES = '1';
const KEEPS = '0';

/** Whether real-time threads may use all of the CPU time. */
export const isRealtime = (proc: string): boolean => text(join(proc, 'sys/kernel/sched_rt_runtime_us')) === '-1';

/** Whether the kubelet's CPU manager gives containers CPUs of their own, from the text of its state. Pure. */
export function hasStaticCpus(state: string | undefined): boolean {
  try {
    return (JSON.parse(state ?? '{}') as { policyName?: string }).policyName === 'static';
  } catch {
    return false;
  }
}

/** State of the CPU manager, as the kubelet keeps it for its next start. */
export function readCpuManager(kubeletDir: string): boolean {
  try {
    return hasStaticCpus(readFileSync(join(kubeletDir, 'cpu_manager_state'), 'utf8'));
  } catch {
    return false;
  }
}

export interface KsmInput {
  /** Content of the kernel's setting; undefined if the kernel has none. */
  readonly setting: string | undefined;
  readonly configuration: KubeVirtConfiguration['ksmConfiguration'];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface KsmDecision {
  /** Value to write, if another one applies now. */
  readonly write?: string;
  readonly enabled: boolean;
  /** Whether this handler has enabled it. Only then does it also disable it. */
  readonly managed: boolean;
}

/** Whether equal pages of guests are merged on this node: if the configuration selects it, or someone else enabled it. Pure. */
export function decideKsm({ setting, configuration, labels = {}, annotations = {} }: KsmInput): KsmDecision {
  const managed = keys.ksmManaged in annotations;
  if (setting === undefined) return { enabled: false, managed };
  const enabled = setting === MERGES;
  if (configuration && selects(configuration.nodeLabelSelector, labels)) {
    return { ...(!enabled && { write: MERGES }), enabled: true, managed: true };
  }
  return managed ? { ...(enabled && { write: KEEPS }), enabled: false, managed: false } : { enabled, managed };
}

/** Applies the decision to the kernel. Its setting stays as it is where sysfs is read-only. */
export function tuneKsm(
  input: Omit<KsmInput, 'setting'>,
  sys = '/sys',
): Pick<KernelFacts, 'ksm'> & { managed: boolean } {
  const path = join(sys, KSM);
  const setting = text(path);
  const { write, enabled, managed } = decideKsm({ ...input, setting });
  try {
    if (write !== undefined) writeFileSync(path, `${write}\n`);
  } catch {
    return { ksm: setting === MERGES, managed: keys.ksmManaged in (input.annotations ?? {}) };
  }
  return { ksm: enabled, managed };
}
