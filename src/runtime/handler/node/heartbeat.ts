import type { Logger } from 'pino';
import type { KubeClient } from '../../kube';
import { resources } from '../../kube';
import type { Node } from '../kube-types';
import { run } from '../paths/run';
import type { NodeFacts } from './labels';
import { nodePatch, parseMachines } from './labels';

const INTERVAL_MS = 60_000;
const JITTER = 0.2;
const RETRY_MS = 2_000;

/** Machine types of this node's QEMU; the usual two where none is installed beside the handler. */
export async function readMachines(qemu = 'qemu-system-x86_64'): Promise<string[]> {
  try {
    return parseMachines(await run(qemu, ['-machine', 'help']));
  } catch {
    return ['q35', 'pc'];
  }
}

/**
 * Tells the cluster about this node at the start and then each minute (jittered, so that nodes do not come together).
 * Each heartbeat carries all of it, so that what somebody removed comes back without a write more.
 */
export class Heartbeat {
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private last?: NodeFacts;
  private writing?: Promise<void>;

  public constructor(
    private readonly client: KubeClient,
    private readonly node: string,
    /** Asked at each heartbeat, not at the last one: what takes time must not hold up the end. */
    private readonly facts: () => NodeFacts | Promise<NodeFacts>,
    private readonly log: Logger,
  ) {}

  public start(): void {
    void this.beat();
  }

  /** No guests may be sent here while nobody looks after them. */
  public async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.writing?.catch(() => {}); // it would say the opposite, and later
    await this.write(false, this.last ?? (await this.facts()));
  }

  private async beat(): Promise<void> {
    let next = INTERVAL_MS * (1 + Math.random() * JITTER);
    try {
      this.last = await this.facts();
      if (this.stopped) return;
      this.writing = this.write(true, this.last);
      await this.writing;
    } catch (err) {
      this.log.warn({ err }, 'the heartbeat could not be written; it is tried again');
      next = RETRY_MS;
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.beat(), next);
  }

  private async write(schedulable: boolean, facts: NodeFacts): Promise<void> {
    const ref = { name: this.node };
    const { metadata } = await this.client.get<Node>(resources.nodes, ref);
    await this.client.patch(resources.nodes, ref, nodePatch(facts, metadata, schedulable, Date.now()), 'merge');
  }
}
