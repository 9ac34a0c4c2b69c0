import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, run } from '../../runtime/host/command';
import { readJson, removeTree, writeJson } from '../host/files';
import { whileAlone } from './alone';
import { enableForwarding, readSetting, restoreSettings, writeSetting } from './forwarding';
import { checkId, gatewayName, policyTableName, tableName, vethName, vethPrefix } from './names';
import { addressAt, areFree, freeSubnets, macOf, nextHost } from './subnet';
import type { Subnets } from './subnet';

export interface PodNetworkOptions {
  /** Short id of the engine, from which all names in the host's network derive. */
  readonly id: string;
  readonly stateDir: string;
  /** Subnets of a further node, which the engine chose. Default: free ones of this machine. */
  readonly subnets?: Subnets;
}

export interface PodAddresses {
  readonly ipv4: string;
  readonly ipv6?: string;
}

interface Saved {
  subnets: Subnets;
  /** Host numbers by Pod UID. */
  leases: Record<string, number>;
  last: number;
  /** Former host settings. */
  settings: Record<string, string>;
}

/** IPv6 address of the gateway for Pods: the same on each link. */
const ROUTER = 'fe80::1';

const stateFile = (stateDir: string): string => join(stateDir, 'network', 'network.json');

/**
 * Network of the Pods: a veth pair and a host route per Pod, addresses that a Pod keeps for its lifetime, and one link
 * with the gateway's addresses.
 *
 * Why no bridge between Pods: with br_netfilter a packet to a Service would be redirected on the bridge, from port to
 * port (so a Pod could not reach itself), and without it answers would come back past the Service rules. Routed, each
 * packet meets the rules in both directions, regardless of the host's settings for bridged packets.
 */
export class PodNetwork {
  private constructor(
    public readonly id: string,
    private readonly stateDir: string,
    private readonly saved: Saved,
  ) {
    this.cluster = Object.values(saved.subnets);
  }

  /** IPv4 and IPv6 subnets of all nodes: packets between them keep their source addresses. */
  public cluster: readonly string[];

  /** MTU of the host's default route, so that packets of Pods need no fragmentation. */
  private readonly mtu = uplinkMtu();

  /** Creates the gateway, or adopts the gateway of an earlier engine with this id. */
  public static async open({ id, stateDir, subnets }: PodNetworkOptions): Promise<PodNetwork> {
    checkId(id);
    return whileAlone(async () => {
      const link = gatewayName(id);
      const ipv6 = readSetting('ipv6/conf/all/disable_ipv6') === '0';
      const known = await readJson<Saved>(stateFile(stateDir));
      const taken = await routesExcept(vethPrefix(id), link);
      const saved: Saved = known ?? { subnets: subnets ?? freeSubnets(taken, ipv6), leases: {}, last: 1, settings: {} };
      // the first stored value is the original one: a second start would read our own value
      const settings = enableForwarding(ipv6);
      saved.settings = { ...settings, ...saved.settings };
      await writeJson(stateFile(stateDir), saved);
      await makeGateway(link, saved.subnets);
      return new PodNetwork(id, stateDir, saved);
    });
  }

  public get subnets(): Subnets {
    return this.saved.subnets;
  }

  /** Host addresses for Pods: the node's InternalIPs and the DNS server. */
  public get gateway(): PodAddresses {
    return addressAt(this.saved.subnets, 1);
  }

  public addressesOf(podUid: string): PodAddresses | undefined {
    const host = this.saved.leases[podUid];
    return host === undefined ? undefined : addressAt(this.saved.subnets, host);
  }

  /** Connects a Pod's network namespace; the same Pod gets the same addresses again. */
  public async attach(podUid: string, netns: string): Promise<PodAddresses> {
    const addresses = await this.lease(podUid);
    const link = vethName(this.id, podUid);
    const hostSide = [
      `link add ${link} mtu ${this.mtu} type veth peer name eth0 mtu ${this.mtu} address ${macOf(addresses.ipv4)} netns ${netns}`,
      `link set ${link} up`,
      `route add ${addresses.ipv4}/32 dev ${link} src ${this.gateway.ipv4}`,
      ...(addresses.ipv6
        ? [`addr add ${ROUTER}/64 dev ${link} nodad`, `route add ${addresses.ipv6}/128 dev ${link}`]
        : []),
    ];
    const { code, stderr } = await attempt('ip', ['-batch', '-'], { input: lines(hostSide) });
    if (code !== 0 && /File exists/.test(stderr)) {
      // left by an interrupted start: replace the pair, because its other end is not in this namespace
      await attempt('ip', ['link', 'del', link]);
      await run('ip', ['-batch', '-'], { input: lines(hostSide) });
    } else if (code !== 0) {
      throw new Error(`network: cannot connect Pod ${podUid}: ${stderr.trim()}`);
    }
    configureLink(link);
    await run('nsenter', [`--net=${netns}`, 'ip', '-batch', '-'], { input: lines(this.podSide(addresses)) });
    return addresses;
  }

  /** Removes a Pod's link and frees its addresses. */
  public async detach(podUid: string): Promise<void> {
    if (this.saved.leases[podUid] === undefined) return;
    await attempt('ip', ['link', 'del', vethName(this.id, podUid)]);
    delete this.saved.leases[podUid];
    await this.save();
  }

  /** Pods that have addresses. */
  public leasedPods(): string[] {
    return Object.keys(this.saved.leases);
  }

  private podSide({ ipv4, ipv6 }: PodAddresses): string[] {
    const gateway = this.gateway;
    const commands = [
      'link set lo up',
      // no route to the /24 on this link: other Pods are reached through the gateway
      `addr add ${ipv4}/24 dev eth0 noprefixroute`,
      'link set eth0 up',
      `route add ${gateway.ipv4}/32 dev eth0 scope link src ${ipv4}`,
      `route add default via ${gateway.ipv4} dev eth0 src ${ipv4}`,
    ];
    if (ipv6)
      commands.push(`addr add ${ipv6}/64 dev eth0 nodad noprefixroute`, `route add default via ${ROUTER} dev eth0`);
    return commands;
  }

  private async lease(podUid: string): Promise<PodAddresses> {
    const known = this.addressesOf(podUid);
    if (known) return known;
    const host = nextHost(new Set(Object.values(this.saved.leases)), this.saved.last);
    this.saved.leases[podUid] = host;
    this.saved.last = host;
    await this.save();
    return addressAt(this.saved.subnets, host);
  }

  private saving: Promise<void> = Promise.resolve();
  private save(): Promise<void> {
    this.saving = this.saving.then(() => writeJson(stateFile(this.stateDir), this.saved));
    return this.saving;
  }
}

/** Removes gateway, veth pairs and nft tables of an engine, and restores the host's settings. Idempotent. */
export async function destroyPodNetwork(stateDir: string, id: string): Promise<void> {
  await whileAlone(async () => {
    for (const table of [tableName(id), policyTableName(id)]) await attempt('nft', ['delete', 'table', 'inet', table]);
    const { stdout } = await attempt('ip', ['-j', 'link', 'show', 'type', 'veth']);
    const links = (stdout.trim() ? (JSON.parse(stdout) as { ifname?: string }[]) : [])
      .map((link) => link.ifname ?? '')
      .filter((name) => name.startsWith(vethPrefix(id)));
    for (const link of links) await attempt('ip', ['link', 'del', link]);
    await attempt('ip', ['link', 'del', gatewayName(id)]);
    const saved = await readJson<Saved>(stateFile(stateDir));
    if (saved && !(await otherEngines())) restoreSettings(saved.settings);
    await removeTree(join(stateDir, 'network'));
  });
}

/** MTU of the link of the default route. */
function uplinkMtu(): number {
  const link = readFileSync('/proc/net/route', 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .find((fields) => fields[1] === '00000000')?.[0];
  if (!link) return 1500;
  // not from /sys, which shows another network namespace on further nodes
  const { stdout } = spawnSync('ip', ['-j', 'link', 'show', link], { encoding: 'utf8' });
  const [found] = JSON.parse(stdout || '[]') as { mtu?: number }[];
  return Math.min(1500, found?.mtu ?? 1500);
}

const lines = (commands: readonly string[]): string => `${commands.join('\n')}\n`;

/**
 * Chooses subnets for a further node, apart from all routes of this machine and from `reserved`. Call it in `whileAlone`
 * and add the routes there, too: before, another engine may choose the same ones.
 */
export async function chooseSubnets(reserved: readonly string[], ipv6: boolean, preferred?: Subnets): Promise<Subnets> {
  const taken = [...(await routesExcept()), ...reserved];
  return preferred && areFree(preferred, taken) ? preferred : freeSubnets(taken, ipv6);
}

/** Networks on links of others. */
async function routesExcept(...prefixes: string[]): Promise<string[]> {
  const [v4, v6] = await Promise.all(
    ['-4', '-6'].map((family) => attempt('ip', ['-j', family, 'route', 'show', 'table', 'all'])),
  );
  return [v4, v6].flatMap((answer) => {
    const routes = JSON.parse(answer?.stdout.trim() || '[]') as { dst?: string; dev?: string }[];
    return routes.flatMap(({ dst, dev }) => (dst && !prefixes.some((prefix) => dev?.startsWith(prefix)) ? [dst] : []));
  });
}

async function otherEngines(): Promise<boolean> {
  const { stdout } = await attempt('ip', ['-j', 'link', 'show', 'type', 'bridge']);
  const links = stdout.trim() ? (JSON.parse(stdout) as { ifname?: string }[]) : [];
  return links.some(({ ifname }) => ifname?.startsWith('v8s-'));
}

async function makeGateway(link: string, subnets: Subnets): Promise<void> {
  // a bridge without ports: kernels that run guests have bridges, but some lack dummy links
  await attempt('ip', ['link', 'add', link, 'type', 'bridge']);
  const { ipv4, ipv6 } = addressAt(subnets, 1);
  const commands = [`addr replace ${ipv4}/24 dev ${link}`];
  if (ipv6) commands.push(`addr replace ${ipv6}/64 dev ${link} nodad`);
  commands.push(`link set ${link} up`);
  await run('ip', ['-batch', '-'], { input: lines(commands) });
}

/** Kernel settings for the host's end of a Pod's link. */
function configureLink(link: string): void {
  // do not send redirects: packets may leave where they came in when a Pod reaches itself through a Service
  writeSetting(`ipv4/conf/${link}/send_redirects`, '0');
  // proxy ARP: guests with a Pod's address expect other Pods of the /24 on this link
  writeSetting(`ipv4/conf/${link}/proxy_arp`, '1');
  // node ports on 127.0.0.1; what Pods send there is dropped by our nft table
  writeSetting(`ipv4/conf/${link}/route_localnet`, '1');
}
