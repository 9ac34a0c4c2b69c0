/** Checks the flags of `memory-dump`. Pure. */
import { CliError } from '../errors';

export interface MemoryDumpFlags {
  readonly claimName?: string;
  readonly createClaim?: boolean;
  readonly storageClass?: string;
  readonly accessMode?: string;
  readonly output?: string;
  readonly format?: string;
  readonly portForward?: boolean;
  readonly localPort?: number;
}

export interface NewClaim {
  readonly storageClassName?: string;
  readonly accessMode: string;
}

export interface DumpDownload {
  readonly output: string;
  readonly format: 'gzip' | 'raw';
  readonly isTunnelled: boolean;
}

export type MemoryDumpPlan =
  | {
      readonly action: 'get';
      readonly claimName?: string;
      readonly create?: NewClaim;
      readonly download?: DumpDownload;
    }
  | { readonly action: 'download'; readonly download: DumpDownload }
  | { readonly action: 'remove' };

const OF_GET = ['claimName', 'createClaim', 'storageClass', 'accessMode'] as const;
const OF_DOWNLOAD = ['output', 'format', 'portForward', 'localPort'] as const;
const ACCESS_MODES = ['ReadWriteOnce', 'ReadWriteMany'];

/** @throws CliError naming the flag that is missing or not allowed */
export function planOf(action: string, flags: MemoryDumpFlags): MemoryDumpPlan {
  switch (action) {
    case 'get': {
      const { claimName, output } = flags;
      const create = claimOf(flags);
      if (output === undefined) refuse(flags, OF_DOWNLOAD, 'get without --output');
      return {
        action,
        ...(claimName && { claimName }),
        ...(create && { create }),
        ...(output !== undefined && { download: downloadOf(flags) }),
      };
    }
    case 'download':
      refuse(flags, OF_GET, action);
      return { action, download: downloadOf(flags) };
    case 'remove':
      refuse(flags, [...OF_GET, ...OF_DOWNLOAD], action);
      return { action };
    default:
      throw new CliError(`"${action}" is not an action of memory-dump (allowed: get, download, remove)`);
  }
}

function refuse(flags: MemoryDumpFlags, refused: readonly (keyof MemoryDumpFlags)[], where: string): void {
  const given = refused.find((flag) => flags[flag] !== undefined);
  if (!given) return;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new CliError(`--${flag} cannot be used with ${where}; remove it`);
}

function claimOf({ claimName, createClaim, storageClass, accessMode }: MemoryDumpFlags): NewClaim | undefined {
  if (!createClaim) {
    if (storageClass === undefined && accessMode === undefined) return undefined;
    throw new CliError('--storage-class and --access-mode are for a new claim; add --create-claim, or remove them');
  }
  if (!claimName) throw new CliError('missing claim name; add --claim-name');
  if (accessMode !== undefined && !ACCESS_MODES.includes(accessMode)) {
    throw new CliError(
      `a dump cannot be written with --access-mode ${accessMode}; use either ${ACCESS_MODES.join(' or ')}`,
    );
  }
  return { accessMode: accessMode ?? ACCESS_MODES[0], ...(storageClass && { storageClassName: storageClass }) };
}

function downloadOf({ output, format = 'gzip', portForward = false }: MemoryDumpFlags): DumpDownload {
  if (!output) throw new CliError('the output is missing; add --output FILE, or --output - for standard output');
  if (format !== 'gzip' && format !== 'raw') throw new CliError(`--format "${format}" is unknown (allowed: gzip, raw)`);
  return { output, format, isTunnelled: portForward };
}
