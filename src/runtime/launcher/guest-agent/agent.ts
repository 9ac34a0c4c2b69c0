/** What the guest agent says, in KubeVirt's shapes. Everything here comes from the guest: shown, never trusted. */
import type { DomainInterface, GuestOsInfo } from '../../protocol';
import type { DomainRef, LibvirtClient } from '../libvirt/client';

/** A guest cannot make us hold or send more than this of anything. */
const MAX_ITEMS = 64;
const MAX_TEXT = 256;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined);
const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value)
    ? (value.slice(0, MAX_ITEMS).filter((each) => each && typeof each === 'object') as Record<string, unknown>[])
    : [];

export interface AgentReport {
  version?: string;
  supportedCommands: string[];
  os?: GuestOsInfo;
  hostname?: string;
  interfaces: DomainInterface[];
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
export function readInterfaces(answer: unknown): DomainInterface[] {
  return list(answer)
    .filter(({ name }) => name !== 'lo')
    .map((nic) => ({
      mac: text(nic['hardware-address'])?.toLowerCase(),
      interfaceName: text(nic.name),
      ips: list(nic['ip-addresses']).flatMap((ip) => text(ip['ip-address']) ?? []),
      infoSource: 'guest-agent' as const,
    }));
}

/** guest-get-users -> VirtualMachineInstanceGuestOSUser[] */
export function readUsers(answer: unknown): object[] {
  return list(answer).map((user) => ({
    userName: text(user.user),
    domain: text(user.domain),
    loginTime: typeof user['login-time'] === 'number' ? user['login-time'] : undefined,
  }));
}

/** guest-get-fsinfo -> VirtualMachineInstanceFileSystem[] */
export function readFilesystems(answer: unknown): object[] {
  return list(answer).map((fs) => ({
    diskName: text(fs.name),
    mountPoint: text(fs.mountpoint),
    fileSystemType: text(fs.type),
    usedBytes: typeof fs['used-bytes'] === 'number' ? fs['used-bytes'] : 0,
    totalBytes: typeof fs['total-bytes'] === 'number' ? fs['total-bytes'] : 0,
    disk: list(fs.disk).map((disk) => ({ serial: text(disk.serial), busType: text(disk['bus-type']) })),
  }));
}

/** Everything that the VMI's status shows. A command that the agent does not have leaves its part out. */
export async function askAgent(client: LibvirtClient, dom: DomainRef): Promise<AgentReport> {
  const ask = (command: string): Promise<unknown> => client.agent(dom, command).catch(() => undefined);
  const info = (await client.agent(dom, 'guest-info')) as Record<string, unknown>;
  const commands = (Array.isArray(info.supported_commands) ? info.supported_commands : []) as Record<string, unknown>[];
  const [os, nics, host] = [
    await ask('guest-get-osinfo'),
    await ask('guest-network-get-interfaces'),
    await ask('guest-get-host-name'),
  ];
  return {
    version: text(info.version),
    supportedCommands: commands.filter(({ enabled }) => enabled).flatMap(({ name }) => text(name) ?? []),
    os: os ? readOsInfo(os) : undefined,
    hostname: text((host as Record<string, unknown> | undefined)?.['host-name']),
    interfaces: readInterfaces(nics),
  };
}

/** The NICs of the domain with what the agent added, and those that only the agent knows. */
export function mergeInterfaces(domain: DomainInterface[], reported: DomainInterface[]): DomainInterface[] {
  const merged = domain.map((nic): DomainInterface => {
    const seen = reported.find(({ mac }) => mac !== undefined && mac === nic.mac);
    return seen ? { ...nic, interfaceName: seen.interfaceName, ips: seen.ips, infoSource: 'domain, guest-agent' } : nic;
  });
  return [...merged, ...reported.filter(({ mac }) => !domain.some((nic) => nic.mac === mac))];
}
