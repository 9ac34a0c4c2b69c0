/** Checks the flags of `vmexport`. Pure. */
import { parseDuration } from '../../api/duration';
import { CliError } from '../errors';

export interface ExportFlags {
  readonly vm?: string;
  readonly snapshot?: string;
  readonly pvc?: string;
  readonly ttl?: string;
  readonly labels?: readonly string[];
  readonly annotations?: readonly string[];
  readonly volume?: string;
  readonly output?: string;
  readonly format?: string;
  readonly manifest?: boolean;
  readonly manifestOutputFormat?: string;
  readonly includeSecret?: boolean;
  readonly keepVme?: boolean;
  readonly deleteVme?: boolean;
  readonly portForward?: boolean;
  readonly localPort?: number;
  readonly serviceUrl?: string;
  readonly insecure?: boolean;
  readonly readinessTimeout?: string;
  readonly retry?: number;
}

/** Object to export. */
export interface ExportTarget {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export interface CreatePlan {
  readonly source: ExportTarget;
  readonly ttl?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface DownloadPlan {
  /** Export to create before, if none of this name exists. */
  readonly create?: CreatePlan;
  readonly isDeleted: 'always' | 'if-created' | 'never';
  /** File; undefined for standard output. */
  readonly output?: string;
  readonly what: VolumePlan | ManifestPlan;
  readonly isTunnelled: boolean;
  readonly serviceUrl?: string;
  readonly isInsecure: boolean;
  readonly readinessMs: number;
  readonly retries: number;
}

export interface VolumePlan {
  readonly volume?: string;
  readonly format: 'gzip' | 'raw';
  /** File of a file system. */
  readonly file?: string;
}

export interface ManifestPlan {
  readonly manifest: 'yaml' | 'json';
  readonly withSecret: boolean;
}

export type ExportPlan =
  | { readonly action: 'create'; readonly name: string; readonly create: CreatePlan }
  | { readonly action: 'delete'; readonly name: string }
  | { readonly action: 'download'; readonly name: string; readonly download: DownloadPlan };

const READINESS_MS = 120_000;
const OF_CREATION = ['vm', 'snapshot', 'pvc', 'ttl', 'labels', 'annotations'] as const;
const OF_DOWNLOAD = [
  ...['volume', 'output', 'format', 'manifest', 'manifestOutputFormat', 'includeSecret', 'keepVme', 'deleteVme'],
  ...['portForward', 'localPort', 'serviceUrl', 'insecure', 'readinessTimeout', 'retry'],
] as (keyof ExportFlags)[];

/** @throws CliError naming the flag that is missing or not allowed */
export function planOf(action: string, name: string, flags: ExportFlags): ExportPlan {
  switch (action) {
    case 'create':
      refuse(flags, OF_DOWNLOAD, action);
      return { action, name, create: creation(flags) ?? missing() };
    case 'delete':
      refuse(flags, [...OF_CREATION, ...OF_DOWNLOAD], action);
      return { action, name };
    case 'download':
      return { action, name, download: downloadOf(flags) };
    default:
      throw new CliError(`"${action}" is not an action of vmexport (allowed: create, delete, download)`);
  }
}

function missing(): never {
  throw new CliError('nothing to export; add --vm, --snapshot or --pvc');
}

function refuse(flags: ExportFlags, refused: readonly (keyof ExportFlags)[], action: string): void {
  const given = refused.find((flag) => flags[flag] !== undefined);
  if (given) throw new CliError(`${flagOf(given)} cannot be used with ${action}; remove it`);
}

const flagOf = (property: string): string => `--${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function creation({ vm, snapshot, pvc, ttl, labels, annotations }: ExportFlags): CreatePlan | undefined {
  const targets = [
    ...(vm ? [{ apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: vm }] : []),
    ...(snapshot ? [{ apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: snapshot }] : []),
    ...(pvc ? [{ apiGroup: '', kind: 'PersistentVolumeClaim', name: pvc }] : []),
  ];
  if (targets.length > 1) throw new CliError('an export has one source; give one of --vm, --snapshot and --pvc');
  const [source] = targets;
  if (ttl !== undefined) milliseconds('--ttl', ttl);
  return (
    source && {
      source,
      ...(ttl !== undefined && { ttl }),
      labels: pairs('--labels', labels),
      annotations: pairs('--annotations', annotations),
    }
  );
}

function pairs(flag: string, given: readonly string[] = []): Record<string, string> {
  const parts = given.flatMap((text) => text.split(',')).map((text) => text.split(/=(.*)/s, 2));
  const wrong = parts.find(([key, value]) => !key || value === undefined);
  if (wrong) throw new CliError(`${flag} "${wrong.join('=')}" is not valid; write key=value`);
  return Object.fromEntries(parts) as Record<string, string>;
}

function milliseconds(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms <= 0)
    throw new CliError(`${flag} "${text}" is not a duration; write one like 30m or 1h30m`);
  return ms;
}

function downloadOf(flags: ExportFlags): DownloadPlan {
  const { output, format, manifest, keepVme, deleteVme, serviceUrl, readinessTimeout, retry = 0 } = flags;
  if (keepVme && deleteVme) throw new CliError('--keep-vme and --delete-vme exclude each other; give one of them');
  if (format !== undefined && format !== 'gzip' && format !== 'raw') {
    throw new CliError(`--format "${format}" is unknown (allowed: gzip, raw)`);
  }
  if (retry < 0) throw new CliError(`--retry ${retry} must not be negative`);
  if (!manifest && !output) {
    throw new CliError('the output is missing; add --output FILE, or --output - for standard output');
  }
  return {
    create: creation(flags),
    isDeleted: manifest || keepVme ? 'never' : deleteVme ? 'always' : 'if-created',
    ...(output && output !== '-' && { output }),
    what: manifest ? manifestOf(flags) : { volume: flags.volume, format: format ?? 'gzip' },
    isTunnelled: flags.portForward ?? false,
    ...(serviceUrl && { serviceUrl }),
    isInsecure: flags.insecure ?? false,
    readinessMs: readinessTimeout === undefined ? READINESS_MS : milliseconds('--readiness-timeout', readinessTimeout),
    retries: retry,
  };
}

function manifestOf({ volume, pvc, manifestOutputFormat = 'yaml', includeSecret = false }: ExportFlags): ManifestPlan {
  if (volume) throw new CliError('--volume cannot be used with --manifest; remove one of them');
  if (pvc) throw new CliError('a PersistentVolumeClaim has no manifests; export a VM or a snapshot');
  const manifest = manifestOutputFormat.toLowerCase();
  if (manifest !== 'yaml' && manifest !== 'json') {
    throw new CliError(`--manifest-output-format "${manifestOutputFormat}" is unknown (allowed: yaml, json)`);
  }
  return { manifest, withSecret: includeSecret };
}
