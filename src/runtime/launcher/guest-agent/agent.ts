/** The guest agent's reports, in KubeVirt's form. All of it comes from the guest: displayed, never trusted. */
import type { DomainInterface, GuestOsInfo, Omitted } from '../../protocol';
import type { Listed } from '../../protocol/bounds';
import { bounded, boundFilesystems, boundUsers, LIMITS } from '../../protocol/bounds';
import { plainText } from '../../../api/plain-text';
import type { DomainRef, LibvirtClient } from '../libvirt/client';

const text = (value: unknown, max: number = LIMITS.text): string | undefined =>
  typeof value === 'string' ? plainText(value, max) : undefined;

export interface AgentReport {
  version?: string;
  supportedCommands: string[];
  os?: GuestOsInfo;
  hostname?: string;
  interfaces: DomainInterface[];
  /** Number of reported entries beyond the limits. */
  omitted?: Omitted;
}

/** guest-get-osinfo */
export function readOsInfo(answer: unknown): GuestOsInfo {
  const from = (answer ?? {}) as Record<string, unknown>;
  return {
    name: text(from.name),
    version: text(from.version),
    prettyName: text(from['pretty-name']),
    versionId: text(from['version-id']),
    kernelRelease: text(from['kernel-release']),
    kernelVersion: text(from['kernel-version']),
    machine: text(from.machine),
    id: text(from.id),
  };
}

/** guest-network-get-interfaces, without loopback. */
export function readInterfaces(answer: unknown): Listed<DomainInterface> & { readonly omittedIps: number } {
  let omittedIps = 0;
  const { items, omitted } = bounded(answer, LIMITS.interfaces + LIMITS.guestInterfaces, (nic) => {
    if (nic.name === 'lo') return undefined;
    const ips = bounded(nic['ip-addresses'], LIMITS.ips, (ip) => text(ip['ip-address']));
    omittedIps += ips.omitted;
    return {
      mac: text(nic['hardware-address'])?.toLowerCase(),
      interfaceName: text(nic.name),
      ips: ips.items,
      infoSource: 'guest-agent' as const,
    };
  });
  return { items, omitted, omittedIps };
}

/** guest-get-users -> VirtualMachineInstanceGuestOSUser[] */
export function readUsers(answer: unknown): Listed<object> {
  const { items, omitted } = bounded(answer, LIMITS.users, (user) => ({
    userName: user.user,
    domain: user.domain,
    loginTime: user['login-time'],
  }));
  return { items: boundUsers(items).items, omitted };
}

/** guest-get-fsinfo -> VirtualMachineInstanceFileSystem[] */
export function readFilesystems(answer: unknown): Listed<object> {
  const { items, omitted } = bounded(answer, LIMITS.filesystems, (fs) => ({
    diskName: fs.name,
    mountPoint: fs.mountpoint,
    fileSystemType: fs.type,
    usedBytes: fs['used-bytes'],
    totalBytes: fs['total-bytes'],
    disk: Array.isArray(fs.disk)
      ? fs.disk.map((disk: unknown) => {
          const { serial, 'bus-type': busType } = (disk ?? {}) as Record<string, unknown>;
          return { serial, busType };
        })
      : [],
  }));
  return { items: boundFilesystems(items).items, omitted };
}

/** Everything that the VMI's status shows. If the agent does not support a command, its part is left out. */
export async function askAgent(client: LibvirtClient, dom: DomainRef): Promise<AgentReport> {
  const ask = (command: string): Promise<unknown> => client.agent(dom, command).catch(() => undefined);
  const info = (await client.agent(dom, 'guest-info')) as Record<string, unknown>;
  const commands = bounded(info.supported_commands, LIMITS.commands, ({ name, enabled }) =>
    enabled === true ? text(name, LIMITS.word) : undefined,
  );
  const [os, nics, host] = [
    await ask('guest-get-osinfo'),
    await ask('guest-network-get-interfaces'),
    await ask('guest-get-host-name'),
  ];
  const interfaces = readInterfaces(nics);
  const { omitted, omittedIps } = interfaces;
  return {
    version: text(info.version, LIMITS.word),
    supportedCommands: commands.items,
    os: os ? readOsInfo(os) : undefined,
    hostname: text((host as Record<string, unknown> | undefined)?.['host-name']),
    interfaces: interfaces.items,
    ...(omitted + omittedIps > 0 ? { omitted: { interfaces: omitted, ips: omittedIps } } : {}),
  };
}

/** The NICs of the domain with the agent's data, and those that only the agent knows. */
export function mergeInterfaces(domain: DomainInterface[], reported: DomainInterface[]): DomainInterface[] {
  const merged = domain.map((nic): DomainInterface => {
    const seen = reported.find(({ mac }) => mac !== undefined && mac === nic.mac);
    return seen ? { ...nic, interfaceName: seen.interfaceName, ips: seen.ips, infoSource: 'domain, guest-agent' } : nic;
  });
  return [...merged, ...reported.filter(({ mac }) => !domain.some((nic) => nic.mac === mac))];
}
