import { closeSync } from 'node:fs';
import type { VirtualMachineInstance } from '../../../api';
import type { PodInterface } from '../../protocol';
import { findProcess, openNetns } from '../paths/processes';
import { run } from '../paths/run';
import { OBSERVE, parseActual } from './actual';
import { planMasquerade, podInterface } from './plan';
import { reconcile } from './reconcile';

export interface PodNetworkSetup {
  readonly interfaces: readonly PodInterface[];
  /** Differences that were left unchanged because the guest may be using the network. */
  readonly differences: readonly string[];
}

/**
 * Phase 1: the privileged part of the Pod's network setup, done before the launcher may start its guest. The kernel's state
 * is compared with the desired state, regardless of its creator; `reconcile` explains what is left unchanged.
 */
export async function setUpNetwork(
  vmi: VirtualMachineInstance,
  procDir: string,
  containerId: string,
): Promise<PodNetworkSetup> {
  const nic = podInterface(vmi);
  if (!nic) return { interfaces: [], differences: [] };
  const process = findProcess(procDir, containerId);
  if (!process) throw new Error(`container ${containerId} has no process; it has exited or runs on another node`);
  try {
    const netns = openNetns(process, procDir);
    try {
      const shell = (script: string): Promise<string> =>
        run('nsenter', ['--net=/proc/self/fd/3', '--', 'sh', '-s'], { fds: [netns], input: script });
      const actual = parseActual(await shell(OBSERVE));
      const { facts, wanted } = planMasquerade(vmi, nic, actual.podNic);
      const { script, differences } = reconcile(wanted, actual, vmi.status?.phase === 'Running');
      if (script !== undefined) await shell(script);
      return { interfaces: [facts], differences };
    } finally {
      closeSync(netns);
    }
  } finally {
    process.place.close();
  }
}
