/**
 * Prints what the guests of a node can have, as JSON: `virt-node-capabilities [--to FILE]`. It runs once on each node, as
 * an init container of virt-handler, with the libvirt and the QEMU with which launchers start guests.
 */
import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { NodeCapabilities } from '../../../api/node-capabilities';
import { Connection } from '../libvirt/connection';
import { askCapabilities } from './ask';

/** User of launchers: libvirt's answer depends on the devices that its user may open. */
const USER = 107;
const KVM = '/dev/kvm';
const DEVICES = [KVM, '/dev/sev'];
const CONNECT_MS = 20_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  const { to } = values;
  if (to === undefined) return void process.stdout.write(`${JSON.stringify(await capabilities(tmpdir()))}\n`);
  // a node whose libvirt fails can still run guests that need no label: virt-handler starts, and reports the cause
  const result = await capabilities(dirname(to)).catch((error: unknown) => ({ error: textOf(error) }));
  // virt-handler never reads half a file
  writeFileSync(`${to}.new`, `${JSON.stringify(result)}\n`);
  renameSync(`${to}.new`, to);
}

/** Starts a libvirtd with its files in a new folder of `parent`, and asks it. */
async function capabilities(parent: string): Promise<NodeCapabilities> {
  const isRoot = process.getuid?.() === 0;
  // the container's own device nodes, not those of the machine
  if (isRoot) for (const path of DEVICES) if (existsSync(path)) chmodSync(path, 0o666);
  const home = mkdtempSync(join(parent, 'libvirt-'));
  if (isRoot) chownSync(home, USER, USER);
  const libvirtd = spawn('libvirtd', [], {
    ...(isRoot && { uid: USER, gid: USER }),
    env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let messages = '';
  libvirtd.stderr.on('data', (chunk: Buffer) => (messages = (messages + chunk.toString()).slice(-1_000)));
  const ended = new Promise<never>((_, reject) => {
    libvirtd.once('error', reject);
    libvirtd.once('exit', (code, signal) => reject(new Error(`libvirtd ended with ${signal ?? code}: ${messages}`)));
  });
  ended.catch(() => undefined);
  try {
    const connection = await Promise.race([connect(join(home, 'libvirt/libvirt-sock')), ended]);
    return await Promise.race([askCapabilities(connection, mayUse(KVM)), ended]);
  } finally {
    libvirtd.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Connects as soon as libvirtd listens. */
async function connect(socket: string): Promise<Connection> {
  for (const end = Date.now() + CONNECT_MS; ; await sleep(50)) {
    try {
      return await Connection.open(socket);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`virt-node-capabilities: ${textOf(error)}`);
    process.exit(1);
  },
);
