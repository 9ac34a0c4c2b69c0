import { Kind } from '../../registry/kind';
import { KindRegistry } from '../../registry/registry';
import { Store } from '../../store/store';
import { Attributes } from '../admission';
import { matchesRule, matchesSelectors } from '../webhook-match';
import { MatchResources, NamedRule } from './types';

/** Kind in which a policy sees the request: its own, or another version of it. Undefined if the policy does not match. */
export function matchingKind(
  { resourceRules = [], excludeResourceRules = [], matchPolicy, ...selectors }: MatchResources,
  attributes: Attributes,
  store: Store,
  kinds: KindRegistry,
): Kind | undefined {
  if (!matchesSelectors(selectors, attributes, store)) return undefined;
  const seen = (rules: readonly NamedRule[]) => firstMatch(rules, matchPolicy, attributes, kinds);
  if (seen(excludeResourceRules)) return undefined;
  return resourceRules.length > 0 ? seen(resourceRules) : attributes.kind;
}

function firstMatch(
  rules: readonly NamedRule[],
  policy: MatchResources['matchPolicy'],
  attributes: Attributes,
  kinds: KindRegistry,
): Kind | undefined {
  const { kind, name } = attributes;
  const matches = (as: Kind) =>
    rules.some(
      (rule) => matchesRule(rule, attributes, as) && (!rule.resourceNames?.length || rule.resourceNames.includes(name)),
    );
  if (rules.length === 0 || matches(kind)) return rules.length === 0 ? undefined : kind;
  if (policy === 'Exact') return undefined;
  return kinds.versionsOf(kind.storage).find((other) => other !== kind && matches(other));
}
