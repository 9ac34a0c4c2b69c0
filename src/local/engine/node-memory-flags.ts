/**
 * V8 flags of the engine and its components: they idle most of their lives, so memory counts more than peak speed.
 * Measured with ten idle VMs by `npm run bench cluster` (figure idle-memory).
 */
export const nodeMemoryFlags: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];
