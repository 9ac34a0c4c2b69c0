/** Instance types and preferences, which a VM refers to. Pure. Start at `mutate.ts` and `expand.ts`. */
export { expandInstance, sizeInstance } from './expand';
export type { Expansion } from './expand';
export { expandedByPolicy, expandVirtualMachine } from './expand-vm';
export type { ExpandedVirtualMachine } from './expand-vm';
export { findInstancetype, findPreference, revisionNameOf } from './find';
export type { FindProblem, Found } from './find';
export { kindOf } from './matcher';
export { inferMatchers } from './mutate';
export type { MatchedVirtualMachine } from './mutate';
export { checkRequirements } from './requirements';
export { isCurrent, revisionName, revisionOf, sameRevision, statusRefOf, upgradedRevision } from './revision';
export type {
  ControllerRevision,
  Instancetype,
  InstancetypeSpec,
  Matcher,
  MatcherField,
  Preference,
  PreferenceSpec,
} from './types';
