import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** Roots of cgroups: the tree of version 2, or each tree of version 1. */
function cgroupRoots(): string[] {
  if (existsSync(join(ROOT, 'cgroup.controllers'))) return [ROOT];
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(ROOT, entry.name));
}

/** Directory of a cgroup in one tree: enough to find its processes. */
export function cgroupDirectory(path: string): string {
  const roots = cgroupRoots();
  return join(roots.find((root) => root.endsWith('/pids')) ?? roots[0] ?? ROOT, path);
}

/** Content of a file of a cgroup: in the tree of a controller of version 1, or of version 2 for the controller `''`. */
export function readCgroup(controller: string, path: string, file: string): string | undefined {
  try {
    return readFileSync(join(ROOT, controller, path, file), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Processes in and below a cgroup, in all trees. */
export function processesIn(path: string): number[] {
  const pids = new Set<number>();
  for (const root of cgroupRoots())
    visit(join(root, path), (directory) => readPids(directory).forEach((pid) => pids.add(pid)));
  return [...pids];
}

/** Removes a cgroup and all below it; keeps those that contain processes. */
export function removeCgroups(path: string): void {
  for (const root of cgroupRoots()) {
    visit(join(root, path), (directory) => {
      try {
        rmdirSync(directory);
      } catch {
        // it still contains a process, or it was removed
      }
    });
  }
}

/** Children before parents. */
function visit(directory: string, act: (directory: string) => void): void {
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries) if (entry.isDirectory()) visit(join(directory, entry.name), act);
  act(directory);
}

function readPids(directory: string): number[] {
  try {
    return readFileSync(join(directory, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
