import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressAt } from '../../network/subnet';
import { nodeLinkName } from '../../network/names';
import { attempt, run } from '../../../runtime/host/command';
import type { NodeConfig } from './node-config';

/**
 * Network and UTS namespace of a further node, with a routed link to the machine. An idle process holds them, so that they
 * survive the engine; a name below /run/netns would be invisible in the engine's mount namespace on many machines.
 */

type Place = Pick<NodeConfig, 'stateDir' | 'id'>;

/** Name of the link in the node's namespace. */
const UPLINK = 'uplink';
/** IPv6 addresses of both ends. Link-local ones, because a neighbour answers only for addresses of the same link. */
const HOST_END = 'fe80::1';
const NODE_END = 'fe80::2';
/** Metric of routes that count only without the node's link. */
const FALLBACK = 10_000;
const STARTS_WITHIN_MS = 5_000;

/** File that the holder follows; its path identifies the process. */
const heldFile = ({ stateDir }: Place): string => join(stateDir, 'namespace');

/** PID of the process that holds a node's namespaces. */
function holderOf(place: Place): number | undefined {
  const command = `tail\0-f\0${heldFile(place)}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === command;
      } catch {
        return false;
      }
    });
}

/** Command that runs `argv` in a node's namespaces. */
export function inNodeNamespace(place: Place, argv: readonly string[]): string[] {
  const pid = holderOf(place);
  if (pid === undefined) throw new Error(`the namespaces of ${place.stateDir} do not exist; start the engine again`);
  return ['nsenter', '-t', String(pid), '--net', '--uts', '--', ...argv];
}

/** Creates the namespaces, the link and the routes on both sides, or completes what an interrupted start left. */
export async function makeNamespace(config: NodeConfig): Promise<void> {
  const { id, subnets, router } = config;
  const pid = holderOf(config) ?? (await startHolder(config));
  const link = nodeLinkName(id);
  const { code } = await attempt('nsenter', ['-t', String(pid), '--net', 'ip', 'link', 'show', UPLINK]);
  if (code !== 0) {
    await attempt('ip', ['link', 'del', link]);
    await run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', UPLINK, 'netns', String(pid)]);
  }
  const node = addressAt(subnets, 1);
  await run('ip', ['-batch', '-'], { input: lines(hostSide(config)) });
  const [command, ...args] = inNodeNamespace(config, ['ip', '-batch', '-']);
  await run(command!, args, { input: lines(nodeSide(node, router)) });
}

async function startHolder(config: NodeConfig): Promise<number> {
  const file = heldFile(config);
  writeFileSync(file, '');
  const script = 'hostname "$0" && exec tail -f "$1"';
  const child = spawn('unshare', ['--net', '--uts', '--', 'sh', '-c', script, config.name, file], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
  });
  child.unref();
  for (const until = Date.now() + STARTS_WITHIN_MS; Date.now() < until; await sleep(5)) {
    const pid = holderOf(config);
    if (pid !== undefined) return pid;
  }
  throw new Error(`the namespaces of node ${config.name} cannot be created with unshare (exit code ${child.exitCode})`);
}

function hostSide({ id, subnets, gateway, router }: NodeConfig): string[] {
  const { ipv4, ipv6 } = subnets;
  const link = nodeLinkName(id);
  const node = addressAt(subnets, 1).ipv4;
  return [
    // while the node is disconnected, these routes keep other engines from choosing its subnets
    ...[ipv4, ...(ipv6 ? [ipv6] : [])].map((subnet) => `route replace ${subnet} dev ${gateway} metric ${FALLBACK}`),
    `link set ${link} up`,
    `route replace ${ipv4} via ${node} dev ${link} onlink src ${router.ipv4}`,
    ...(ipv6
      ? [`addr replace ${HOST_END}/64 dev ${link} nodad`, `route replace ${ipv6} via ${NODE_END} dev ${link}`]
      : []),
  ];
}

function nodeSide(node: { ipv4: string; ipv6?: string }, router: { ipv4: string; ipv6?: string }): string[] {
  return [
    'link set lo up',
    `link set ${UPLINK} up`,
    // the address is that of the Pods' gateway, too: replies to the machine need it before the node has started
    `addr replace ${node.ipv4}/32 dev ${UPLINK}`,
    `route replace ${router.ipv4}/32 dev ${UPLINK} scope link src ${node.ipv4}`,
    `route replace default via ${router.ipv4} dev ${UPLINK} src ${node.ipv4}`,
    ...(node.ipv6 && router.ipv6
      ? [`addr replace ${NODE_END}/64 dev ${UPLINK} nodad`, `route replace default via ${HOST_END} dev ${UPLINK}`]
      : []),
  ];
}

/** Removes the link and the namespaces. Idempotent. */
export async function destroyNamespace(place: Place): Promise<void> {
  await attempt('ip', ['link', 'del', nodeLinkName(place.id)]);
  const pid = holderOf(place);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

/** Plugs or unplugs the node's network link. */
export async function setConnected(config: NodeConfig, connected: boolean): Promise<void> {
  // the routes go with the link
  if (connected) await makeNamespace(config);
  else await run('ip', ['link', 'set', nodeLinkName(config.id), 'down']);
}

/** Whether the node's link is up; undefined if it does not exist. */
export async function isConnected({ id }: Place): Promise<boolean | undefined> {
  const { code, stdout } = await attempt('ip', ['-j', 'link', 'show', nodeLinkName(id)]);
  if (code !== 0) return undefined;
  const [link] = JSON.parse(stdout) as { flags?: string[] }[];
  return link?.flags?.includes('UP') ?? false;
}

const lines = (commands: readonly string[]): string => `${commands.join('\n')}\n`;
