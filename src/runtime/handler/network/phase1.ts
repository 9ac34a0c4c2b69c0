import { closeSync } from 'node:fs';
import type { VirtualMachineInstance } from '../../../api';
import type { PodInterface } from '../../protocol';
import { findProcess, openNetns } from '../paths/processes';
import { run } from '../paths/run';
import { planMasquerade, POD_NIC, podInterface } from './plan';
import type { PodNic } from './plan';

interface LinkJson {
  ifname: string;
  address: string;
  mtu: number;
  addr_info: { family: string; local: string; prefixlen: number; scope: string }[];
}

/** The Pod's NIC from the output of `ip -j addr`. */
export function parsePodNic(json: string): PodNic {
  const links = JSON.parse(json) as LinkJson[];
  const link = links.find((candidate) => candidate.ifname === POD_NIC);
  if (!link) throw new Error(`the Pod has no interface "${POD_NIC}"; look at the network plugin of this node`);
  return {
    name: link.ifname,
    mac: link.address,
    mtu: link.mtu,
    addresses: link.addr_info
      .filter((info) => info.scope === 'global' && (info.family === 'inet' || info.family === 'inet6'))
      .map((info) => ({ family: info.family === 'inet' ? 4 : 6, address: info.local, prefix: info.prefixlen })),
  };
}

/**
 * Phase 1: what needs privileges in the Pod's network namespace, done before the launcher may start its guest.
 * Whatever was done before is found done; nothing under a running guest is touched.
 */
export async function setUpNetwork(
  vmi: VirtualMachineInstance,
  procDir: string,
  containerId: string,
): Promise<PodInterface[]> {
  const wanted = podInterface(vmi);
  if (!wanted) return [];
  const process = findProcess(procDir, containerId);
  if (!process) throw new Error(`container ${containerId} has no process; it ended or runs on another node`);
  try {
    const netns = openNetns(process, procDir);
    try {
      const inNetns = (command: string[], input = ''): Promise<string> =>
        run('nsenter', ['--net=/proc/self/fd/3', '--', ...command], { fds: [netns], input });
      const podNic = parsePodNic(await inNetns(['ip', '-j', 'addr', 'show']));
      const plan = planMasquerade(vmi, wanted, podNic);
      await inNetns(['sh', '-s'], plan.script);
      return [plan.facts];
    } finally {
      closeSync(netns);
    }
  } finally {
    process.place.close();
  }
}
