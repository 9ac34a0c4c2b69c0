import crds from './generated/crds.json';
import type { KubeObject } from './meta';

/** CustomResourceDefinition. */
export interface Definition extends KubeObject {
  readonly spec: { readonly group: string; readonly names: { readonly kind: string } };
}

/** Definitions of all kinds: KubeVirt's and CDI's. */
export const definitions = crds as unknown as readonly Definition[];
const isImporter = ({ spec }: Definition): boolean => /(^|\.)cdi\.kubevirt\.io$/.test(spec.group);

/** Definitions of KubeVirt's kinds. */
export const platformDefinitions: readonly Definition[] = definitions.filter((definition) => !isImporter(definition));
