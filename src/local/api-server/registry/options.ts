import { errors } from '../errors';
import { Fields } from '../validation/fields';
import { isTrue } from './query';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
}

type WriteKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** Query parameters of a write. @throws StatusError 422, as `CreateOptions.meta.k8s.io "" is invalid` */
export function writeOptions(query: URLSearchParams, kind: WriteKind, apply = false): WriteOptions {
  const fields = Fields.root();
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (kind === 'PatchOptions') {
    if (apply && !fieldManager) fields.child('fieldManager').required('is required for apply patch');
    if (!apply && query.has('force')) fields.child('force').forbidden('may not be specified for non-apply patch');
  }
  if (fieldManager.length > 128) fields.child('fieldManager').tooLong(128);
  const dryRun = dryRunOf(query.getAll('dryRun'), fields.child('dryRun'));
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation)) {
    fields.child('fieldValidation').notSupported(fieldValidation, ['', 'Ignore', 'Strict', 'Warn']);
  }
  if (fields.causes.length) throw errors.invalid('meta.k8s.io', kind, '', fields.causes);
  return {
    dryRun,
    fieldManager,
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    force: isTrue(query.get('force')) && query.has('force'),
  };
}

function dryRunOf(values: readonly string[], fields: Fields): boolean {
  const given = values.filter(Boolean);
  if (given.some((value) => value !== 'All')) fields.notSupported(given, ['All']);
  return given.includes('All');
}

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly orphanDependents?: boolean;
  readonly preconditions?: { uid?: string; resourceVersion?: string };
}

/** DeleteOptions of the body, or else of the query. */
export function deleteOptions(query: URLSearchParams, body: Record<string, unknown> | undefined): DeleteOptions {
  const fields = Fields.root();
  const raw = body ?? {
    ...(query.has('gracePeriodSeconds') ? { gracePeriodSeconds: Number(query.get('gracePeriodSeconds')) } : {}),
    ...(query.has('propagationPolicy') ? { propagationPolicy: query.get('propagationPolicy') } : {}),
    ...(query.has('orphanDependents') ? { orphanDependents: isTrue(query.get('orphanDependents')) } : {}),
    dryRun: query.getAll('dryRun'),
  };
  const given = raw as {
    gracePeriodSeconds?: number;
    propagationPolicy?: string;
    orphanDependents?: boolean;
    preconditions?: DeleteOptions['preconditions'];
    dryRun?: string[];
    kind?: string;
  };
  if (given.kind && given.kind !== 'DeleteOptions') {
    throw errors.badRequest('decoded object cannot be converted to DeleteOptions');
  }
  const { propagationPolicy, orphanDependents } = given;
  if (propagationPolicy != null && orphanDependents != null) {
    fields
      .child('propagationPolicy')
      .invalid(propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set');
  }
  const policies = ['Foreground', 'Background', 'Orphan'];
  if (propagationPolicy != null && !policies.includes(propagationPolicy)) {
    fields.child('propagationPolicy').notSupported(propagationPolicy, [...policies, 'nil']);
  }
  const dryRun = dryRunOf(given.dryRun ?? [], fields.child('dryRun'));
  if (fields.causes.length) throw errors.invalid('meta.k8s.io', 'DeleteOptions', '', fields.causes);
  return {
    dryRun: dryRun || query.getAll('dryRun').includes('All'),
    gracePeriodSeconds: given.gracePeriodSeconds ?? undefined,
    propagationPolicy: (propagationPolicy ?? undefined) as DeleteOptions['propagationPolicy'],
    orphanDependents: orphanDependents ?? undefined,
    preconditions: given.preconditions ?? undefined,
  };
}
