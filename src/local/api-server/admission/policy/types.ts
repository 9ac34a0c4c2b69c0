import { Rule } from '../webhook-match';
import { matchLabelSelector } from '../../registry/label-selector';
import { AnyObject } from '../../types';

type Selector = NonNullable<Parameters<typeof matchLabelSelector>[0]>;

/** Rule of a policy: like that of a webhook, with names of objects. */
export interface NamedRule extends Rule {
  readonly resourceNames?: readonly string[];
}

export interface MatchResources {
  readonly namespaceSelector?: Selector;
  readonly objectSelector?: Selector;
  readonly resourceRules?: readonly NamedRule[];
  readonly excludeResourceRules?: readonly NamedRule[];
  readonly matchPolicy?: 'Exact' | 'Equivalent';
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

/** ValidatingAdmissionPolicy after defaulting. */
export interface Policy extends AnyObject {
  spec: {
    failurePolicy?: 'Fail' | 'Ignore';
    matchConstraints?: MatchResources;
    matchConditions?: { name: string; expression: string }[];
    paramKind?: { apiVersion: string; kind: string };
    variables?: { name: string; expression: string }[];
    validations?: Validation[];
    auditAnnotations?: { key: string; valueExpression: string }[];
  };
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: Selector;
  readonly parameterNotFoundAction?: 'Allow' | 'Deny';
}

/** ValidatingAdmissionPolicyBinding. */
export interface Binding extends AnyObject {
  spec: {
    policyName: string;
    paramRef?: ParamRef;
    matchResources?: MatchResources;
    validationActions?: ('Deny' | 'Warn' | 'Audit')[];
  };
}
