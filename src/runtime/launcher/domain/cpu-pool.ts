/** Distributes a Pod's CPUs so that vCPUs which are siblings in the guest are siblings on the node. */
import type { NodeTopology } from './facts';

/** CPUs of one NUMA cell, grouped by the number of the Pod's CPUs per core. */
interface Cell {
  /** Cores with enough CPUs for a core of the guest. */
  cores: number[][];
  /** CPUs of all other cores. */
  rest: number[];
}

export interface CpuPool {
  /** Takes CPUs for a number of the guest's cores, in order; returns undefined if there are not enough. */
  takeCores(count: number): number[] | undefined;
  /** Takes one CPU, preferably one that no core of the guest can use; returns undefined if none is left. */
  take(): number | undefined;
}

export interface PoolOptions {
  threadsPerCore: number;
  /** Threads of one core of the guest may be on different cells of the node. */
  mayCrossCells: boolean;
}

function cellsOf(cpuSet: readonly number[], topology: NodeTopology, threadsPerCore: number): Cell[] {
  const ours = new Set(cpuSet);
  const seen = new Set<number>();
  return topology.cells.map(({ cpus }) => {
    const cell: Cell = { cores: [], rest: [] };
    for (const { id, siblings } of cpus) {
      if (seen.has(id)) continue;
      const core = siblings.length > 0 ? siblings : [id];
      for (const each of core) seen.add(each);
      const available = core.filter((each) => ours.has(each));
      if (available.length >= threadsPerCore) cell.cores.push(available);
      else cell.rest.push(...available);
    }
    return cell;
  });
}

/** Takes CPUs of the first core; the remaining CPUs stay a core as long as they suffice for one of the guest. */
function fromFirstCore(cell: Cell, count: number, threadsPerCore: number): number[] {
  const [first = []] = cell.cores;
  const remaining = first.slice(count);
  if (remaining.length >= threadsPerCore) cell.cores[0] = remaining;
  else {
    cell.cores.shift();
    cell.rest.push(...remaining);
  }
  return first.slice(0, count);
}

/** Creates the pool of a `cpuSet`. */
export function cpuPool(cpuSet: readonly number[], topology: NodeTopology, options: PoolOptions): CpuPool {
  const { threadsPerCore, mayCrossCells } = options;
  const cells = cellsOf(cpuSet, topology, threadsPerCore);
  return {
    takeCores(count) {
      const taken: number[] = [];
      const isDone = (): boolean => taken.length >= count * threadsPerCore;
      for (const cell of cells) {
        while (!isDone() && cell.cores.length > 0) taken.push(...fromFirstCore(cell, threadsPerCore, threadsPerCore));
      }
      for (const cell of cells) {
        while (!isDone() && cell.rest.length >= threadsPerCore) taken.push(...cell.rest.splice(0, threadsPerCore));
      }
      for (const cell of mayCrossCells ? cells : []) {
        taken.push(...cell.rest.splice(0, count * threadsPerCore - taken.length));
      }
      return isDone() ? taken : undefined;
    },
    take() {
      const cell = cells.find(({ cores, rest }) => cores.length > 0 || rest.length > 0);
      if (!cell) return undefined;
      return cell.rest.length > 0 ? cell.rest.shift() : fromFirstCore(cell, 1, threadsPerCore)[0];
    },
  };
}
