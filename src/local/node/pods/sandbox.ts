import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import type { PodAddresses, PodNetwork } from '../../network';
import type { Pod } from '../../core-v1';
import { attempt, run } from '../../../runtime/host/command';
import { unmountBelow } from '../../host/unmount';
import { mountsUnder, readJson, removeTree, writeJson } from '../../host/files';
import { processesIn } from '../runtime/cgroups';
import { isAlive } from '../runtime/crun';
import type { ContainerRecord } from './record';
import { AdmissionError } from './errors';
import { createPidNamespace } from './pause';
import type { NodePaths } from './paths';

/** Shared environment of a Pod's containers: namespaces, addresses, name files and shared memory. */
export interface Sandbox {
  /** Changes whenever the namespaces are recreated. */
  readonly id: string;
  readonly podIPs: readonly string[];
  readonly namespaces: {
    readonly network?: string;
    readonly ipc?: string;
    readonly uts?: string;
    /** PID namespace that all containers share. */
    readonly pid?: string;
  };
  /** Time at which `PodReadyToStartContainers` became true. */
  readonly createdAt: string;
}

export interface SandboxOptions {
  readonly paths: NodePaths;
  readonly network: PodNetwork;
  readonly nodeName: string;
  readonly clusterDomain: string;
  readonly cgroupParent: string;
}

interface Saved {
  readonly id: string;
  readonly createdAt: string;
  readonly namespace: string;
  readonly name: string;
}

const NAMESPACES = ['net', 'ipc', 'uts'] as const;
/** Sysctls that containerd 2 sets: any user may bind low ports and ping. */
const POD_SYSCTLS = { 'net.ipv4.ip_unprivileged_port_start': '0', 'net.ipv4.ping_group_range': '0 2147483647' };

export class Sandboxes {
  public constructor(private readonly options: SandboxOptions) {}

  /** Creates the sandbox, or finds it after a restart of the engine by its mounts or a running container. */
  public async ensure(pod: Pod, records: readonly ContainerRecord[]): Promise<Sandbox> {
    const forbidden = forbiddenSysctl(pod);
    if (forbidden) throw new AdmissionError('SysctlForbidden', `forbidden sysctl: "${forbidden}" not allowlisted`);
    const uid = pod.metadata.uid ?? '';
    const { paths } = this.options;
    const saved = await readJson<Saved>(paths.sandbox(uid, 'sandbox.json'));
    if (saved && (await this.reopen(pod, records))) return this.describe(pod, saved);
    await mkdir(paths.sandbox(uid), { recursive: true });
    const podIPs = await this.createNamespaces(pod);
    await this.writeNameFiles(pod, podIPs);
    const fresh: Saved = {
      id: randomBytes(8).toString('hex'),
      createdAt: new Date().toISOString(),
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name ?? '',
    };
    await writeJson(paths.sandbox(uid, 'sandbox.json'), fresh);
    return this.describe(pod, fresh);
  }

  /** Removes namespaces, addresses and mounts. The volumes must be removed first. */
  public async remove(podUid: string): Promise<void> {
    const directory = this.options.paths.sandbox(podUid);
    for (const pid of processesIn(this.pauseCgroup(podUid))) killNow(pid);
    await unmountBelow(directory);
    await this.options.network.detach(podUid);
    await removeTree(directory);
  }

  private describe(pod: Pod, saved: Saved): Sandbox {
    const uid = pod.metadata.uid ?? '';
    const { paths, network } = this.options;
    const { hostNetwork, hostIPC } = pod.spec;
    const addresses = hostNetwork ? network.gateway : network.addressesOf(uid);
    return {
      id: saved.id,
      createdAt: saved.createdAt,
      podIPs: listOf(addresses),
      namespaces: {
        network: hostNetwork ? undefined : paths.sandbox(uid, 'net'),
        ipc: hostIPC ? undefined : paths.sandbox(uid, 'ipc'),
        uts: hostNetwork ? undefined : paths.sandbox(uid, 'uts'),
        pid: sharesProcesses(pod) ? paths.sandbox(uid, 'pid') : undefined,
      },
    };
  }

  private pauseCgroup(podUid: string): string {
    return `${this.options.cgroupParent}/pod${podUid}/sandbox`;
  }

  private async reopen(pod: Pod, records: readonly ContainerRecord[]): Promise<boolean> {
    const uid = pod.metadata.uid ?? '';
    const { paths } = this.options;
    if (!pod.spec.hostNetwork && !this.options.network.addressesOf(uid)) return false;
    const pause = processesIn(this.pauseCgroup(uid)).at(0);
    if (sharesProcesses(pod) && !pause) return false;
    const mounted = new Set(mountsUnder(paths.sandbox(uid)));
    const names = NAMESPACES.map((name) => [name, paths.sandbox(uid, name)] as const);
    const lost = names.filter(([, path]) => existsSync(path) && !mounted.has(path));
    if (!lost.length && names.some(([, path]) => mounted.has(path))) return true;
    // the mount namespace ended with its engine, but the Pod's processes keep the other namespaces
    const alive = records.find((record) => isAlive(record.process));
    if (!alive?.process) return false;
    if (pause && !mounted.has(paths.sandbox(uid, 'pid'))) {
      await run('mount', ['--bind', `/proc/${pause}/ns/pid`, paths.sandbox(uid, 'pid')]);
    }
    for (const [name, path] of lost) {
      await run('mount', ['--bind', `/proc/${alive.process.pid}/ns/${name}`, path]);
    }
    if (!mounted.has(paths.sandbox(uid, 'shm'))) await this.mountSharedMemory(uid);
    return true;
  }

  private async createNamespaces(pod: Pod): Promise<string[]> {
    const uid = pod.metadata.uid ?? '';
    const { paths, network } = this.options;
    const { hostNetwork, hostIPC } = pod.spec;
    const stale = mountsUnder(paths.sandbox(uid));
    if (stale.length) await attempt('umount', ['--lazy', ...stale]);
    const wanted = NAMESPACES.filter((name) => (name === 'ipc' ? !hostIPC : !hostNetwork));
    for (const name of wanted) await writeFile(paths.sandbox(uid, name), '');
    const done = await Promise.allSettled([this.mountSharedMemory(uid), this.unshare(pod, wanted)]);
    for (const part of done) if (part.status === 'rejected') throw part.reason;
    for (const pid of processesIn(this.pauseCgroup(uid))) killNow(pid);
    if (sharesProcesses(pod)) {
      await createPidNamespace(paths.sandbox(uid, 'pid'), paths.sandbox(uid), this.pauseCgroup(uid));
    }
    if (hostNetwork) return listOf(network.gateway);
    return listOf(await network.attach(uid, paths.sandbox(uid, 'net')));
  }

  /** Creates the namespaces of a Pod with its host name and sysctls. */
  private async unshare(pod: Pod, wanted: readonly string[]): Promise<void> {
    if (!wanted.length) return;
    const { paths } = this.options;
    const { hostNetwork, securityContext } = pod.spec;
    const sysctls = { ...(hostNetwork ? {} : POD_SYSCTLS) } as Record<string, string>;
    for (const { name, value } of securityContext?.sysctls ?? []) sysctls[name] = value;
    const script = [
      'set -e',
      // written by the shell: hostname(1) would be one more program
      ...(hostNetwork ? [] : [`echo ${quote(hostnameOf(pod, this.options))} > /proc/sys/kernel/hostname`]),
      ...Object.entries(sysctls).map(([name, value]) => `echo ${quote(value)} > ${quote(sysctlPath(name))}`),
    ];
    const options = wanted.map((name) => `--${name}=${paths.sandbox(pod.metadata.uid ?? '', name)}`);
    await run('unshare', [...options, 'sh', '-s'], { input: `${script.join('\n')}\n` });
  }

  private async mountSharedMemory(uid: string): Promise<void> {
    const shm = this.options.paths.sandbox(uid, 'shm');
    await mkdir(shm, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', 'nosuid,nodev,noexec,mode=1777,size=64m', 'shm', shm]);
  }

  private async writeNameFiles(pod: Pod, podIPs: readonly string[]): Promise<void> {
    const { paths } = this.options;
    const file = (name: string): string => paths.sandbox(pod.metadata.uid ?? '', name);
    const hostname = hostnameOf(pod, this.options);
    await writeFile(file('hostname'), `${hostname}\n`);
    await writeFile(file('hosts'), hostsFile(pod, podIPs, hostname, this.options.clusterDomain));
    await writeFile(file('resolv.conf'), this.resolvConf(pod));
  }

  private resolvConf(pod: Pod): string {
    const host = readFileSync('/etc/resolv.conf', 'utf8');
    const { gateway } = this.options.network;
    return resolvConf(pod, gateway.ipv4, this.options.clusterDomain, host);
  }
}

const sharesProcesses = ({ spec }: Pod): boolean => Boolean(spec.shareProcessNamespace && !spec.hostPID);

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process has ended
  }
}

/** Addresses of a Pod. IPv4 is first, because the first address is `status.podIP`. */
const listOf = (addresses: PodAddresses | undefined): string[] =>
  addresses ? [addresses.ipv4, ...(addresses.ipv6 ? [addresses.ipv6] : [])] : [];

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** File of a sysctl such as `net.ipv4.ip_forward` or `net/ipv4/ip_forward`. The first separator decides; the other character is literal. */
export function sysctlPath(name: string): string {
  const dotted = /^[^./]*\./.test(name);
  const path = dotted ? name.replace(/[./]/g, (sign) => (sign === '.' ? '/' : '.')) : name;
  return `/proc/sys/${path}`;
}

/** First sysctl outside of the Pod's own namespaces. A Pod must not change settings of the host. */
export function forbiddenSysctl({ spec }: Pod): string | undefined {
  const own = (name: string): boolean => {
    if (name.split('/').includes('..')) return false;
    if (/^net\//.test(name)) return !spec.hostNetwork;
    return /^(kernel\/(shm|msg|sem$)|fs\/mqueue\/)/.test(name) && !spec.hostIPC;
  };
  const sysctls = spec.securityContext?.sysctls ?? [];
  return sysctls.find(({ name }) => !own(sysctlPath(name).replace('/proc/sys/', '')))?.name;
}

/** Host name of a Pod: `spec.hostname` or the Pod's name, cut to Linux's limit. */
export function hostnameOf(pod: Pod, { nodeName, clusterDomain }: { nodeName: string; clusterDomain: string }): string {
  const { hostNetwork, hostname, subdomain, setHostnameAsFQDN } = pod.spec;
  if (hostNetwork) return nodeName;
  const short = (hostname || pod.metadata.name || '').slice(0, 63).replace(/[-.]+$/, '');
  if (!setHostnameAsFQDN || !subdomain) return short;
  return `${short}.${subdomain}.${pod.metadata.namespace}.svc.${clusterDomain}`;
}

export function hostsFile(pod: Pod, podIPs: readonly string[], hostname: string, clusterDomain: string): string {
  if (pod.spec.hostNetwork) return readFileSync('/etc/hosts', 'utf8');
  const { subdomain, hostAliases } = pod.spec;
  const full = subdomain ? `${hostname}.${subdomain}.${pod.metadata.namespace}.svc.${clusterDomain}\t` : '';
  const lines = [
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    ...podIPs.map((ip) => `${ip}\t${full}${hostname}`),
  ];
  if (hostAliases?.length) {
    lines.push('', '# Entries added by HostAliases.');
    for (const { ip, hostnames } of hostAliases) lines.push(`${ip}\t${(hostnames ?? []).join('\t')}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Content of a Pod's resolv.conf: the engine's DNS server first, then the result of `dnsPolicy` and `dnsConfig`. */
export function resolvConf(pod: Pod, dnsServer: string, clusterDomain: string, hostFile: string): string {
  const values = (key: string): string[] =>
    hostFile
      .split('\n')
      .filter((line) => line.startsWith(`${key} `) || line.startsWith(`${key}\t`))
      .flatMap((line) => line.split(/\s+/).slice(1).filter(Boolean));
  const { dnsPolicy = 'ClusterFirst', dnsConfig, hostNetwork } = pod.spec;
  const cluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  const fromHost = { servers: values('nameserver'), searches: values('search'), options: values('options') };
  let servers = cluster ? [dnsServer] : dnsPolicy === 'None' ? [] : fromHost.servers;
  let searches = dnsPolicy === 'None' ? [] : fromHost.searches;
  const options = new Map<string, string | undefined>(
    (cluster ? ['ndots:5'] : dnsPolicy === 'None' ? [] : fromHost.options).map((option) => {
      const [name = '', value] = option.split(':');
      return [name, value] as const;
    }),
  );
  if (cluster) {
    searches = [`${pod.metadata.namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain, ...searches];
  }
  servers = [...new Set([...servers, ...(dnsConfig?.nameservers ?? [])])];
  searches = [...new Set([...searches, ...(dnsConfig?.searches ?? [])])];
  for (const { name, value } of dnsConfig?.options ?? []) options.set(name, value);
  const shown = [...options].map(([name, value]) => (value === undefined ? name : `${name}:${value}`));
  return [
    ...(searches.length ? [`search ${searches.join(' ')}`] : []),
    ...servers.map((server) => `nameserver ${server}`),
    ...(shown.length ? [`options ${shown.join(' ')}`] : []),
    '',
  ].join('\n');
}
