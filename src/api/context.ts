import { type Path, root } from './findings';
import type { ClusterConfig } from './cluster-config';
import type { AdmissionContext, Requester } from './kinds/kind';

/** A user, who may not do what the platform's own components may. */
export const USER: Requester = { trusted: false };

/** A context of a cluster that holds nothing else, or of which nothing else is known. */
export function contextOf(config: ClusterConfig, by: Requester = USER): AdmissionContext {
  return { config, by, find: () => undefined, list: () => [] };
}

/** Either form that the entry points take. */
export function asContext(given: AdmissionContext | ClusterConfig, by?: Requester): AdmissionContext {
  return 'config' in given ? given : contextOf(given, by);
}

const spec = root.at('spec');

/** Path of the spec of the object that is validated: findings and their texts begin with it. */
export const specPath = ({ specAt = spec }: Pick<AdmissionContext, 'specAt'>): Path => specAt;
