import type { k8s } from 'cdk8s-plus-28';
import type { NodePlacement } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';

/** Nodes on which Pods of the platform run. */
export interface PlatformPlacement {
  /**
   * Labels that a node must have, in addition to the labels for Linux and amd64, for which the images are built. Using
   * one of those keys here replaces its value.
   * @default - none
   */
  readonly nodeSelector?: { readonly [label: string]: string };
  /**
   * Taints to tolerate, in addition to `CriticalAddonsOnly`.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Affinity rules. Except for virt-handler, they replace the default.
   * @default - Pods of the same component prefer different nodes
   */
  readonly affinity?: k8s.Affinity;
}

/** Renders the placement as the KubeVirt object expects it. */
export function renderPlacement(
  placement: PlatformPlacement | undefined,
): { nodePlacement: NodePlacement } | undefined {
  if (!placement) return undefined;
  const { nodeSelector, tolerations, affinity } = placement;
  return {
    nodePlacement: defined({
      nodeSelector: nodeSelector && { ...nodeSelector },
      tolerations: tolerations && [...tolerations],
      affinity,
    }) as NodePlacement,
  };
}
