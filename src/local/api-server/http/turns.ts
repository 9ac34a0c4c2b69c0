/** Time that requests may take before the event loop reads other connections. */
const BUDGET_MS = 5;
/** Small turns of a flow before one of its large turns. */
const SMALL_PER_LARGE = 8;

/** User whose requests wait. Flows of components and of other users alternate, then flows among each other. */
export interface Flow {
  readonly name: string;
  readonly component: boolean;
}

interface Waiting {
  readonly small: (() => void)[];
  readonly large: (() => void)[];
  smallTurns: number;
}

/**
 * Order in which requests use the event loop. While it is not busy, a request proceeds at once. Otherwise each user
 * gets one turn after the other, so that the requests of one user delay those of another by one turn. A user's large
 * requests (bodies, which take long to process) let small ones pass.
 */
export class Turns {
  private readonly components = new Map<string, Waiting>();
  private readonly others = new Map<string, Waiting>();
  private componentsNext = true;
  private turnStartedAt: number | undefined;
  private scheduled = false;
  private waiting = 0;

  /**
   * `next` runs its function in the next turn of the event loop, `after` in this turn, when the request that was granted
   * has done its first synchronous part.
   */
  public constructor(
    private readonly next: (run: () => void) => void = setImmediate,
    private readonly now: () => number = () => performance.now(),
    private readonly after: (run: () => void) => void = (run) => queueMicrotask(() => process.nextTick(run)),
  ) {}

  /** Number of waiting requests. */
  public get size(): number {
    return this.waiting;
  }

  /** Resolves when a request of `flow` may proceed. */
  public take(flow: Flow, large = false): Promise<void> | undefined {
    if (!this.waiting && !large && this.withinBudget()) return undefined;
    const flows = flow.component ? this.components : this.others;
    const waiting = flows.get(flow.name) ?? { small: [], large: [], smallTurns: 0 };
    flows.set(flow.name, waiting);
    this.waiting++;
    return new Promise((resolve) => {
      (large ? waiting.large : waiting.small).push(resolve);
      this.schedule();
    });
  }

  private withinBudget(): boolean {
    if (this.turnStartedAt !== undefined) return this.now() - this.turnStartedAt < BUDGET_MS;
    this.turnStartedAt = this.now();
    this.next(() => (this.turnStartedAt = undefined));
    return true;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.next(() => this.turn(this.now()));
  }

  /** Grants waiting requests until the budget of the turn is used, so that their writes share a commit. */
  private turn(startedAt: number): void {
    this.grant();
    this.after(() => {
      if (this.waiting && this.now() - startedAt < BUDGET_MS) return this.turn(startedAt);
      this.scheduled = false;
      if (this.waiting) this.schedule();
    });
  }

  private grant(): void {
    const flows = this.componentsNext ? [this.components, this.others] : [this.others, this.components];
    const from = flows.find((candidates) => candidates.size);
    if (!from) return;
    this.componentsNext = from === this.others;
    const [name, waiting] = from.entries().next().value!;
    const isLarge = waiting.large.length > 0 && (!waiting.small.length || waiting.smallTurns >= SMALL_PER_LARGE);
    const proceed = (isLarge ? waiting.large : waiting.small).shift()!;
    waiting.smallTurns = isLarge ? 0 : waiting.smallTurns + 1;
    // the flow moves behind the others
    from.delete(name);
    if (waiting.small.length || waiting.large.length) from.set(name, waiting);
    this.waiting--;
    proceed();
  }
}
