import { Policy, Binding, MatchResources, NamedRule, ParamRef, Validation } from '../admission/policy/types';
import { policyScope } from '../admission/policy/scope';
import { deepEqual } from '../json/values';
import { Kind } from '../registry/kind';
import { checkCel, Scope } from '../schema';
import { CelType, DYN, NULL, typeName } from '../schema/cel/types';
import { RESERVED_WORDS } from '../schema/cel/values';
import { textPrinter } from './printers';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { validateLabelSelector } from '../validation/label-selector';
import { isDns1035Label, isDns1123Subdomain, isPathSegment, isQualifiedName } from '../validation/names';
import { define, KindSpec } from './define';
import { oneOf, validateRule } from './webhook-configuration';

const GROUP = 'admissionregistration.k8s.io';
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const MAX_CONDITIONS = 64;
const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION = 5 * 1024;

/** Validates an expression and its type. Returns the type. */
function compile(expression: string, scope: Scope, wanted: readonly string[], at: Fields): CelType {
  const checked = checkCel(expression, scope);
  if ('error' in checked) {
    at.invalid(expression, checked.error);
    return DYN;
  }
  const got = checked.type === NULL ? 'null_type' : typeName(checked.type);
  if (wanted.length > 0 && !wanted.includes(got)) {
    const types = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(' ')}]`;
    at.invalid(expression, `must evaluate to ${types} but got ${got}`);
  }
  return checked.type;
}

function validateNamedRule({ resourceNames = [], ...rule }: NamedRule, at: Fields): void {
  resourceNames.forEach((name, i) => {
    const here = at.child('resourceNames').index(i);
    here.invalidEach(name, isPathSegment(name));
    if (resourceNames.indexOf(name) < i) here.duplicate(name);
  });
  validateRule(rule, at);
}

function defaultMatch(match: Record<string, unknown> | undefined): void {
  if (!match) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  const rules = [match.resourceRules, match.excludeResourceRules].flatMap((list) => (list as NamedRule[]) ?? []);
  for (const rule of rules) rule.scope ??= '*';
}

function validateMatch(match: MatchResources, at: Fields): void {
  oneOf(match.matchPolicy, ['Equivalent', 'Exact'], at.child('matchPolicy'));
  validateLabelSelector(match.namespaceSelector, at.child('namespaceSelector'));
  validateLabelSelector(match.objectSelector, at.child('objectSelector'));
  for (const field of ['resourceRules', 'excludeResourceRules'] as const)
    (match[field] ?? []).forEach((rule, i) => validateNamedRule(rule, at.child(field).index(i)));
}

function validateParamKind({ apiVersion = '', kind = '' }: { apiVersion?: string; kind?: string }, at: Fields): void {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const here = at.child('apiVersion');
  if (!apiVersion) here.required();
  else if (apiVersion.split('/').length > 2) here.invalid(apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else {
    const [wrongGroup, wrongVersion] = [group ? isDns1123Subdomain(group) : [], isDns1035Label(version)];
    if (wrongGroup.length) here.invalid(group, wrongGroup.join(','));
    if (!version) here.invalid(apiVersion, 'version must be specified');
    else if (wrongVersion.length) here.invalid(version, wrongVersion.join(','));
  }
  const wrong = isDns1035Label(kind.toLowerCase());
  if (!kind) at.child('kind').required();
  else if (wrong.length)
    at.child('kind').invalid(kind, `may have mixed case, but should otherwise match: ${wrong.join(',')}`);
}

export function validateConditions(
  conditions: readonly { name?: string; expression?: string }[],
  params: boolean,
  at: Fields,
): void {
  if (conditions.length > MAX_CONDITIONS) at.tooMany(conditions.length, MAX_CONDITIONS);
  const scope = policyScope({ params });
  conditions.forEach(({ name = '', expression = '' }, i) => {
    const here = at.index(i);
    if (expression.trim() === '') here.child('expression').required();
    else compile(expression.trim(), scope, ['bool'], here.child('expression'));
    if (name === '') here.child('name').required();
    else here.child('name').invalidEach(name, isQualifiedName(name));
    if (name !== '' && conditions.findIndex((other) => other.name === name) < i) here.child('name').duplicate(name);
  });
}

/** Validates the variables. Returns their types: each may use those before it. */
function validateVariables(
  variables: readonly { name?: string; expression?: string }[],
  params: boolean,
  at: Fields,
): Record<string, CelType> {
  const types: Record<string, CelType> = {};
  variables.forEach(({ name = '', expression = '' }, i) => {
    const here = at.index(i);
    if (name.trim() === '') here.child('name').required('name is not specified');
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED_WORDS.has(name))
      here.child('name').invalid(name, 'must be a valid CEL identifier');
    if (expression.trim() === '') here.child('expression').required('expression is not specified');
    else {
      const type = compile(expression, policyScope({ params, variables: types }), [], here.child('expression'));
      if (name !== '') types[name] = type;
    }
  });
  return types;
}

interface Variables {
  readonly params: boolean;
  readonly variables?: Readonly<Record<string, CelType>>;
}

function validateValidation(validation: Partial<Validation>, variables: Variables, at: Fields): void {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  if (expression.trim() === '') at.child('expression').required('expression is not specified');
  else compile(expression, policyScope(variables), ['bool'], at.child('expression'));
  const here = at.child('messageExpression');
  if (messageExpression !== '' && messageExpression.trim() === '')
    here.invalid(messageExpression, 'must be non-empty if specified');
  else if (messageExpression !== '')
    compile(messageExpression, policyScope({ ...variables, authorizer: false }), ['string'], here);
  if (message !== '' && message.trim() === '') at.child('message').invalid(message, 'must be non-empty if specified');
  else if (/[\r\n]/.test(message.trim())) at.child('message').invalid(message, 'must not contain line breaks');
  oneOf(reason, REASONS, at.child('reason'));
}

function validateAnnotations(
  annotations: readonly { key?: string; valueExpression?: string }[],
  policy: string,
  variables: Variables,
  at: Fields,
): void {
  if (annotations.length > MAX_AUDIT_ANNOTATIONS)
    at.invalid(annotations, `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`);
  annotations.forEach(({ key = '', valueExpression = '' }, i) => {
    const here = at.index(i);
    if (policy) here.child('key').invalidEach(`${policy}/${key}`, isQualifiedName(`${policy}/${key}`));
    else here.child('key').invalid(key, 'requires metadata.name be non-empty');
    const text = valueExpression.trim();
    const value = here.child('valueExpression');
    if (text === '') value.required('valueExpression is not specified');
    else if (text.length > MAX_VALUE_EXPRESSION)
      value.required(`must not exceed ${MAX_VALUE_EXPRESSION} bytes in length`);
    else compile(text, policyScope(variables), ['string', 'null_type'], value);
    if (annotations.findIndex((other) => (other.key ?? '') === key) < i) here.child('key').duplicate(key);
  });
}

function validatePolicy({ metadata, spec = {} as Policy['spec'] }: AnyObject, fields: Fields): void {
  const policy = spec as Policy['spec'];
  const at = fields.child('spec');
  const params = policy.paramKind !== undefined;
  oneOf(policy.failurePolicy, ['Fail', 'Ignore'], at.child('failurePolicy'));
  if (policy.paramKind) validateParamKind(policy.paramKind, at.child('paramKind'));
  const match = policy.matchConstraints;
  if (!match) at.child('matchConstraints').required();
  else {
    validateMatch(match, at.child('matchConstraints'));
    if (!match.resourceRules?.length) at.child('matchConstraints', 'resourceRules').required();
  }
  validateConditions(policy.matchConditions ?? [], params, at.child('matchConditions'));
  const declared = policy.variables ?? [];
  const types = validateVariables(declared, params, at.child('variables'));
  const variables: Variables = { params, ...(declared.length > 0 ? { variables: types } : {}) };
  if (!policy.validations?.length && !policy.auditAnnotations?.length) {
    const why = 'validations or auditAnnotations must contain at least one item';
    at.child('validations').required(why);
    at.child('auditAnnotations').required(why);
    return;
  }
  (policy.validations ?? []).forEach((validation, i) =>
    validateValidation(validation, variables, at.child('validations').index(i)),
  );
  validateAnnotations(policy.auditAnnotations ?? [], metadata.name ?? '', variables, at.child('auditAnnotations'));
}

function validateParamRef(reference: ParamRef, at: Fields): void {
  const { name = '', selector, parameterNotFoundAction: action } = reference;
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    at.child('name').invalidEach(name, isPathSegment(name));
    if (selector) at.child('name').forbidden(exclusive);
  }
  if (selector) {
    validateLabelSelector(selector, at.child('selector'));
    if (name !== '') at.child('selector').forbidden(exclusive);
  }
  if (name === '' && !selector) at.required('one of name or selector must be specified');
  if (!action) at.child('parameterNotFoundAction').required();
  else oneOf(action, ['Deny', 'Allow'], at.child('parameterNotFoundAction'));
}

function validateActions(actions: readonly string[], at: Fields): void {
  actions.forEach((action, i) => {
    oneOf(action, ACTIONS, at.index(i));
    if (actions.indexOf(action) < i) at.index(i).duplicate(action);
  });
  if (actions.includes('Deny') && actions.includes('Warn'))
    at.invalid(
      actions,
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    );
  if (actions.length === 0) at.required('at least one validation action is required');
}

function validatePolicyName(name: string | undefined, at: Fields): void {
  if (!name) at.required();
  else at.invalidEach(name, isDns1123Subdomain(name));
}

function validateBinding({ spec = {} as Binding['spec'] }: AnyObject, fields: Fields): void {
  const { policyName, paramRef, matchResources, validationActions = [] } = spec as Binding['spec'];
  const at = fields.child('spec');
  validatePolicyName(policyName, at.child('policyName'));
  if (paramRef) validateParamRef(paramRef, at.child('paramRef'));
  if (matchResources) validateMatch(matchResources, at.child('matchResources'));
  validateActions(validationActions, at.child('validationActions'));
}

const common = (
  kind: string,
  plural: string,
): Pick<KindSpec, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'> => ({
  group: GROUP,
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});

/** The object before a create, as Go prints it. */
const emptyObject = (kind: string): AnyObject => ({ apiVersion: `${GROUP}/v1`, kind, metadata: {}, spec: {} });

/** `generation` counts the changes of the spec, also without a status. */
const counted: Pick<KindSpec, 'prepareForCreate' | 'prepareForUpdate' | 'unconditionalUpdate' | 'categories'> = {
  categories: ['api-extensions'],
  unconditionalUpdate: false,
  prepareForCreate(object) {
    object.metadata.generation = 1;
  },
  prepareForUpdate(object, old) {
    if (!deepEqual(object.spec, old.spec)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
};

const paramKindCell = ({ spec }: AnyObject) =>
  spec?.paramKind ? `${spec.paramKind.apiVersion}/${spec.paramKind.kind}` : '<unset>';

const paramRefCell = ({ spec }: AnyObject) => {
  const reference = spec?.paramRef as ParamRef | undefined;
  if (!reference) return '<unset>';
  if (reference.name) return reference.namespace ? `${reference.namespace}/${reference.name}` : `*/${reference.name}`;
  return `${reference.namespace ?? '*'}/`;
};

function mutating(kind: string, plural: string): Kind {
  return define({
    ...common(kind, plural),
    ...counted,
    storedOnly: true,
    empty: () => emptyObject(kind),
    defaults({ spec }) {
      if (kind.endsWith('Binding')) defaultMatch(spec?.matchResources);
      else if (spec) {
        spec.failurePolicy ??= 'Fail';
        defaultMatch(spec.matchConstraints);
      }
    },
  });
}

/** Kinds of admission policies. */
export const admissionPolicyKinds: Kind[] = [
  define({
    ...common('ValidatingAdmissionPolicy', 'validatingadmissionpolicies'),
    ...counted,
    status: true,
    empty: () => ({ ...emptyObject('ValidatingAdmissionPolicy'), status: {} }),
    prepareForCreate(object, context) {
      counted.prepareForCreate?.(object, context);
      object.status = {};
    },
    printer: textPrinter(
      {
        Validations: ({ spec }) => spec?.validations?.length ?? 0,
        ParamKind: paramKindCell,
      },
      {},
      { Validations: 'integer' },
    ),
    defaults(policy) {
      const spec = (policy.spec ??= {});
      spec.failurePolicy ??= 'Fail';
      defaultMatch(spec.matchConstraints);
    },
    validate: validatePolicy,
  }),
  define({
    ...common('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'),
    ...counted,
    empty: () => emptyObject('ValidatingAdmissionPolicyBinding'),
    printer: textPrinter({
      PolicyName: ({ spec }) => spec?.policyName ?? '',
      ParamRef: paramRefCell,
    }),
    defaults(binding) {
      defaultMatch((binding.spec ??= {}).matchResources);
    },
    validate: validateBinding,
  }),
  mutating('MutatingAdmissionPolicy', 'mutatingadmissionpolicies'),
  mutating('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings'),
];
