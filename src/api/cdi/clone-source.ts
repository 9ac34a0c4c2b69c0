/** Who may copy a disk: reading one is like running a Pod beside it. */
import { Finding, Path } from '../findings';
import { keys } from '../keys';
import type { DataSource, DataVolumeSpec } from '../generated/cdi-v1beta1';
import { kinds } from '../kinds/registry';
import { refusal } from '../kinds/refusal';
import type { Access, AdmissionContext } from '../kinds/kind';
import type { ObjectMeta } from '../meta';

/** What is copied. */
export interface CloneSource {
  readonly kind: 'PersistentVolumeClaim' | 'VolumeSnapshot';
  readonly namespace: string;
  readonly name: string;
}

type Find = AdmissionContext['find'];

/**
 * What a DataVolume in `namespace` copies; undefined when it copies nothing. `missing`: the DataSource that would tell
 * is not there.
 */
export function cloneSourceOf(
  { source, sourceRef }: DataVolumeSpec,
  namespace: string,
  find: Find,
): CloneSource | { readonly missing: string } | undefined {
  if (source) return pick(source, namespace);
  if (sourceRef?.kind !== 'DataSource') return undefined;
  const of = find('DataSource', sourceRef.namespace || namespace, sourceRef.name) as DataSource | undefined;
  if (!of) return { missing: `${kinds.DataSource.plural}.${kinds.DataSource.group} "${sourceRef.name}" not found` };
  return pick(of.spec.source.dataSource ? of.status?.source : of.spec.source, namespace);
}

function pick(
  from: Pick<NonNullable<DataVolumeSpec['source']>, 'pvc' | 'snapshot'> | undefined,
  namespace: string,
): CloneSource | undefined {
  const of = from?.pvc ?? from?.snapshot;
  if (!of) return undefined;
  const kind = from?.pvc ? 'PersistentVolumeClaim' : 'VolumeSnapshot';
  return { kind, namespace: of.namespace || namespace, name: of.name };
}

/** May somebody who may do that copy this? A copy within a namespace needs no further right. */
export function mayClone(from: CloneSource, toNamespace: string, may: (access: Access) => boolean): boolean {
  const { kind, namespace, name } = from;
  if (namespace === toNamespace) return true;
  const where = { verb: 'create', namespace, name };
  if (may({ ...where, group: kinds.DataVolume.group, resource: kinds.DataVolume.plural, subresource: 'source' }))
    return true;
  if (!may({ ...where, group: '', resource: 'pods' })) return false;
  // upstream's name of the resource, which no cluster has: only those may who may create anything
  return kind === 'PersistentVolumeClaim' || may({ ...where, group: '', resource: 'pvcs' });
}

/** Disks that are there already need no right: nothing is copied. */
const POPULATED = [keys.prePopulated, keys.checkStaticVolume];

/** Why this user may not have that DataVolume. Where nobody answers who may, nobody is refused. */
export function cloneIsAllowed(
  metadata: ObjectMeta,
  spec: DataVolumeSpec,
  at: Path,
  { by, find }: AdmissionContext,
): Finding[] {
  const { may, username = '' } = by;
  if (!may || POPULATED.some((key) => metadata.annotations && key in metadata.annotations)) return [];
  const { namespace = '' } = metadata;
  const from = cloneSourceOf(spec, namespace, find);
  if (!from) return [];
  const place = at.at(...(spec.source ? ['source', spec.source.pvc ? 'pvc' : 'snapshot'] : ['sourceRef']));
  if ('missing' in from) {
    return [refusal('clone-source', place.at('name'), from.missing, 'create it first', { field: '' })];
  }
  if (!find('Namespace', undefined, from.namespace)) {
    const message = `namespaces "${from.namespace}" not found`;
    return [refusal('clone-source', place.at('namespace'), message, 'name one that exists', { field: '' })];
  }
  if (mayClone(from, namespace, may)) return [];
  return [
    refusal(
      'clone-permission',
      place.at('namespace'),
      `User ${username} has insufficient permissions in clone source namespace ${from.namespace}`,
      'ask for the right to create datavolumes/source there',
      { value: from.namespace, field: 'spec.source.PVC.namespace' },
    ),
  ];
}
