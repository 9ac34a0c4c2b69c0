/**
 * Flags of the engine and its components. They idle most of their lives, so memory counts more than peak speed.
 * Measured with ten idle VMs by `npm run bench cluster` (figure idle-memory).
 * No program needs the `__proto__` accessor, through which objects of clients could reach prototypes.
 */
export const nodeMemoryFlags: readonly string[] = [
  '--max-semi-space-size=1',
  '--optimize-for-size',
  '--disable-proto=delete',
];

/**
 * Programs that transfer disks. With `--optimize-for-size`, V8 collects all of its heap for the memory of each few buffers, which
 * makes a download three times slower.
 */
const TRANSFER_PROGRAMS: readonly string[] = ['virt-importer', 'upload-proxy'];

/** Flags of a program, by its name. */
export const nodeFlagsOf = (program: string): readonly string[] =>
  TRANSFER_PROGRAMS.includes(program)
    ? nodeMemoryFlags.filter((flag) => flag !== '--optimize-for-size')
    : nodeMemoryFlags;

/** Environment of the same programs: one heap for all threads of the C library, because each further one keeps what it freed. */
export const nodeMemoryEnv = { MALLOC_ARENA_MAX: '1' } as const;

/** The same environment as an image's configuration lists it. */
export const nodeMemoryVariables = Object.entries(nodeMemoryEnv).map(([name, value]) => `${name}=${value}`);
