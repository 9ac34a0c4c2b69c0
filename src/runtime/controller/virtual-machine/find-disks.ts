import type { KubeObject, VirtualMachine } from '../../../api';
import { isRefused, resources } from '../../kube';
import type { KubeClient } from '../../kube';
import { notListed } from '../context';
import type { Caches } from '../context';
import { slimClaim } from '../trim';
import { RETRY_MS } from './data-volumes';
import type { DataVolumes, Observed } from './observed';

interface Source {
  readonly caches: Pick<Caches, 'claims' | 'dataVolumes'>;
  readonly client: KubeClient;
}
type Disks = Pick<Observed, 'dataVolumes' | 'collected'>;

/** Observes the disks that the VM's `dataVolumeTemplates` describe. */
export async function findDisks(source: Source, vm: VirtualMachine): Promise<Disks> {
  const dataVolumes = findDataVolumes(source.caches, vm);
  // a VM that is being deleted needs no disks, and a failing read must not keep its finalizer
  if (vm.metadata.deletionTimestamp) return { dataVolumes, collected: new Set() };
  try {
    return { dataVolumes, collected: await findCollected(source, vm, dataVolumes) };
  } catch (error) {
    if (!isRefused(error)) throw error;
    const unknown = `virt-controller cannot read their claims (${(error as Error).message}); check its roles`;
    return { dataVolumes: { unknown, retryMs: RETRY_MS }, collected: new Set() };
  }
}

function findDataVolumes({ dataVolumes }: Source['caches'], { metadata, spec }: VirtualMachine): DataVolumes {
  const unknown = notListed(dataVolumes);
  if (unknown !== undefined) return { unknown };
  if (!dataVolumes.installed) return 'not installed';
  const names = templateNames(spec);
  return new Map(names.map((name) => [name, dataVolumes.get(`${metadata.namespace}/${name}`)]));
}

const templateNames = ({ dataVolumeTemplates }: VirtualMachine['spec']): string[] =>
  (dataVolumeTemplates ?? []).flatMap((template) => template?.metadata?.name ?? []);

/**
 * CDI marks the claim, then deletes the DataVolume. The caches have no common order, and a DataVolume that is created
 * again would overwrite a disk in use, so its claim is read from the API server before it is created.
 */
async function findCollected(
  { caches, client }: Source,
  { metadata: { namespace }, spec }: VirtualMachine,
  dataVolumes: DataVolumes,
): Promise<ReadonlySet<string>> {
  const isCollected = async (name: string): Promise<boolean> => {
    if (caches.claims.get(`${namespace}/${name}`)?.spec?.isCollected) return true;
    const isMissing = dataVolumes instanceof Map && !dataVolumes.get(name);
    if (!isMissing) return false;
    const claim = await client.find<KubeObject>(resources.persistentVolumeClaims, { namespace, name });
    return claim !== undefined && slimClaim(claim).spec?.isCollected === true;
  };
  const found = await Promise.all(templateNames(spec).map(async (name) => ((await isCollected(name)) ? [name] : [])));
  return new Set(found.flat());
}
