import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';

/**
 * Sync waves of the platform. Argo CD creates objects from the lowest wave to the highest, and deletes them in the reverse
 * order. VMs of the same application are in wave 0, so they are deleted before the platform that ends their guests.
 */
export const SYNC_WAVES = { definitions: -4, namespace: -3, operator: -2, kubeVirt: -1 } as const;

/**
 * Options of the definitions: deleting one would delete all VMs, and some are too large for the annotation of a
 * client-side apply.
 */
export const KEPT_DEFINITION = 'ServerSideApply=true,Prune=false,Delete=false';

/** The definition may be part of another application. */
export const UNKNOWN_KIND = 'SkipDryRunOnMissingResource=true';

/** Sets wave and sync options of all objects of a construct. */
export function setSyncWave(construct: IConstruct, wave: number, options?: string): void {
  for (const each of construct.node.findAll()) {
    if (!ApiObject.isApiObject(each)) continue;
    each.metadata.addAnnotation('argocd.argoproj.io/sync-wave', `${wave}`);
    if (options !== undefined) each.metadata.addAnnotation('argocd.argoproj.io/sync-options', options);
  }
}
