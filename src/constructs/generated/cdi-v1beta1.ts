// Generated from api/schema/cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { CDI, CDIConfig, DataImportCron, DataSource, DataVolume, ObjectTransfer, StorageProfile, VolumeCloneSource, VolumeImportSource, VolumeUploadSource } from '../../api/generated/cdi-v1beta1';
import { clusterScoped } from '../cluster-scoped';
import type { ObjectProps } from './props';

/** The importer's platform: what runs, and its configuration. One per cluster. Belongs to the cluster, not to a namespace. */
export class CDIObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<CDI>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDI' });
    clusterScoped(this);
  }
}

/** Configuration in effect. Written by the controller: change the CDI object instead. Belongs to the cluster, not to a namespace. */
export class CDIConfigObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<CDIConfig>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig' });
    clusterScoped(this);
  }
}

/** Imports an image again whenever its source has a new one, and points a DataSource at the newest. */
export class DataImportCronObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataImportCron>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataImportCron' });
  }
}

/** A name for the image that DataVolumes start from. */
export class DataSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataSource' });
  }
}

/** A claim, and what it is filled with. */
export class DataVolumeObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<DataVolume>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume' });
  }
}

/** Deprecated. Moves a claim or DataVolume to another namespace. Belongs to the cluster, not to a namespace. */
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

/** Fills a claim from another; named by the claim's dataSourceRef. */
export class VolumeCloneSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeCloneSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeCloneSource' });
  }
}

/** Fills a claim by an import; named by the claim's dataSourceRef. */
export class VolumeImportSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeImportSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeImportSource' });
  }
}

/** Fills a claim by an upload; named by the claim's dataSourceRef. */
export class VolumeUploadSourceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VolumeUploadSource>) {
    super(scope, id, { ...props, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeUploadSource' });
  }
}
