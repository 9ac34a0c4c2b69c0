/** Permissions to copy a disk: reading one requires the right to run a Pod beside it. */
import { Finding, Path } from '../findings';
import { keys } from '../keys';
import type { DataSource, DataVolume, DataVolumeSpec } from '../generated/cdi-v1beta1';
import { kinds } from '../kinds/registry';
import { refusal } from '../kinds/refusal';
import type { Access, AdmissionContext } from '../kinds/kind';
import type { ObjectMeta } from '../meta';

/** Source of a copy. */
export interface CloneSource {
  readonly kind: 'PersistentVolumeClaim' | 'VolumeSnapshot';
  readonly namespace: string;
  readonly name: string;
}

type Find = AdmissionContext['find'];

/**
 * Returns the source that a DataVolume in `namespace` copies; undefined when it copies nothing. `missing`: the DataSource
 * that should name the source does not exist.
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

/** Whether a user with these permissions may copy this. A copy within a namespace needs no further permission. */
export function mayClone(from: CloneSource, toNamespace: string, may: (access: Access) => boolean): boolean {
  const { kind, namespace, name } = from;
  if (namespace === toNamespace) return true;
  const where = { verb: 'create', namespace, name };
  if (may({ ...where, group: kinds.DataVolume.group, resource: kinds.DataVolume.plural, subresource: 'source' }))
    return true;
  if (!may({ ...where, group: '', resource: 'pods' })) return false;
  // upstream's misnomer of the resource, which no cluster has: only users who may create everything have this permission
  return kind === 'PersistentVolumeClaim' || may({ ...where, group: '', resource: 'pvcs' });
}

/**
 * Source of a new DataVolume in another namespace that its author may copy: virt-api signs this. Undefined where no proof is needed,
 * or none is possible: a component creates DataVolumes for other users, so its own permissions prove nothing about them.
 */
export function allowedSource({ metadata, spec }: DataVolume, { by, find }: AdmissionContext): CloneSource | undefined {
  const { namespace = '' } = metadata;
  const { may, trusted } = by;
  if (!may || trusted) return undefined;
  const from = cloneSourceOf(spec, namespace, find);
  if (!from || 'missing' in from || from.namespace === namespace) return undefined;
  return mayClone(from, namespace, may) ? from : undefined;
}

/** Existing disks need no permission: nothing is copied. */
const POPULATED = [keys.prePopulated, keys.checkStaticVolume];

/**
 * Returns why this user may not create the DataVolume. Where permissions are unknown, nothing is rejected. virt-controller creates
 * DataVolumes of VMs: it later checks the permissions of the namespace's ServiceAccount.
 */
export function cloneIsAllowed(
  metadata: ObjectMeta,
  spec: DataVolumeSpec,
  at: Path,
  { by, find }: AdmissionContext,
): Finding[] {
  const { may, username = '', trusted } = by;
  if (!may || trusted || POPULATED.some((key) => metadata.annotations && key in metadata.annotations)) return [];
  const { namespace = '' } = metadata;
  const from = cloneSourceOf(spec, namespace, find);
  if (!from) return [];
  const place = at.at(...(spec.source ? ['source', spec.source.pvc ? 'pvc' : 'snapshot'] : ['sourceRef']));
  if ('missing' in from) {
    return [refusal('clone-source', place.at('name'), from.missing, 'create it first', { field: '' })];
  }
  if (!find('Namespace', undefined, from.namespace)) {
    const message = `namespaces "${from.namespace}" not found`;
    return [refusal('clone-source', place.at('namespace'), message, 'use an existing namespace', { field: '' })];
  }
  if (mayClone(from, namespace, may)) return [];
  return [
    refusal(
      'clone-permission',
      place.at('namespace'),
      `User ${username} has insufficient permissions in clone source namespace ${from.namespace}`,
      'ask for the permission to create datavolumes/source in that namespace',
      { value: from.namespace, field: 'spec.source.PVC.namespace' },
    ),
  ];
}
