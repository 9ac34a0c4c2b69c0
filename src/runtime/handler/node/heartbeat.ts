import type { Logger } from 'pino';
import type { KubeClient } from '../../kube';
import { resources } from '../../kube';
import type { Node } from '../kube-types';
import { run } from '../paths/run';
import type { NodeFacts } from './labels';
import { nodePatch, parseMachines } from './labels';

const INTERVAL_MS = 60_000;
const JITTER = 0.2;
/** Delays after failures: short at first, because the node may register at this moment. */
const RETRY_MS = { first: 100, max: 2_000 };

/** Machine types of this node's QEMU; the two common ones if the handler's image has no QEMU. */
export async function readMachines(qemu = 'qemu-system-x86_64'): Promise<string[]> {
  try {
    return parseMachines(await run(qemu, ['-machine', 'help']));
  } catch {
    return ['q35', 'pc'];
  }
}

/**
 * Publishes the state of this node at the start and then every minute (with jitter, so that nodes do not report at the same
 * time). Each heartbeat contains the complete state, so that removed labels are restored without an additional write.
 */
export class Heartbeat {
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private failures = 0;
  private last?: NodeFacts;
  private writing?: Promise<void>;

  public constructor(
    private readonly client: KubeClient,
    private readonly node: string,
    /** Called at each heartbeat except the last one, so that a slow check does not delay the end. */
    private readonly facts: () => NodeFacts | Promise<NodeFacts>,
    private readonly log: Logger,
  ) {}

  public start(): void {
    void this.beat();
  }

  /** Marks the node unschedulable: without a handler, no guests may be placed here. */
  public async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.writing?.catch(() => {}); // a heartbeat that finishes later would undo the mark
    await this.write(false, this.last ?? (await this.facts()));
  }

  private async beat(): Promise<void> {
    let next = INTERVAL_MS * (1 + Math.random() * JITTER);
    try {
      this.last = await this.facts();
      if (this.stopped) return;
      this.writing = this.write(true, this.last);
      await this.writing;
      this.failures = 0;
    } catch (err) {
      this.log.warn({ err }, 'the heartbeat could not be written; retrying');
      next = Math.min(RETRY_MS.first * 2 ** this.failures++, RETRY_MS.max);
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.beat(), next);
  }

  private async write(schedulable: boolean, facts: NodeFacts): Promise<void> {
    const ref = { name: this.node };
    const { metadata } = await this.client.get<Node>(resources.nodes, ref);
    await this.client.patch(resources.nodes, ref, nodePatch(facts, metadata, schedulable, Date.now()), 'merge');
  }
}
