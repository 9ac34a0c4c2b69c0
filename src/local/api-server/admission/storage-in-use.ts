import { Attributes, Plugin } from './admission';

const FINALIZERS: Record<string, string> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

/** Adds a finalizer to claims and volumes, which StorageProtectionController removes when they are unused. */
export class StorageInUsePlugin implements Plugin {
  public readonly name = 'StorageObjectInUseProtection';

  public mutate({ operation, kind, subresource, object }: Attributes): void {
    const finalizer = kind.group ? undefined : FINALIZERS[kind.plural];
    if (operation !== 'CREATE' || subresource || !object || !finalizer) return;
    const { metadata } = object;
    if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  }
}
