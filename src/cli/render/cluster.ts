/** Cluster against which manifests are validated, as the flags describe it. */
import { type AdmissionContext, type ClusterConfig, clusterConfig, type KubeObject, type KubeVirt } from '../../api';
import { CliError, UNREADABLE } from '../errors';
import { readObjects } from '../manifests/read';
import { supportOf } from './support';

export interface ClusterFlags {
  /** File of the KubeVirt object. Default: KubeVirt's default configuration. */
  readonly config?: string;
  /** Files of objects that the cluster would hold. */
  readonly with?: string[];
}

export interface DescribedCluster {
  readonly config: ClusterConfig;
  readonly objects: readonly KubeObject[];
}

export async function readCluster(flags: ClusterFlags): Promise<DescribedCluster> {
  const objects = await Promise.all((flags.with ?? []).map((file) => readObjects(file)));
  return { config: clusterConfig(await readOnly<KubeVirt>(flags.config, '--config')), objects: objects.flat() };
}

/** Validation context of a user who applies objects to a cluster with these objects. */
export const contextWith = (config: ClusterConfig, objects: readonly KubeObject[]): AdmissionContext => ({
  config,
  by: { trusted: false },
  ...supportOf(objects),
});

/** Reads the only object of a file that a flag names. */
export async function readOnly<T>(file: string | undefined, flag: string): Promise<T | undefined> {
  if (file === undefined) return undefined;
  const [object] = await readObjects(file);
  if (!object) throw new CliError(`${flag} ${file}: the file contains no object`, UNREADABLE);
  return object as unknown as T;
}
