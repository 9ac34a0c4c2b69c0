import crds from './generated/crds.json';
import type { KubeObject } from './meta';

/** CustomResourceDefinition. */
export interface Definition extends KubeObject {
  readonly spec: { readonly group: string; readonly names: { readonly kind: string } };
}

const all = crds as unknown as readonly Definition[];
const isImporter = ({ spec }: Definition): boolean => /(^|\.)cdi\.kubevirt\.io$/.test(spec.group);

/** Definitions of KubeVirt's kinds. */
export const platformDefinitions: readonly Definition[] = all.filter((definition) => !isImporter(definition));

/** Definitions of CDI's kinds. Install them only with CDI: otherwise a DataVolume would wait, and nothing would report why. */
export const importerDefinitions: readonly Definition[] = all.filter(isImporter);
