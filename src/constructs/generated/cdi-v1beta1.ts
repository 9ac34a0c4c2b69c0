// Generated from api/schema/cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { CDI, CDIConfig, DataImportCron, DataSource, DataVolume, ObjectTransfer, StorageProfile, VolumeCloneSource, VolumeImportSource, VolumeUploadSource } from '../../api/generated/cdi-v1beta1';
import type { ObjectProps } from './props';

/** CDI Belongs to the cluster, not to a namespace. */
export class CDIObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<CDI>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDI' });
  }
}

/** CDIConfig Belongs to the cluster, not to a namespace. */
export class CDIConfigObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<CDIConfig>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig' });
  }
}

/** DataImportCron */
export class DataImportCronObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataImportCron>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataImportCron' });
  }
}

/** DataSource */
export class DataSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataSource' });
  }
}

/** DataVolume */
export class DataVolumeObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataVolume>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume' });
  }
}

/** ObjectTransfer Belongs to the cluster, not to a namespace. */
export class ObjectTransferObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<ObjectTransfer>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'ObjectTransfer' });
  }
}

/** StorageProfile Belongs to the cluster, not to a namespace. */
export class StorageProfileObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<StorageProfile>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'StorageProfile' });
  }
}

/** VolumeCloneSource */
export class VolumeCloneSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeCloneSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeCloneSource' });
  }
}

/** VolumeImportSource */
export class VolumeImportSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeImportSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeImportSource' });
  }
}

/** VolumeUploadSource */
export class VolumeUploadSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeUploadSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeUploadSource' });
  }
}
