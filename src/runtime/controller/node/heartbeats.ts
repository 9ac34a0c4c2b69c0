import type { KubeObject } from '../../../api';
import { keys } from '../../../api/keys';

interface Sign {
  readonly heartbeat: string;
  /** Time of the heartbeat by our monotonic clock. */
  readonly at: number;
}

export interface Clocks {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that nobody can set. */
  monotonic(): number;
}

/**
 * Measures by our monotonic clock how long each virt-handler has been silent. The time in a heartbeat is that of the node,
 * whose clock may differ from ours. It is used only for the first heartbeat that we see, because that may be old: a node
 * whose clock is late looks silent after our start, until its next heartbeat.
 */
export class Heartbeats {
  private readonly signs = new Map<string, Sign>();

  public constructor(private readonly clocks: Clocks) {}

  /** Milliseconds since the last heartbeat of a node; undefined if virt-handler never ran there. */
  public silenceOf({ metadata: { name = '', annotations } }: KubeObject): number | undefined {
    const heartbeat = annotations?.[keys.heartbeat];
    if (!heartbeat) return undefined;
    const monotonic = this.clocks.monotonic();
    let sign = this.signs.get(name);
    if (sign?.heartbeat !== heartbeat) {
      sign = { heartbeat, at: monotonic - (sign ? 0 : this.ageOf(heartbeat)) };
      this.signs.set(name, sign);
    }
    return monotonic - sign.at;
  }

  /** Forgets a node that no longer exists. */
  public forget(node: string): void {
    this.signs.delete(node);
  }

  /** A time that is in the future, or cannot be parsed, is new. */
  private ageOf(heartbeat: string): number {
    const age = this.clocks.now() - Date.parse(heartbeat);
    return age > 0 ? age : 0;
  }
}
