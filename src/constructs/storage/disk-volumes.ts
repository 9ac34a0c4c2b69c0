/** Volume sources of existing data, which `Disk` combines with a disk. */
import type { Volume } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import type { IDataVolume } from '../references';
import type { INamedObject } from '../resource';
import type {
  ClaimDiskOptions,
  ContainerDiskOptions,
  EphemeralDiskOptions,
  FilesDiskOptions,
  HostDiskOptions,
  MemoryDumpOptions,
  OptionalFilesDiskOptions,
  PluggableDiskOptions,
} from './disk-options';
import type { DownwardApiFile } from './downward-api';
import { CLAIMS, nameOf, secretOf } from './reference';
import { quantityOfSize } from './size';

type Source = Partial<Volume>;

const KINDS = 'use the factory for this kind of object, such as Disk.secret, Disk.configMap or Disk.dataVolume';

export function containerDisk(image: string, { path, pullPolicy, pullSecret }: ContainerDiskOptions): Source {
  return {
    containerDisk: defined({
      image,
      path,
      imagePullPolicy: pullPolicy?.value as 'Always' | undefined,
      imagePullSecret: pullSecret && secretOf('Disk.containerDisk: pullSecret', pullSecret),
    }),
  };
}

export function persistentVolumeClaim(claim: INamedObject, options: ClaimDiskOptions): Source {
  const claimName = nameOf('Disk.persistentVolumeClaim', claim, CLAIMS, KINDS);
  const { hotpluggable, readOnlyClaim } = options;
  return { persistentVolumeClaim: defined({ claimName, hotpluggable, readOnly: readOnlyClaim }) };
}

export function dataVolume(dataVolume: IDataVolume, { hotpluggable }: PluggableDiskOptions): Source {
  const name = nameOf('Disk.dataVolume', dataVolume, ['DataVolume'], KINDS);
  return { dataVolume: defined({ name, hotpluggable }) };
}

export function ephemeral(claim: INamedObject, { readOnlyClaim }: EphemeralDiskOptions): Source {
  const claimName = nameOf('Disk.ephemeral', claim, CLAIMS, KINDS);
  return { ephemeral: { persistentVolumeClaim: defined({ claimName, readOnly: readOnlyClaim }) } };
}

export function hostDisk(path: string, { createWithSize, shared }: HostDiskOptions): Source {
  return {
    hostDisk: defined({
      path,
      type: createWithSize ? ('DiskOrCreate' as const) : ('Disk' as const),
      capacity: createWithSize && quantityOfSize(createWithSize),
      shared,
    }),
  };
}

export function configMap(configMap: INamedObject, { optional, volumeLabel }: OptionalFilesDiskOptions): Source {
  const name = nameOf('Disk.configMap', configMap, ['ConfigMap'], KINDS);
  return { configMap: defined({ name, optional, volumeLabel }) };
}

export function secret(secret: INamedObject, { optional, volumeLabel }: OptionalFilesDiskOptions): Source {
  const secretName = nameOf('Disk.secret', secret, ['Secret'], KINDS);
  return { secret: defined({ secretName, optional, volumeLabel }) };
}

export function serviceAccount(serviceAccount: INamedObject): Source {
  const serviceAccountName = nameOf('Disk.serviceAccount', serviceAccount, ['ServiceAccount'], KINDS);
  return { serviceAccount: { serviceAccountName } };
}

export function downwardApi(files: DownwardApiFile[], { volumeLabel }: FilesDiskOptions): Source {
  return { downwardAPI: defined({ fields: files.map((file) => file._render()), volumeLabel }) };
}

export function sysprepConfigMap(configMap: INamedObject): Source {
  return { sysprep: { configMap: { name: nameOf('Disk.sysprepConfigMap', configMap, ['ConfigMap'], KINDS) } } };
}

export function sysprepSecret(secret: INamedObject): Source {
  return { sysprep: { secret: { name: nameOf('Disk.sysprepSecret', secret, ['Secret'], KINDS) } } };
}

/** Volume that the guest does not see. */
export function memoryDump(claim: INamedObject, { hotpluggable, readOnly }: MemoryDumpOptions): Source {
  const claimName = nameOf('Disk.memoryDump', claim, CLAIMS, KINDS);
  return { memoryDump: defined({ claimName, hotpluggable, readOnly }) };
}
