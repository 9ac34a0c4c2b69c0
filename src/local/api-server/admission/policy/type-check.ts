import { gvOf, Kind } from '../../registry/kind';
import { checkCel, Scope } from '../../schema';
import { typeOfJsonSchema, typeOfTypeSchema } from '../../schema/cel/schema-types';
import { CelType, DYN } from '../../schema/cel/types';
import { policyScope } from './scope';
import { NamedRule, Policy } from './types';

/** Number of kinds for which a rule is checked. */
const MAX_KINDS = 10;

interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Problems of a policy's expressions with the types of the kinds that it names: `status.typeChecking`. */
export function expressionWarnings(policy: Policy, kinds: readonly Kind[]): ExpressionWarning[] {
  const named = kindsOf(policy.spec.matchConstraints?.resourceRules ?? [], kinds);
  const scopes = named.map((kind) => ({ kind, scope: scopeOf(policy, kind) }));
  const warn = (fieldRef: string, expression: string): ExpressionWarning[] => {
    const problems = scopes.flatMap(({ kind, scope }) => {
      const checked = checkCel(expression, scope);
      if (!('error' in checked)) return [];
      const version = kind.group ? gvOf(kind) : `/${kind.version}`;
      return [`${version}, Kind=${kind.kind}: ${checked.error.replace(/^compilation failed: /, '')}\n`];
    });
    return problems.length > 0 ? [{ fieldRef, warning: problems.join('\n') }] : [];
  };
  return (policy.spec.validations ?? []).flatMap(({ expression, messageExpression }, i) => [
    ...warn(`spec.validations[${i}].expression`, expression),
    ...(messageExpression ? warn(`spec.validations[${i}].messageExpression`, messageExpression) : []),
  ]);
}

/** Kinds that the rules name without wildcards, in the order of their names. */
function kindsOf(rules: readonly NamedRule[], kinds: readonly Kind[]): Kind[] {
  const plain = (list: readonly string[]) => (list.includes('*') ? [] : list);
  const found = rules.flatMap(({ apiGroups, apiVersions, resources }) =>
    kinds
      .filter(
        ({ group, version, plural }) =>
          plain(apiGroups).includes(group) && plain(apiVersions).includes(version) && resources.includes(plural),
      )
      .slice(0, MAX_KINDS),
  );
  const text = (kind: Kind) => `${gvOf(kind)} ${kind.kind}`;
  return [...new Set(found)].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function scopeOf({ spec }: Policy, kind: Kind): Scope {
  const params = spec.paramKind !== undefined;
  const object = typeOfKind(kind);
  const variables: Record<string, CelType> = {};
  for (const { name, expression } of spec.variables ?? []) {
    const checked = checkCel(expression, policyScope({ object, params, variables }));
    variables[name] = 'type' in checked ? checked.type : DYN;
  }
  return policyScope({ object, params, ...(spec.variables?.length ? { variables } : {}) });
}

function typeOfKind(kind: Kind): CelType {
  if (kind.openApiSchema) {
    const type = typeOfJsonSchema(kind.openApiSchema, true);
    // unlike in rules of a CRD, all metadata can be read
    if (type?.kind === 'object') return { ...type, fields: new Map(type.fields).set('metadata', DYN) };
  }
  return kind.schema ? typeOfTypeSchema(kind.schema) : DYN;
}
