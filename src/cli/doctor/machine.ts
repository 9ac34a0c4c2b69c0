import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statfsSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { listNodes } from '../../local/engine/nodes/control';
import { readNodes } from '../../local/engine/nodes/node-config';
import { enginePaths } from '../../local/engine/paths';
import { isAlive, readRecord } from '../../local/engine/record';
import { gatewayName, nodeLinkName, vethPrefix } from '../../local/network/names';
import { cgroupParentOf } from '../../local/node/cleanup';
import { processesIn } from '../../local/node/runtime/cgroups';
import type { EngineFacts } from './facts';
import { restartsIn } from './restarts';

/** End of the engine's log that is read. */
const LOG_BYTES = 128 * 1024;

/** Reads the state of the engine in a state directory, whether it runs or not. */
export async function engineFacts(
  dir: string,
  { isRequested, commandVersion, now }: Pick<EngineFacts, 'isRequested' | 'commandVersion'> & { readonly now: number },
): Promise<EngineFacts> {
  const paths = enginePaths(resolve(dir));
  const { stateDir, id } = paths;
  const record = readRecord(paths.record);
  const { bavail, blocks, bsize } = statfsSync(existingAncestor(stateDir));
  const further = existsSync(stateDir) ? await listNodes(stateDir).catch(() => []) : [];
  const isUp = isAlive(record);
  const ids = [id, ...(existsSync(stateDir) ? readNodes(stateDir).map((node) => node.id) : [])];
  return {
    stateDir,
    isRequested,
    isAlive: isUp,
    ...(record ? { record } : {}),
    commandVersion,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    kvm: kvmOf('/dev/kvm'),
    leftProcesses: isUp ? 0 : ids.flatMap((each) => processesIn(cgroupParentOf(each))).length,
    leftLinks: isUp ? [] : linksOf(ids),
    restarts: isUp ? restartsIn(tail(paths.log('engine')), now) : {},
    stoppedNodes: isUp ? further.filter(({ running }) => !running).map(({ name }) => name) : [],
    disconnectedNodes: isUp
      ? further.filter(({ running, connected }) => running && !connected).map(({ name }) => name)
      : [],
  };
}

const existingAncestor = (dir: string): string => (existsSync(dir) ? dir : existingAncestor(dirname(dir)));

function kvmOf(device: string): EngineFacts['kvm'] {
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return 'present';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'forbidden';
  }
}

function linksOf(ids: readonly string[]): string[] {
  const prefixes = ids.flatMap((id) => [gatewayName(id), vethPrefix(id), nodeLinkName(id)]);
  return readdirSync('/sys/class/net').filter((link) => prefixes.some((prefix) => link.startsWith(prefix)));
}

/** Returns the end of a file; empty if it cannot be read. */
function tail(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, LOG_BYTES));
    const length = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.subarray(0, length).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
