/** Facts about a rule. */
export interface RuleFacts {
  /** Whether only a cluster can decide: the object that the rule looks for may exist there. */
  readonly needsCluster?: true;
  /** For rules about objects of Kubernetes: whether its API server accepts the object, which then does not work. */
  readonly kubernetesAccepts?: true;
}

/** Rules of a stage, by id. */
export type RuleTable = Readonly<Record<string, RuleFacts>>;
