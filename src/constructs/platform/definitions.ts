import { Construct } from 'constructs';
import type { Definition } from '../../api/crds';
import { kindFacts, type KindFacts } from '../../api/kinds/registry';
import { checkPlace, checkProps } from '../signatures';
import { clusterObjectOf } from './objects';
import { KEPT_DEFINITION, setSyncWave, SYNC_WAVES } from './sync-waves';

/** Group that virt-api serves without a definition. */
const UPLOADS = 'upload.cdi.kubevirt.io';

/** Definitions to include. */
export interface PlatformDefinitionsProps {
  /**
   * Whether the definitions of DataVolumes, DataSources, … (`cdi.kubevirt.io`) are included. Set it to `false` where
   * CDI is installed, which brings its own.
   * @default true
   */
  readonly importer?: boolean;
  /**
   * Whether the definitions have annotations for Argo CD: it creates them before the objects of {@link VirtPlatform}, with
   * server-side apply, and never deletes them, because that would delete all VMs.
   * @default false
   */
  readonly syncWaves?: boolean;
}

/**
 * CustomResourceDefinitions of the platform. Objects of these kinds can be applied only after the API server serves the
 * definitions: put them in a chart of their own that the other charts depend on.
 *
 * @example
 * new PlatformDefinitions(chart, 'definitions');
 */
export class PlatformDefinitions extends Construct {
  /** Kinds that are defined. */
  public readonly kinds: string[];

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props definitions to include
   */
  constructor(scope: Construct, id: string, props: PlatformDefinitionsProps = {}) {
    checkPlace(scope, id);
    super(scope, id);
    checkProps(this, new.target, props);
    const definitions = load(props.importer ?? true);
    for (const definition of definitions) {
      const { metadata, ...rest } = definition;
      const object = { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, 'kubevirt.io': '' } } };
      clusterObjectOf(this, metadata.name ?? '', object);
    }
    if (props.syncWaves) setSyncWave(this, SYNC_WAVES.definitions, KEPT_DEFINITION);
    this.kinds = definitions.map(({ spec }) => spec.names.kind);
  }
}

/** Returns the names of the definitions, without loading them. */
export function definitionNames(importer: boolean): string[] {
  const isDefined = ({ group }: KindFacts): boolean =>
    group !== UPLOADS && (importer || !/(^|\.)cdi\.kubevirt\.io$/.test(group));
  return Object.values(kindFacts)
    .filter(isDefined)
    .map(({ plural, group }) => `${plural}.${group}`);
}

/** Loads the definitions. They are 650 KB of JSON, so only apps that install them read them. */
function load(importer: boolean): readonly Definition[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const crds = require('../../api/crds') as typeof import('../../api/crds');
  return importer ? crds.definitions : crds.platformDefinitions;
}
