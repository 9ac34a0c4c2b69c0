import type { Size } from 'cdk8s';
import type { DataVolumeCheckpoint, DataVolumeSpec, StorageSpec } from '../../api/generated/cdi-v1beta1';
import type { PersistentVolumeClaimSpec } from '../../api/generated/core-v1';
import { defined } from '../defined';
import type { DataVolumeOptions, ImportCheckpoint } from './claim-options';
import type { DataVolumeSource } from './data-volume-source';
import { quantityOfSize } from './size';
import { serviceAccountOf } from './reference';

/** Renders a claim of this namespace and the source of its data. Pure. */
export function renderDataVolumeSpec(
  from: DataVolumeSource,
  size: Size | undefined,
  options: DataVolumeOptions,
  namespace: string | undefined,
): DataVolumeSpec {
  const { source, sourceRef, dataSourceRef } = from._render(namespace);
  const claim = renderClaim(size, options, dataSourceRef);
  return defined({
    source,
    sourceRef,
    [options.exact ? 'pvc' : 'storage']: claim,
    contentType: options.content?.value as DataVolumeSpec['contentType'],
    preallocation: options.preallocation,
    priorityClassName: options.priorityClassName,
    serviceAccountName: options.serviceAccount && serviceAccountOf('serviceAccount', options.serviceAccount),
    checkpoints: renderCheckpoints(options.checkpoints),
    finalCheckpoint: options.finalCheckpoint,
  });
}

function renderClaim(
  size: Size | undefined,
  options: DataVolumeOptions,
  dataSourceRef: StorageSpec['dataSourceRef'],
): PersistentVolumeClaimSpec {
  const { storageClassName, accessModes, volumeMode, sizeLimit, selector, volumeName } = options;
  const resources = {
    ...(size ? { requests: { storage: quantityOfSize(size) } } : {}),
    ...(sizeLimit ? { limits: { storage: quantityOfSize(sizeLimit) } } : {}),
  };
  return defined({
    resources: size || sizeLimit ? resources : undefined,
    storageClassName,
    accessModes: accessModes?.map(({ value }) => value as 'ReadWriteOnce'),
    volumeMode: volumeMode?.value as PersistentVolumeClaimSpec['volumeMode'],
    selector: selector as PersistentVolumeClaimSpec['selector'],
    volumeName,
    volumeAttributesClassName: options.volumeAttributesClassName,
    dataSourceRef,
  });
}

/** Renders checkpoints. The first one has no previous snapshot. */
export function renderCheckpoints(checkpoints: readonly ImportCheckpoint[] | undefined) {
  return checkpoints?.map(({ current, previous = '' }): DataVolumeCheckpoint => ({ current, previous }));
}
