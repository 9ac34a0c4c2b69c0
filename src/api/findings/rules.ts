/** The registry of rules: a finding names one of these, and each rule belongs to one stage. */
import { betweenObjectsRules } from './rules/between-objects';
import type { RuleFacts, RuleTable } from './rules/facts';
import { objectRules } from './rules/object';
import { valueRules } from './rules/value';

/**
 * When a rule is checked: `value` where the value is written, at construction; `object` at synth, when the object is
 * complete; `between objects` at synth, when the app is complete.
 */
export type Stage = 'value' | 'object' | 'between objects';

/** Name of a rule, stable: `disk-has-volume`. Tests, docs and users' filters match on it. */
export type RuleId = keyof typeof valueRules | keyof typeof objectRules | keyof typeof betweenObjectsRules;

const stages: Readonly<Record<Stage, RuleTable>> = {
  value: valueRules,
  object: objectRules,
  'between objects': betweenObjectsRules,
};

/** Ids of the rules of a stage. */
export const rulesOf = (stage: Stage): RuleId[] => Object.keys(stages[stage]) as RuleId[];

/** Returns the stage that a rule belongs to. */
export function stageOf(rule: RuleId): Stage {
  if (Object.hasOwn(valueRules, rule)) return 'value';
  return Object.hasOwn(betweenObjectsRules, rule) ? 'between objects' : 'object';
}

const factsOf = (rule: RuleId): RuleFacts => stages[stageOf(rule)][rule];

/** Whether only a cluster can decide: the object that the rule looks for may exist there. */
export const needsCluster = (rule: RuleId): boolean => factsOf(rule).needsCluster === true;

/** Whether the API server of Kubernetes accepts an object with this mistake. */
export const kubernetesAccepts = (rule: RuleId): boolean => factsOf(rule).kubernetesAccepts === true;
