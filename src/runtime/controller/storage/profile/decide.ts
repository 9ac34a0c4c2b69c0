/** Status of a StorageProfile: what the provisioner of a class can do, and what an administrator changed. Pure. */
import { capabilitiesOf } from '../../../../api/cdi/provisioners';
import type { cdi, KubeObject } from '../../../../api';
import type { StorageClass } from '../types';

export type Profile = cdi.StorageProfile & KubeObject;

/** Profile of a class, which has the class's name. */
export function profileOf({ metadata }: StorageClass): Profile {
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'StorageProfile',
    metadata: { name: metadata.name, labels: { app: 'containerized-data-importer', 'cdi.kubevirt.io': '' } },
    spec: {},
  } as Profile;
}

export function statusOf(
  { spec, status }: Profile,
  { metadata, provisioner = '' }: StorageClass,
): cdi.StorageProfileStatus {
  const known = capabilitiesOf(provisioner);
  const claimPropertySets = spec.claimPropertySets?.length ? spec.claimPropertySets : known?.claimPropertySets;
  const cloneStrategy = spec.cloneStrategy ?? known?.cloneStrategy;
  return {
    ...(status?.conditions && { conditions: status.conditions }),
    storageClass: metadata.name,
    provisioner,
    ...(claimPropertySets && { claimPropertySets }),
    ...(cloneStrategy && { cloneStrategy }),
    dataImportCronSourceFormat: spec.dataImportCronSourceFormat ?? 'pvc',
    ...(spec.snapshotClass && { snapshotClass: spec.snapshotClass }),
  };
}
