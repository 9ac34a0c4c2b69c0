import { compareQuantities } from '../../../api/quantity';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { age } from '../table/format';
import { define } from './define';
import { fitsScope, isQuotaResource, validateQuotaResourceName, validateResourceAmount } from './resource-names';

type Quantities = Record<string, string>;

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const EXISTS_ONLY = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const SCOPES = [...EXISTS_ONLY, 'PriorityClass', 'VolumeAttributesClass'];
const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

function validateAmounts(amounts: Quantities, at: Fields): void {
  for (const [name, value] of Object.entries(amounts)) {
    validateQuotaResourceName(name, at.key(name));
    validateResourceAmount(name, value, at.key(name));
  }
}

const badlyScoped = (scope: string, hard: Quantities): string[] =>
  Object.keys(hard).filter((name) => isQuotaResource(name) && !fitsScope(scope, name));

function validateScopes(scopes: readonly string[], hard: Quantities, at: Fields): void {
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) at.invalid(scopes, 'unsupported scope');
    badlyScoped(scope, hard).forEach(() => at.invalid(scopes, 'unsupported scope applied to resource'));
  }
  for (const pair of CONFLICTS) {
    if (pair.every((scope) => scopes.includes(scope))) at.invalid(scopes, 'conflicting scopes');
  }
}

/** Text of the selector as Go prints its internal type. */
const goSelector = (requirements: readonly ScopeRequirement[]) => ({
  MatchExpressions: requirements.map(({ scopeName, operator, values = null }) => ({
    ScopeName: scopeName,
    Operator: operator,
    Values: values,
  })),
});

function validateRequirement({ scopeName, operator, values = [] }: ScopeRequirement, at: Fields): void {
  if (EXISTS_ONLY.includes(scopeName) && operator !== 'Exists') {
    at.child('operator').invalid(
      operator,
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
    );
  }
  if (operator === 'In' || operator === 'NotIn') {
    if (!values.length) {
      at.child('values').required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length) {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      at.child('values').invalid(values, why);
    }
  } else at.child('operator').invalid(operator, 'not a valid selector operator');
}

function validateScopeSelector(
  requirements: readonly ScopeRequirement[],
  { hard = {}, scopes }: { hard?: Quantities; scopes?: string[] },
  at: Fields,
): void {
  for (const requirement of requirements) {
    const { scopeName } = requirement;
    if (!SCOPES.includes(scopeName)) at.child('scopeName').invalid(scopeName, 'unsupported scope');
    badlyScoped(scopeName, hard).forEach(() =>
      at.invalid(goSelector(requirements), 'unsupported scope applied to resource'),
    );
    validateRequirement(requirement, at);
  }
  const names = requirements.map(({ scopeName }) => scopeName);
  for (const pair of CONFLICTS) {
    if (pair.every((scope) => names.includes(scope))) at.invalid(scopes ?? null, 'conflicting scopes');
  }
}

function validateSpec({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  validateAmounts(spec.hard ?? {}, at.child('hard'));
  validateScopes(spec.scopes ?? [], spec.hard ?? {}, at.child('scopes'));
  validateScopeSelector(
    spec.scopeSelector?.matchExpressions ?? [],
    spec,
    at.child('scopeSelector', 'matchExpressions'),
  );
}

/** Warnings about requests that are above the limits. */
function warnings(hard: Quantities): string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const bare = (name === 'cpu' || name === 'memory') && hard[`requests.${name}`] === undefined;
    const requests = bare ? name : `requests.${name}`;
    const limits = `limits.${name}`;
    if (hard[requests] === undefined || hard[limits] === undefined) return [];
    if (compareQuantities(hard[requests], hard[limits]) <= 0) return [];
    return [`ResourceQuota ${requests} (${hard[requests]}) should be less than ${limits} (${hard[limits]})`];
  });
}

/** Used and allowed amounts, of limits or of all other resources. */
function usage({ status }: AnyObject, ofLimits: boolean): string {
  return Object.keys(status?.hard ?? {})
    .filter((name) => name.startsWith('limits.') === ofLimits)
    .sort()
    .map((name) => `${name}: ${status.used?.[name] ?? '0'}/${status.hard[name]}`)
    .join(', ');
}

export const resourceQuota = define({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
  shortNames: ['quota'],
  status: true,
  returnsDeleted: true,
  printer: {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Request', type: 'string' },
      { name: 'Limit', type: 'string' },
      { name: 'Age', type: 'string' },
    ],
    row: (object, now) => [
      object.metadata.name!,
      usage(object, false),
      usage(object, true),
      age(object.metadata.creationTimestamp, now),
    ],
  },
  prepareForCreate(object, context) {
    object.status = {};
    warnings(object.spec?.hard ?? {}).forEach((warning) => context.warn(warning));
  },
  validate: validateSpec,
  validateUpdate(next, old, fields) {
    validateSpec(next, fields);
    const [now, before] = [next, old].map(({ spec }) => [...new Set<string>(spec?.scopes ?? [])].sort().join());
    if (now !== before) fields.child('spec', 'scopes').invalid(next.spec?.scopes ?? null, 'field is immutable');
  },
  validateStatus({ status = {} }, _old, fields) {
    validateAmounts(status.hard ?? {}, fields.child('status', 'hard'));
    validateAmounts(status.used ?? {}, fields.child('status', 'used'));
  },
});
