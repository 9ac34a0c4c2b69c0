// Generated from api/schema/cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { CDI, CDIConfig, DataImportCron, DataSource, DataVolume, ObjectTransfer, StorageProfile, VolumeCloneSource, VolumeImportSource, VolumeUploadSource } from '../../api/generated/cdi-v1beta1';
import { clusterScoped } from '../cluster-scoped';
import type { ObjectProps } from './props';

/** Installation and configuration of the data importer. One per cluster. Belongs to the cluster, not to a namespace. */
export class CDIObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<CDI>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDI' });
    clusterScoped(this);
  }
}

/** Configuration in effect. Written by the controller; users change the CDI object instead. Belongs to the cluster, not to a namespace. */
export class CDIConfigObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<CDIConfig>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig' });
    clusterScoped(this);
  }
}

/** Schedule that imports an image again when its source changes and points a DataSource at the newest import. */
export class DataImportCronObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataImportCron>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataImportCron' });
  }
}

/** Named image that DataVolumes can use as their source. */
export class DataSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataSource' });
  }
}

/** Claim and the source that fills it. */
export class DataVolumeObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataVolume>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume' });
  }
}

/** Deprecated. Transfer of a claim or DataVolume to another namespace. Belongs to the cluster, not to a namespace. */
export class ObjectTransferObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<ObjectTransfer>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'ObjectTransfer' });
    clusterScoped(this);
  }
}

/** Storage settings of the StorageClass of the same name. Created by the controller; users may override settings in spec. Belongs to the cluster, not to a namespace. */
export class StorageProfileObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<StorageProfile>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'StorageProfile' });
    clusterScoped(this);
  }
}

/** Source that fills a claim with a clone. Set as the claim's dataSourceRef. */
export class VolumeCloneSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeCloneSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeCloneSource' });
  }
}

/** Source that fills a claim with an import. Set as the claim's dataSourceRef. */
export class VolumeImportSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeImportSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeImportSource' });
  }
}

/** Source that fills a claim with an upload. Set as the claim's dataSourceRef. */
export class VolumeUploadSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeUploadSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeUploadSource' });
  }
}
