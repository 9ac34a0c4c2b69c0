import { randomUUID } from 'node:crypto';
import { compareQuantities, parseQuantity } from '../../../api/quantity';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isQualifiedName } from '../validation/names';
import { define } from './define';
import { nameOnly } from './printers';
import { allowsOvercommit, validateContainerResourceName, validateResourceName } from './resource-names';

type Quantities = Record<string, string>;

/** Limits for the objects of one type. */
export interface LimitRangeItem {
  readonly type: string;
  readonly max?: Quantities;
  readonly min?: Quantities;
  default?: Quantities;
  defaultRequest?: Quantities;
  readonly maxLimitRequestRatio?: Quantities;
}

const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Completes the defaults of containers: limits from the maxima, requests from limits and minima. */
function defaultItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length) item.default = limits;
  if (Object.keys(requests).length) item.defaultRequest = requests;
}

function validateType(type: string, at: Fields): void {
  const wrong = isQualifiedName(type);
  at.invalidEach(type, wrong);
  if (wrong.length || type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) return;
  at.invalid(type, 'must be a standard limit type or fully qualified');
}

const ratioOf = (max: string, min: string): number =>
  Number(parseQuantity(max).nanos) / Number(parseQuantity(min).nanos);

/** Compares the amounts of one resource with each other. */
function validateAmounts(name: string, item: LimitRangeItem, at: Fields): void {
  const {
    max,
    min,
    default: limit,
    defaultRequest: request,
    maxLimitRequestRatio: ratio,
  } = Object.fromEntries(AMOUNTS.map((field) => [field, item[field]?.[name]]));
  const field = (of: string) => at.child(of).key(name);
  const exceeds = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
  if (exceeds(min, max)) field('min').invalid(min, `min value ${min} is greater than max value ${max}`);
  if (exceeds(min, request)) {
    field('defaultRequest').invalid(request, `min value ${min} is greater than default request value ${request}`);
  }
  if (exceeds(request, max)) {
    field('defaultRequest').invalid(request, `default request value ${request} is greater than max value ${max}`);
  }
  if (exceeds(request, limit)) {
    const why = `default request value ${request} is greater than default limit value ${limit}`;
    field('defaultRequest').invalid(request, why);
  }
  if (exceeds(min, limit)) field('default').invalid(min, `min value ${min} is greater than default value ${limit}`);
  if (exceeds(limit, max)) field('default').invalid(max, `default value ${limit} is greater than max value ${max}`);
  if (exceeds('1', ratio)) field('maxLimitRequestRatio').invalid(ratio, `ratio ${ratio} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const largest = ratioOf(max, min);
    if (Number(parseQuantity(ratio).nanos) / 1e9 > largest) {
      const why = `ratio ${ratio} is greater than max/min = ${largest.toFixed(6)}`;
      field('maxLimitRequestRatio').invalid(ratio, why);
    }
  }
  if (allowsOvercommit(name) || limit === undefined || request === undefined) return;
  if (compareQuantities(limit, request) !== 0) {
    const why = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    field('defaultRequest').invalid(request, why);
  }
}

function validateItem(item: LimitRangeItem, at: Fields): void {
  const isPod = item.type === 'Pod';
  const validateName = isPod || item.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  for (const field of AMOUNTS) {
    const amounts = Object.keys(item[field] ?? {});
    if (isPod && (field === 'default' || field === 'defaultRequest')) {
      if (amounts.length) at.child(field).forbidden("may not be specified when `type` is 'Pod'");
      continue;
    }
    for (const name of amounts) {
      validateName(name, at.child(field).key(name));
      names.add(name);
    }
  }
  if (item.type === 'PersistentVolumeClaim' && !item.min?.storage && !item.max?.storage) {
    at.child('limits').required('either minimum or maximum storage value is required, but neither was provided');
  }
  const compared = isPod ? { ...item, default: undefined, defaultRequest: undefined } : item;
  for (const name of names) validateAmounts(name, compared, at);
}

export const limitRange = define({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  namespaced: true,
  createOnUpdate: true,
  shortNames: ['limits'],
  printer: nameOnly,
  defaults(object: AnyObject) {
    const spec = (object.spec ??= {});
    spec.limits ??= null;
    for (const item of (spec.limits ?? []) as LimitRangeItem[]) defaultItem(item);
  },
  prepareForCreate({ metadata }) {
    metadata.name ||= randomUUID();
  },
  validate({ spec }, fields) {
    const types = new Set<string>();
    ((spec?.limits ?? []) as LimitRangeItem[]).forEach((item, i) => {
      const at = fields.child('spec', 'limits').index(i);
      validateType(item.type ?? '', at.child('type'));
      if (types.has(item.type)) at.child('type').duplicate(item.type);
      types.add(item.type);
      validateItem(item, at);
    });
  },
});
