import type { k8s } from 'cdk8s-plus-28';
import type { NodePlacement } from '../../api/generated/kubevirt-v1';
import { said } from './objects';

/** On which nodes Pods of the platform run. */
export interface PlatformPlacement {
  /**
   * Labels that a node must have, besides those of Linux on amd64, for which the images are made. Naming one of them
   * here replaces it.
   * @default - none
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * Taints that are borne, besides `CriticalAddonsOnly`.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Near to what, away from what; of virt-api, virt-controller and virt-operator in place of "each on another node".
   * @default - Pods of one component keep away from each other
   */
  readonly affinity?: k8s.Affinity;
}

/** As the KubeVirt object has it. */
export function renderPlacement(
  placement: PlatformPlacement | undefined,
): { nodePlacement: NodePlacement } | undefined {
  if (!placement) return undefined;
  const { nodeSelector, tolerations, affinity } = placement;
  return {
    nodePlacement: said({
      nodeSelector: nodeSelector && { ...nodeSelector },
      tolerations: tolerations && [...tolerations],
      affinity,
    }) as NodePlacement,
  };
}
