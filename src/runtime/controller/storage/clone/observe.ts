import { capabilitiesOf } from '../../../../api/cdi/provisioners';
import { overheadOf } from '../../../../api/cdi/claim';
import { awaitsUpload } from '../../../../api/cdi/upload';
import { keyOf, resources, sourceOf } from '../../../kube';
import { writersOf } from '../claim-writers';
import type { StorageContext } from '../context';
import { isOwned, type DataVolume } from '../data-volume/decide';
import { annotations } from '../population/annotations';
import { waitsForConsumer } from '../population/decide';
import type { CloneFill, PersistentVolume, StorageClaim, VolumeSnapshot } from '../types';
import { refusalOf } from './authorize';
import { plan, type Plan, type Problem, type Snapshots, type Strategy } from './plan';

const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
const HOST_NAME = 'kubernetes.io/hostname';

/** DataVolume of a claim. */
export function ownerOf({ caches }: Pick<StorageContext, 'caches'>, claim: StorageClaim): DataVolume | undefined {
  const dataVolume = caches.dataVolumes.get(keyOf(claim));
  return dataVolume && isOwned(claim, dataVolume) ? dataVolume : undefined;
}

/** Plan of a clone, or cause for which it does not begin; undefined while it waits for the first consumer of the claim. */
export async function startOf(
  context: StorageContext,
  claim: StorageClaim,
  { from, image }: CloneFill,
): Promise<Plan | Problem | undefined> {
  const { caches, cluster } = context;
  const className = claim.spec.storageClassName;
  const storageClass = className === undefined ? undefined : caches.classes.get(className);
  if (waitsForConsumer({ claim, storageClass })) return undefined;
  const refusal = await refusalOf(context, from, claim.metadata.namespace ?? '', ownerOf(context, claim));
  if (refusal) return refusal;
  const isClaim = from.kind === 'PersistentVolumeClaim';
  const source = isClaim ? caches.claims.get(`${from.namespace}/${from.name}`) : undefined;
  const volume = source?.spec.volumeName ? caches.volumes.get(source.spec.volumeName) : undefined;
  const wanted = wantedStrategy(context, className, storageClass?.provisioner);
  return plan({
    claim,
    from,
    image,
    source,
    isFilled: source !== undefined && isFilled(context, source),
    snapshot: isClaim ? undefined : await snapshotOf(context, from),
    writers: source ? await writersOf(context, source) : [],
    storageClass,
    driver: volume && driverOf(volume),
    node: volume && nodeOf(volume),
    wanted,
    snapshots: isClaim && wanted !== 'snapshot' ? { drivers: {} } : await snapshotsOf(context, claim),
    selectedNode: claim.metadata.annotations?.[annotations.selectedNode],
    overheadOf: (name) => overheadOf(name, cluster),
  });
}

export const snapshotOf = (
  { client }: Pick<StorageContext, 'client'>,
  ref: { readonly namespace: string; readonly name: string },
): Promise<VolumeSnapshot | undefined> => client.find<VolumeSnapshot>(resources.volumeSnapshots, ref);

/** Whether no population is writing the claim. */
export function isFilled(context: Pick<StorageContext, 'caches'>, claim: StorageClaim): boolean {
  const owner = ownerOf(context, claim);
  return owner === undefined ? !awaitsUpload(claim) : owner.status?.phase === 'Succeeded';
}

function wantedStrategy({ caches }: StorageContext, className = '', provisioner = ''): Strategy {
  const [cdi] = caches.cdis.list();
  return (
    cdi?.spec.cloneStrategyOverride ??
    caches.profiles.get(className)?.status?.cloneStrategy ??
    capabilitiesOf(provisioner)?.cloneStrategy ??
    'snapshot'
  );
}

/** VolumeSnapshotClasses, which the cluster may lack. */
export async function snapshotsOf(
  { client, caches }: StorageContext,
  { spec }: Pick<StorageClaim, 'spec'>,
): Promise<Snapshots> {
  const provisioner = caches.classes.get(spec.storageClassName ?? '')?.provisioner;
  const classes = (await sourceOf(client).list('VolumeSnapshotClass', undefined)) as readonly {
    metadata: { name?: string };
    driver?: string;
  }[];
  const drivers = Object.fromEntries(classes.map(({ metadata, driver }) => [metadata.name ?? '', driver ?? '']));
  const chosen = caches.profiles.get(spec.storageClassName ?? '')?.spec.snapshotClass;
  const fitting = Object.keys(drivers).filter((name) => drivers[name] === provisioner);
  const className = fitting.find((name) => name === chosen) ?? fitting[0];
  return { drivers, ...(className !== undefined && { className }) };
}

const driverOf = ({ metadata, spec }: PersistentVolume): string | undefined =>
  spec?.csi?.driver ?? metadata.annotations?.[PROVISIONED_BY];

/** The only node that reaches a volume. */
function nodeOf({ spec }: PersistentVolume): string | undefined {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const names = terms.flatMap(({ matchExpressions = [] }) =>
    matchExpressions.filter(({ key, operator }) => key === HOST_NAME && operator === 'In').map(({ values }) => values),
  );
  const [only, ...more] = names.flat();
  return terms.length === 1 && more.length === 0 ? only : undefined;
}
