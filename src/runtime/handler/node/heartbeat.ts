import type { Logger } from 'pino';
import { keys } from '../../../api/keys';
import type { KubeClient } from '../../kube';
import { resources } from '../../kube';
import type { Node } from '../kube-types';
import { run } from '../paths/run';
import type { NodeFacts, NodeMetadata } from './labels';
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
 * time). Each heartbeat compares the complete state, so that removed labels are restored.
 */
export class Heartbeat {
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private failures = 0;
  private due = false;
  private last?: NodeFacts;
  private working: Promise<void> = Promise.resolve();

  public constructor(
    private readonly client: KubeClient,
    private readonly node: string,
    /** Called at each heartbeat except the last one, so that a slow check does not delay the end. */
    private readonly facts: (node: NodeMetadata) => NodeFacts | Promise<NodeFacts>,
    private readonly log: Logger,
  ) {}

  /** Marks the node unschedulable until this handler knows its devices: the last handler may have been killed. */
  public start(): void {
    this.due = true;
    this.working = this.hold()
      .catch((err: unknown) => this.log.warn({ err }, 'the node could not be marked unschedulable at the start'))
      .then(() => this.beat());
  }

  /** Publishes now what has changed. Calls share one heartbeat until it begins. */
  public publish(): void {
    clearTimeout(this.timer);
    if (this.due) return;
    this.due = true;
    this.working = this.working.then(() => this.beat());
  }

  /** Marks the node unschedulable: without a handler, no guests may be placed here. */
  public async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working; // a heartbeat that finishes later would undo the mark
    clearTimeout(this.timer);
    const { metadata } = await this.read();
    await this.write(metadata, false, this.last ?? (await this.facts(metadata)));
  }

  private async hold(): Promise<void> {
    const { metadata } = await this.read();
    if (metadata.labels?.[keys.schedulable] !== 'true') return;
    await this.client.patch(resources.nodes, { name: this.node }, { metadata: { labels: HELD } }, 'merge');
  }

  private async beat(): Promise<void> {
    this.due = false;
    if (this.stopped) return;
    let next = INTERVAL_MS * (1 + Math.random() * JITTER);
    try {
      const { metadata } = await this.read();
      this.last = await this.facts(metadata);
      if (this.stopped) return;
      await this.write(metadata, true, this.last);
      this.failures = 0;
    } catch (err) {
      this.log.warn({ err }, 'the heartbeat could not be written; retrying');
      next = Math.min(RETRY_MS.first * 2 ** this.failures++, RETRY_MS.max);
    }
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => this.publish(), next);
  }

  private read(): Promise<Node> {
    return this.client.get<Node>(resources.nodes, { name: this.node });
  }

  private async write(before: NodeMetadata, schedulable: boolean, facts: NodeFacts): Promise<void> {
    const patch = nodePatch(facts, before, schedulable, Date.now());
    await this.client.patch(resources.nodes, { name: this.node }, patch, 'merge');
  }
}

const HELD = { [keys.schedulable]: 'false' } as const;
