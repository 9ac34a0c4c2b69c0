import { type Path, root } from './findings';
import type { ClusterConfig } from './cluster-config';
import type { AdmissionContext, Requester } from './kinds/kind';

/** User without the privileges of the platform's components. */
export const USER: Requester = { trusted: false };

/** Returns the context of a cluster without other objects, or whose objects are unknown. */
export function contextOf(config: ClusterConfig, by: Requester = USER): AdmissionContext {
  return { config, by, find: () => undefined, list: () => [] };
}

/** Both forms that the entry points accept. */
export function asContext(given: AdmissionContext | ClusterConfig, by?: Requester): AdmissionContext {
  return 'config' in given ? given : contextOf(given, by);
}

const spec = root.at('spec');

/** Returns the path of the validated object's spec, with which findings and their texts begin. */
export const specPath = ({ specAt = spec }: Pick<AdmissionContext, 'specAt'>): Path => specAt;
