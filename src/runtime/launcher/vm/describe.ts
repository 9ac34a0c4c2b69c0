/** State for virt-handler: from the VMI, libvirt's live XML and the guest agent. Pure. */
import type { DomainInterface, DomainState } from '../../protocol';
import { guestTopology, vcpus } from '../../../api/cpu-topology';
import { guestBytes } from '../domain/memory';
import { type AgentReport, mergeInterfaces } from '../guest-agent/agent';
import type { VolumeProblem } from './hotplug';
import { liveDisks } from './live-disks';
import type { LauncherRecord } from './record';
import type { Condition } from './state';

/** The domain's NICs, from the record: the launcher chose tap and MAC, so libvirt is not queried. */
function interfacesOf({ vmi, options }: LauncherRecord): DomainInterface[] {
  const { domain } = vmi.spec;
  const multiqueue = domain.devices.networkInterfaceMultiqueue;
  return (domain.devices.interfaces ?? []).flatMap((spec): DomainInterface[] => {
    if (spec.state === 'absent') return [];
    const nic = options.podInterfaces?.find(({ network }) => network === spec.name);
    return [
      {
        name: spec.name,
        mac: nic?.mac?.toLowerCase(),
        infoSource: 'domain',
        queueCount: multiqueue ? vcpus(domain) : 1,
        linkState: spec.state === 'down' ? 'down' : 'up',
      },
    ];
  });
}

/** The whole state of an existing domain. */
export function describe(
  record: LauncherRecord,
  condition: Condition,
  xml: string,
  agent: AgentReport | undefined,
  failed: NonNullable<DomainState['failedDisks']> = [],
  volumeProblems: readonly VolumeProblem[] = [],
  { memoryDump, backup }: Pick<DomainState, 'memoryDump' | 'backup'> = {},
): DomainState {
  const { domain } = record.vmi.spec;
  const { sockets, cores, threads } = guestTopology(domain);
  const guest = guestBytes(domain);
  return {
    ...condition,
    machineType: /<type arch='[^']*' machine='([^']*)'/.exec(xml)?.[1],
    cpu: { sockets, cores, threads },
    memory: { guestCurrent: guest, guestAtBoot: guest },
    interfaces: mergeInterfaces(interfacesOf(record), agent?.interfaces ?? []),
    omitted: agent?.omitted,
    agent: { connected: agent !== undefined, version: agent?.version },
    os: agent?.os,
    volumes: liveDisks(xml).flatMap(({ name, target, path }) => {
      const size = record.disks?.find((disk) => disk.name === name)?.size;
      return path === undefined ? [] : [{ name, target, ...(size !== undefined && { size }) }];
    }),
    ...(failed.length > 0 && { failedDisks: failed }),
    ...(volumeProblems.length > 0 && { volumeProblems: [...volumeProblems] }),
    ...(memoryDump && { memoryDump }),
    ...(backup && { backup }),
  };
}
