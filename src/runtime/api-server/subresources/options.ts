import { parseDuration } from '../../../api/duration';
import { badRequest } from '../status';

export interface StartOptions {
  paused?: boolean;
  dryRun?: string[];
}
export interface StopOptions {
  gracePeriod?: number;
  dryRun?: string[];
}
export interface RestartOptions {
  gracePeriodSeconds?: number;
  dryRun?: string[];
}
/** PauseOptions, UnpauseOptions and EvacuateCancelOptions. */
export interface PauseOptions {
  dryRun?: string[];
}

export interface FreezeOptions extends PauseOptions {
  unfreezeTimeout?: string;
}

/** Type of a field of a body. */
export type FieldType = 'boolean' | 'integer' | 'strings' | 'string' | 'object' | 'duration';

/** Fields that a body may have; others are rejected, since a mistyped field would be ignored silently. */
export const optionFields = {
  StartOptions: { paused: 'boolean', dryRun: 'strings' },
  StopOptions: { gracePeriod: 'integer', dryRun: 'strings' },
  RestartOptions: { gracePeriodSeconds: 'integer', dryRun: 'strings' },
  PauseOptions: { dryRun: 'strings' },
  UnpauseOptions: { dryRun: 'strings' },
  FreezeUnfreezeTimeout: { unfreezeTimeout: 'duration', dryRun: 'strings' },
  EvacuateCancelOptions: { dryRun: 'strings' },
  AddVolumeOptions: { name: 'string', disk: 'object', volumeSource: 'object', dryRun: 'strings' },
  RemoveVolumeOptions: { name: 'string', dryRun: 'strings' },
  // of virt-controller
  BackupOptions: {
    backupName: 'string',
    cmd: 'string',
    mode: 'string',
    backupStartTime: 'string',
    incremental: 'string',
    targetPath: 'string',
    skipQuiesce: 'boolean',
    tracker: 'string',
    volumes: 'strings',
  },
  // clients send the type of the status; all but the name is decided here
  VirtualMachineMemoryDumpRequest: {
    claimName: 'string',
    phase: 'string',
    remove: 'boolean',
    startTimestamp: 'string',
    endTimestamp: 'string',
    fileName: 'string',
    message: 'string',
  },
} as const satisfies Record<string, Record<string, FieldType>>;

/** Type of the body of an action. */
export type OptionsType = keyof typeof optionFields;

const IS: Record<FieldType, (value: unknown) => boolean> = {
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  string: (value) => typeof value === 'string',
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  duration: (value) => typeof value === 'string' && (parseDuration(value) ?? -1) >= 0,
};
const EXPECTED: Record<FieldType, string> = {
  boolean: 'true or false',
  integer: 'a whole number',
  strings: 'a list of strings',
  string: 'a string',
  object: 'an object',
  duration: 'a duration such as "5m"',
};

/** Reads the JSON body of an action. An empty body means the defaults; `null` fields count as absent. */
export function parseOptions<T>(kind: OptionsType, body: string): T {
  if (body.trim() === '') return {} as T;
  const wrong = (why: string, remedy?: string) =>
    badRequest(`Can not unmarshal Request body to struct, error: ${why}`, remedy);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    throw wrong((error as Error).message, `send ${kind} as JSON`);
  }
  if (parsed === null) return {} as T;
  if (typeof parsed !== 'object' || Array.isArray(parsed)) throw wrong(`${kind} must be an object`);
  const fields: Record<string, FieldType> = { apiVersion: 'string', kind: 'string', ...optionFields[kind] };
  for (const [name, value] of Object.entries(parsed)) {
    const expected = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!expected) throw wrong(`unknown field "${name}" in ${kind}`, `allowed: ${Object.keys(fields).join(', ')}`);
    if (value !== null && !IS[expected](value)) throw wrong(`${kind}.${name} must be ${EXPECTED[expected]}`);
  }
  const options = Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null));
  const dryRun = options.dryRun as string[] | undefined;
  if (dryRun?.some((value) => value !== 'All')) throw wrong(`${kind}.dryRun must be ["All"] when it is set`);
  return options as T;
}

/** Whether the request is a dry run. */
export const isDryRun = (options: { dryRun?: string[] }): boolean => (options.dryRun?.length ?? 0) > 0;
