/**
 * Limits on the resources that one launcher can use in the handler. The launcher runs in a Pod that its user may control, so
 * the handler's memory and processor time must not depend on its messages: measured in
 * test/integration/runtime/protocol/hostile/launcher.test.ts.
 */

/** Bytes that all calls of one launcher together may hold in unprocessed messages. */
export const MAX_BUFFERED_BYTES = 512 << 10;
/** A launcher has one connection, and briefly a second one when it restarts. */
export const MAX_CONNECTIONS = 4;
/** Concurrent calls of the handler to one launcher: a pass makes one, the others are requests of users to the guest agent. */
export const MAX_CALLS = 16;
/** Bytes per second that are read from a launcher; a faster one waits. A state has a few thousand. */
export const READ_RATE = { burst: 1 << 20, perSecond: 128 << 10 };
/** Reports per second that are answered; others wait. */
export const CALL_RATE = { burst: 20, perSecond: 10 };
/** States and lost connections per second, each of which may lead to a write of the VMI's status. */
export const REPORT_RATE = { burst: 10, perSecond: 1 / 5 };
/** Changes in the directory of its sockets per second while the launcher starts; each of them is examined. */
export const LOOK_RATE = { burst: 20, perSecond: 2 };
/** Events that a launcher may write, of the 25 that the recorder allows per object: the rest is for the handler's own. */
export const EVENT_RATE = { burst: 10, perSecond: 1 / 120 };

/** Time that a launcher gets for the statistics of its guest. It waits two seconds for the guest agent. */
export const STATS_TIMEOUT_MS = 4_000;
/** Launchers that are asked for statistics at the same time. */
export const MAX_STATS_CALLS = 16;
/** Time for which the statistics of a scrape answer the next ones. */
export const STATS_KEPT_MS = 5_000;
/** Time for a whole scrape: Prometheus gives up after ten seconds. */
export const STATS_DEADLINE_MS = 8_000;
/** Delay after a failed call, which doubles with each further one: slow launchers must not use up the time of the others. */
export const STATS_RETRY_MS = { first: 30_000, max: 600_000 };
/** File systems of one guest that are reported in the life of its Pod: a guest can mount any number, under any names. */
export const MAX_FILESYSTEMS = 64;
