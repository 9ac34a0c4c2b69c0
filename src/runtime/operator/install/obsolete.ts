import type { KubeObject } from '../../../api';
import { installedKinds } from '../../../api/install/kinds';
import { platformCertificates } from '../../../api/install/certificates';
import { optionalObjects } from '../../../api/install/optional';
import type { PlatformObject } from '../../../api/platform';
import { decideRemoval, type Left, type Removal } from '../uninstall/decide';
import { isManaged } from './owner';
import type { ProgramPod } from './pods';

/** A complete installation. */
export interface Installation {
  readonly namespace: string;
  /** Whether the platform fills claims itself. */
  readonly importer: boolean;
  readonly desired: readonly PlatformObject[];
  /** Returns the stored object of the same kind and name. */
  readonly find: (object: KubeObject) => KubeObject | undefined;
  /** Pods of a program. */
  readonly podsOf: (name: string) => readonly ProgramPod[];
}

/**
 * Decides which objects of an earlier configuration to delete next, such as those of the importer after it was switched off.
 * Objects of the same names that others manage, such as CDI's, stay.
 */
export function decideObsolete({ namespace, importer, desired, find, podsOf }: Installation): Removal {
  const idOf = (kind: string, name: string | undefined): string => `${kind} ${name}`;
  const current = new Set([
    ...desired.map(({ kind, metadata }) => idOf(kind, metadata.name)),
    ...platformCertificates(namespace, importer).map(({ secret }) => idOf('Secret', secret)),
  ]);
  const absent = optionalObjects().filter(({ kind, name }) => !current.has(idOf(kind, name)));
  const objects = absent.flatMap(({ kind, name }): Left[] => {
    const { group, version, namespaced } = installedKinds[kind];
    const apiVersion = group ? `${group}/${version}` : version;
    const object = find({ apiVersion, kind, metadata: { name, ...(namespaced ? { namespace } : {}) } });
    return object && isManaged(object) ? [{ kind, object }] : [];
  });
  const pods = absent.flatMap(({ kind, name }) => (kind === 'Deployment' ? podsOf(name) : []));
  return decideRemoval({
    ...{ workloads: [], mayDeleteWorkloads: false, objects },
    pods: pods.map(({ metadata }) => metadata.name ?? ''),
  });
}
