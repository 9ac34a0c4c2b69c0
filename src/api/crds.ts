import crds from './generated/crds.json';
import type { KubeObject } from './meta';

/** A CustomResourceDefinition. */
export interface Definition extends KubeObject {
  readonly spec: { readonly group: string; readonly names: { readonly kind: string } };
}

const all = crds as unknown as readonly Definition[];
const isImporter = ({ spec }: Definition): boolean => /(^|\.)cdi\.kubevirt\.io$/.test(spec.group);

/** Definitions of the platform itself. */
export const platformDefinitions: readonly Definition[] = all.filter((definition) => !isImporter(definition));

/** The importer's. Without an importer, a DataVolume would wait, and nobody would say for what. */
export const importerDefinitions: readonly Definition[] = all.filter(isImporter);
