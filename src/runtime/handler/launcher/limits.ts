/**
 * What one launcher can cost the handler. The launcher runs in a Pod that its user may control, so the handler's memory and
 * processor time must not depend on what it sends: test/integration/runtime/protocol/hostile/launcher.test.ts measures it.
 */

/** What all calls of one launcher together hold of messages that are not yet dealt with. */
export const MAX_BUFFERED_BYTES = 512 << 10;
/** A launcher has one connection, and a second one for a moment when it restarts. */
export const MAX_CONNECTIONS = 4;
/** Calls of the handler to one launcher at a time: passes make one, the rest are users who ask for what the agent knows. */
export const MAX_CALLS = 16;
/** Bytes that are read of a launcher; a faster one waits. A state has a few thousand. */
export const READ_RATE = { burst: 1 << 20, perSecond: 128 << 10 };
/** Reports that are answered; further ones wait. */
export const CALL_RATE = { burst: 20, perSecond: 10 };
/** States and lost connections, each of which may lead to a write of the VMI's status. */
export const REPORT_RATE = { burst: 10, perSecond: 1 / 5 };
/** Changes in the directory of its sockets while the launcher starts, each of which leads to a look. */
export const LOOK_RATE = { burst: 20, perSecond: 2 };
/** Events that a launcher may write, of the 25 that the recorder allows each object: the handler's own need room, too. */
export const EVENT_RATE = { burst: 10, perSecond: 1 / 120 };
