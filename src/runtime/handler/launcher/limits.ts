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
