import { Construct } from 'constructs';
import type { Definition } from '../../api/crds';
import { checkPlace, checkProps } from '../signatures';
import { clusterObjectOf } from './objects';

/** Which definitions. */
export interface PlatformDefinitionsProps {
  /**
   * Also those of DataVolumes, DataSources, … (`cdi.kubevirt.io`). They belong to the importer, which brings its own: a
   * DataVolume of a cluster without one would wait, and nobody would say for what. Only for clusters whose importer is
   * installed without them.
   * @default false
   */
  readonly importer?: boolean;
}

/**
 * The CustomResourceDefinitions of the platform. Objects of these kinds can be applied once the API server serves them:
 * in a chart of their own, which the others depend on, they come first.
 *
 * @example
 * new PlatformDefinitions(chart, 'definitions');
 */
export class PlatformDefinitions extends Construct {
  /** Kinds that are defined. */
  public readonly kinds: string[];

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props metadata of the definitions
   */
  constructor(scope: Construct, id: string, props: PlatformDefinitionsProps = {}) {
    checkPlace(scope, id);
    super(scope, id);
    checkProps(this, new.target, props);
    const definitions = load(props.importer ?? false);
    for (const definition of definitions) {
      const { metadata, ...rest } = definition;
      const object = { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, 'kubevirt.io': '' } } };
      clusterObjectOf(this, metadata.name ?? '', object);
    }
    this.kinds = definitions.map(({ spec }) => spec.names.kind);
  }
}

/** 650 KB of JSON, read only by those who install. */
function load(importer: boolean): readonly Definition[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const crds = require('../../api/crds') as typeof import('../../api/crds');
  return importer ? [...crds.platformDefinitions, ...crds.importerDefinitions] : crds.platformDefinitions;
}
