import { Access } from '../authorization/authorizer';
import { FieldTerm } from '../registry/field-selector';
import { termsOf } from '../authorization/request-access';
import { parseLabelSelector } from '../registry/label-selector';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isLabelValue, isQualifiedName } from '../validation/names';

interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

interface Selector {
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[];
}

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: Selector;
  readonly labelSelector?: Selector;
}

interface PathAttributes {
  readonly path?: string;
  readonly verb?: string;
}

/** `spec` of an access review. */
export interface AccessSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: PathAttributes;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Record<string, string[]>;
}

/** Go prints this type with the names of its fields. */
const shown = ({ path = '', verb = '' }: PathAttributes) => ({ Path: path, Verb: verb });

/** Mistakes in the spec of an access review; `named` if the review names a user. */
export function validateSpec(spec: AccessSpec, named: boolean, at: Fields): void {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (resource && path) {
    at.child('nonResourceAttributes').invalid(
      shown(path),
      'cannot be specified in combination with resourceAttributes',
    );
  } else if (!resource && !path) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    at.child('resourceAttributes').invalid(null, why);
  }
  if (named && !spec.user && !spec.groups?.length) {
    at.child('user').invalid('', 'at least one of user or group must be specified');
  }
  for (const field of ['fieldSelector', 'labelSelector'] as const) {
    const selector = resource?.[field];
    if (selector) validateSelector(selector, at.child('resourceAttributes', field));
  }
}

function validateSelector({ rawSelector, requirements = [] }: Selector, at: Fields): void {
  if (rawSelector && requirements.length) {
    at.child('rawSelector').invalid(rawSelector, 'may not specified at the same time as requirements');
  }
  if (!rawSelector && !requirements.length) {
    const why = `when ${at.path} is specified, requirements or rawSelector is required`;
    at.child('requirements').required(why);
  }
  requirements.forEach((requirement, i) => validateRequirement(requirement, at.child('requirements').index(i)));
}

/** Unknown operators are allowed: they are ignored. */
function validateRequirement({ key, operator, values }: Requirement, at: Fields): void {
  const isLabel = at.path.includes('labelSelector');
  if (!isLabel && !key) at.child('key').required('must be specified');
  if ((operator === 'In' || operator === 'NotIn') && !values?.length) {
    at.child('values').required("must be specified when `operator` is 'In' or 'NotIn'");
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values?.length) {
    at.child('values').forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
  if (!isLabel) return;
  at.child('key').invalidEach(key ?? '', isQualifiedName(key ?? ''));
  values?.forEach((value, i) => at.child('values').index(i).invalidEach(value, isLabelValue(value)));
}

/** Namespace rules of a LocalSubjectAccessReview. */
export function validateLocal({ metadata, spec = {} }: AnyObject): Fields {
  const fields = Fields.root();
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec as AccessSpec;
  const namespace = resource?.namespace ?? '';
  if (resource && namespace !== (metadata.namespace ?? '')) {
    fields.child('spec.resourceAttributes.namespace').invalid(namespace, 'must match metadata.namespace');
  }
  if (path) fields.child('spec.nonResourceAttributes').invalid(shown(path), 'disallowed on this kind of request');
  return fields;
}

/** The access of a review, and what of its selectors cannot be understood. */
export function accessOf({ resourceAttributes: resource, nonResourceAttributes }: AccessSpec): {
  access: Access;
  problems: string[];
} {
  const none = { path: '', verb: '', group: '', version: '', namespace: '', resource: '', subresource: '', name: '' };
  if (!resource) {
    const { path = '', verb = '' } = nonResourceAttributes ?? {};
    return { access: { ...none, isResource: false, path, verb }, problems: [] };
  }
  const { fieldSelector, labelSelector, ...attributes } = resource;
  const { terms, ignored } = fieldTermsOf(fieldSelector);
  const ignore = (field: string, partially: boolean) =>
    `spec.resourceAttributes.${field} ${partially ? 'partially ' : ''}ignored due to parse error`;
  return {
    access: { ...none, isResource: true, ...attributes, ...(terms.length ? { fields: terms } : {}) },
    problems: [
      ...(ignored ? [ignore('fieldSelector', terms.length > 0)] : []),
      ...labelProblem(labelSelector).map((partially) => ignore('labelSelector', partially)),
    ],
  };
}

function fieldTermsOf({ rawSelector, requirements = [] }: Selector = {}): { terms: FieldTerm[]; ignored: boolean } {
  if (rawSelector) {
    const terms = termsOf(rawSelector);
    return { terms, ignored: !terms.length };
  }
  const valid = requirements.filter(
    ({ operator, values }) => (operator === 'In' || operator === 'NotIn') && values?.length === 1,
  );
  const terms = valid.map(({ key = '', operator, values }) => ({
    field: key,
    equal: operator === 'In',
    value: values![0],
  }));
  return { terms, ignored: valid.length < requirements.length };
}

/** Nothing for a selector that can be parsed; otherwise, whether a part of it can. */
function labelProblem({ rawSelector, requirements = [] }: Selector = {}): boolean[] {
  if (rawSelector) {
    try {
      parseLabelSelector(rawSelector);
      return [];
    } catch {
      return [false];
    }
  }
  const known = requirements.filter(({ operator = '' }) =>
    ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator),
  );
  return known.length < requirements.length ? [known.length > 0] : [];
}
