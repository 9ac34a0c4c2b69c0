import { Authorizer } from '../../authorization/authorizer';
import { errors, StatusError } from '../../errors';
import { gvOf, Kind, subjectOf } from '../../registry/kind';
import { KindRegistry } from '../../registry/registry';
import { toCel } from '../../schema/cel';
import { Store } from '../../store/store';
import { AnyObject } from '../../types';
import { Attributes, Plugin } from '../admission';
import { requestFields } from '../request-fields';
import { celAuthorizer } from '../cel-authorizer';
import { Denial, evaluatePolicy } from './evaluate';
import { matchingKind } from './match';
import { paramKindOf, paramsOf } from './params';
import { Binding, Policy } from './types';

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;

/** Resources that no policy sees: a policy must not prevent its own repair, and reviews are not stored. */
const EXCLUDED = new Set([
  ...['validatingadmissionpolicies', 'validatingadmissionpolicybindings'].map((name) => `${GROUP}/${name}`),
  ...['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'].map((name) => `${GROUP}/${name}`),
  ...['tokenreviews', 'selfsubjectreviews'].map((name) => `authentication.k8s.io/${name}`),
  ...['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'].map(
    (name) => `authorization.k8s.io/${name}`,
  ),
]);

const CODES: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

/** A rejection and the objects that cause it. */
interface Rejection extends Denial {
  readonly policy: string;
  readonly binding?: string;
}

/** Evaluates the ValidatingAdmissionPolicies that are bound to a request. */
export class ValidatingPolicies implements Plugin {
  public readonly name = 'ValidatingAdmissionPolicy';
  private bound: { policy: Policy; bindings: Binding[] }[] | undefined;

  public constructor(
    private readonly store: Store,
    private readonly kinds: KindRegistry,
    private readonly authorizer: Authorizer,
  ) {
    for (const resource of [POLICIES, BINDINGS]) store.subscribe(resource, () => (this.bound = undefined));
  }

  public validate(attributes: Attributes): void {
    if (EXCLUDED.has(`${attributes.kind.group}/${attributes.kind.plural}`)) return;
    const rejections: Rejection[] = [];
    for (const { policy, bindings } of this.all()) rejections.push(...this.findings(policy, bindings, attributes));
    if (rejections.length > 0) throw rejected(rejections[0], attributes);
  }

  /** Policies with at least one binding, from a cache. */
  private all(): { policy: Policy; bindings: Binding[] }[] {
    if (this.bound) return this.bound;
    const bindings = Map.groupBy(
      this.store.list({ resource: BINDINGS }) as Iterable<Binding>,
      (b) => b.spec.policyName,
    );
    this.bound = [...(this.store.list({ resource: POLICIES }) as Iterable<Policy>)].flatMap((policy) => {
      const own = bindings.get(policy.metadata.name!);
      return own ? [{ policy, bindings: own }] : [];
    });
    return this.bound;
  }

  private findings(policy: Policy, bindings: readonly Binding[], attributes: Attributes): Rejection[] {
    const name = policy.metadata.name!;
    const seenAs = matchingKind(policy.spec.matchConstraints ?? {}, attributes, this.store, this.kinds);
    if (!seenAs) return [];
    const misconfigured = (message: string, binding?: string): Rejection[] =>
      policy.spec.failurePolicy === 'Ignore' ? [] : [{ index: 0, message, policy: name, binding }];
    let paramKind: Kind | undefined;
    try {
      paramKind = paramKindOf(policy, this.kinds);
    } catch (error) {
      return misconfigured(`failed to configure policy: ${(error as Error).message}`);
    }
    const variables = this.variables(attributes, seenAs);
    return bindings.flatMap((binding) => {
      const { matchResources, paramRef, validationActions = [] } = binding.spec;
      if (matchResources && !matchingKind(matchResources, attributes, this.store, this.kinds)) return [];
      const bindingName = binding.metadata.name!;
      let params: (AnyObject | null)[];
      try {
        params = paramsOf(paramKind, paramRef, attributes.namespace, this.store);
      } catch (error) {
        return misconfigured(`failed to configure binding: ${(error as Error).message}`, bindingName);
      }
      return params.flatMap((param) => {
        const given = paramKind ? { ...variables, params: toCel(param, undefined) } : variables;
        const { denials, failures } = evaluatePolicy(policy, given);
        if (validationActions.includes('Warn')) {
          for (const { message } of denials)
            attributes.warn(
              `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${bindingName}': ${message}`,
            );
        }
        const denied = validationActions.includes('Deny') ? [...denials, ...failures] : failures;
        return denied.map((denial) => ({ ...denial, policy: name, binding: bindingName }));
      });
    });
  }

  /** Variables of all expressions. */
  private variables(attributes: Attributes, seenAs: Kind): Record<string, unknown> {
    const { kind, namespace } = attributes;
    const isNamespace = kind.group === '' && kind.plural === 'namespaces';
    const home =
      namespace && !isNamespace
        ? this.store.get({ resource: '/namespaces', namespace: '', name: namespace })
        : undefined;
    return {
      object: toCel(inVersion(attributes.object, attributes, seenAs), undefined),
      oldObject: toCel(inVersion(attributes.oldObject, attributes, seenAs), undefined),
      namespaceObject: toCel(home ?? null, undefined),
      request: toCel(requestOf(attributes, seenAs), undefined),
      authorizer: celAuthorizer(this.authorizer, attributes, seenAs),
    };
  }
}

function inVersion(object: AnyObject | undefined, { objectKind }: Attributes, seenAs: Kind): AnyObject | null {
  if (!object || objectKind) return object ?? null;
  return { ...object, apiVersion: gvOf(seenAs), kind: seenAs.kind };
}

/** Variable `request`: the AdmissionRequest without its objects. */
const requestOf = (attributes: Attributes, seenAs: Kind): Record<string, unknown> => ({
  ...requestFields(attributes, seenAs),
  userInfo: { ...attributes.user, groups: [...attributes.user.groups], extra: attributes.user.extra ?? {} },
});

/** Error for the client: that of the first rejection. */
function rejected({ policy, binding, message, reason = 'Invalid' }: Rejection, attributes: Attributes): StatusError {
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const { status } = errors.forbidden(subjectOf(attributes.kind), attributes.name, text, [{ message: text }]);
  return new StatusError({ ...status, reason, code: CODES[reason] ?? 422 });
}
