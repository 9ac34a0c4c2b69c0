interface Sign {
  readonly heartbeat: string;
  /** Time of our monotonic clock when the heartbeat changed; undefined for the first that we see. */
  readonly at?: number;
}

export interface Clocks {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that nobody can set. */
  monotonic(): number;
}

/**
 * Measures how long each virt-handler has been silent. The time of a heartbeat is that of the node, whose clock may differ
 * from ours, and each of them may be set. It is therefore used only until a heartbeat changes; from then on, our own
 * monotonic clock measures.
 */
export class Heartbeats {
  private readonly signs = new Map<string, Sign>();

  public constructor(private readonly clocks: Clocks) {}

  /** Milliseconds since the last heartbeat of a node, an RFC 3339 time. */
  public silenceOf(node: string, heartbeat: string): number {
    const monotonic = this.clocks.monotonic();
    let sign = this.signs.get(node);
    if (sign?.heartbeat !== heartbeat) {
      sign = { heartbeat, ...(sign && { at: monotonic }) };
      this.signs.set(node, sign);
    }
    return Math.max(sign.at === undefined ? this.clocks.now() - Date.parse(heartbeat) : monotonic - sign.at, 0);
  }

  /** For a node that does not exist any more. */
  public forget(node: string): void {
    this.signs.delete(node);
  }
}
