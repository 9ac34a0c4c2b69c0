// Generated from api/schema/cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { Affinity, LocalObjectReference, PersistentVolumeClaimSpec, ResourceRequirements, Toleration, TypedLocalObjectReference, TypedObjectReference, VolumeResourceRequirements } from './core-v1';
import type { Duration, LabelSelector, Time } from './meta-v1';

export interface CDI extends KubeObject {
  spec: CDISpec;
  status?: CDIStatus;
}

export interface CDICertConfig {
  ca?: CertConfig;
  client?: CertConfig;
  server?: CertConfig;
}

export interface CDIConfig extends KubeObject {
  spec: CDIConfigSpec;
  status?: CDIConfigStatus;
}

export interface CDIConfigSpec {
  dataVolumeTTLSeconds?: number;
  featureGates?: string[];
  filesystemOverhead?: FilesystemOverhead;
  imagePullSecrets?: LocalObjectReference[];
  importProxy?: ImportProxy;
  insecureRegistries?: string[];
  logVerbosity?: number;
  podResourceRequirements?: ResourceRequirements;
  preallocation?: boolean;
  scratchSpaceStorageClass?: string;
  tlsSecurityProfile?: TLSSecurityProfile;
  uploadProxyURLOverride?: string;
  webhookPvcRendering?: 'Enabled' | 'Disabled';
}

export interface CDIConfigStatus {
  defaultPodResourceRequirements?: ResourceRequirements;
  filesystemOverhead?: FilesystemOverhead;
  imagePullSecrets?: LocalObjectReference[];
  importProxy?: ImportProxy;
  preallocation?: boolean;
  scratchSpaceStorageClass?: string;
  uploadProxyCA?: string;
  uploadProxyURL?: string;
}

export interface CDISpec {
  certConfig?: CDICertConfig;
  cloneStrategyOverride?: 'copy' | 'snapshot' | 'csi-clone';
  config?: CDIConfigSpec;
  customizeComponents?: CustomizeComponents;
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  infra?: ComponentConfig;
  priorityClass?: string;
  uninstallStrategy?: 'RemoveWorkloads' | 'BlockUninstallIfWorkloadsExist';
  workload?: NodePlacement;
}

export interface CDIStatus {
  conditions?: Condition[];
  observedVersion?: string;
  operatorVersion?: string;
  phase?: 'Deploying' | 'Deployed' | 'Deleting' | 'Deleted' | 'Error' | 'Upgrading';
  targetVersion?: string;
}

export interface CertConfig {
  duration?: Duration;
  renewBefore?: Duration;
}

export interface ClaimPropertySet {
  accessModes: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  volumeMode: 'Block' | 'Filesystem';
}

export interface ComponentConfig {
  affinity?: Affinity;
  apiServerReplicas?: number;
  deploymentReplicas?: number;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  uploadProxyReplicas?: number;
}

export interface Condition {
  lastHeartbeatTime?: Time;
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface CustomTLSProfile {
  ciphers: string[];
  minTLSVersion: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

export interface CustomizeComponents {
  flags?: Flags;
  patches?: CustomizeComponentsPatch[];
}

export interface CustomizeComponentsPatch {
  patch: string;
  resourceName: string;
  resourceType: string;
  type: 'json' | 'merge' | 'strategic';
}

export interface DataImportCron extends KubeObject {
  spec: DataImportCronSpec;
  status?: DataImportCronStatus;
}

export interface DataImportCronCondition {
  lastHeartbeatTime?: Time;
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface DataImportCronSpec {
  garbageCollect?: 'Never' | 'Outdated';
  importsToKeep?: number;
  managedDataSource: string;
  retentionPolicy?: 'None' | 'All';
  schedule: string;
  serviceAccountName?: string;
  template: DataVolume;
}

export interface DataImportCronStatus {
  conditions?: DataImportCronCondition[];
  currentImports?: ImportStatus[];
  lastExecutionTimestamp?: Time;
  lastImportTimestamp?: Time;
  lastImportedPVC?: DataVolumeSourcePVC;
  sourceFormat?: 'snapshot' | 'pvc';
}

export interface DataSource extends KubeObject {
  spec: DataSourceSpec;
  status?: DataSourceStatus;
}

export interface DataSourceCondition {
  lastHeartbeatTime?: Time;
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface DataSourceRefSourceDataSource {
  name: string;
  namespace: string;
}

export interface DataSourceSource {
  dataSource?: DataSourceRefSourceDataSource;
  pvc?: DataVolumeSourcePVC;
  snapshot?: DataVolumeSourceSnapshot;
}

export interface DataSourceSpec {
  source: DataSourceSource;
}

export interface DataSourceStatus {
  conditions?: DataSourceCondition[];
  source?: DataSourceSource;
}

export interface DataVolume extends KubeObject {
  spec: DataVolumeSpec;
  status?: DataVolumeStatus;
}

export type DataVolumeBlankImage = Record<string, unknown>;

export interface DataVolumeCheckpoint {
  current: string;
  previous: string;
}

export interface DataVolumeCondition {
  lastHeartbeatTime?: Time;
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface DataVolumeSource {
  blank?: DataVolumeBlankImage;
  gcs?: DataVolumeSourceGCS;
  http?: DataVolumeSourceHTTP;
  imageio?: DataVolumeSourceImageIO;
  pvc?: DataVolumeSourcePVC;
  registry?: DataVolumeSourceRegistry;
  s3?: DataVolumeSourceS3;
  snapshot?: DataVolumeSourceSnapshot;
  upload?: DataVolumeSourceUpload;
  vddk?: DataVolumeSourceVDDK;
}

export interface DataVolumeSourceGCS {
  secretRef?: string;
  url: string;
}

export interface DataVolumeSourceHTTP {
  certConfigMap?: string;
  extraHeaders?: string[];
  secretExtraHeaders?: string[];
  secretRef?: string;
  url: string;
  checksum?: string;
  insecureSkipVerify?: boolean;
}

export interface DataVolumeSourceImageIO {
  certConfigMap?: string;
  diskId: string;
  insecureSkipVerify?: boolean;
  secretRef?: string;
  url: string;
}

export interface DataVolumeSourcePVC {
  name: string;
  namespace: string;
}

export interface DataVolumeSourceRef {
  kind: string;
  name: string;
  namespace?: string;
}

export interface DataVolumeSourceRegistry {
  certConfigMap?: string;
  imageStream?: string;
  platform?: PlatformOptions;
  pullMethod?: 'pod' | 'node';
  secretRef?: string;
  url?: string;
}

export interface DataVolumeSourceS3 {
  certConfigMap?: string;
  secretRef?: string;
  url: string;
}

export interface DataVolumeSourceSnapshot {
  name: string;
  namespace: string;
}

export type DataVolumeSourceUpload = Record<string, unknown>;

export interface DataVolumeSourceVDDK {
  backingFile?: string;
  extraArgs?: string;
  initImageURL?: string;
  secretRef?: string;
  thumbprint?: string;
  url?: string;
  uuid?: string;
  certConfigMap?: string;
}

export interface DataVolumeSpec {
  checkpoints?: DataVolumeCheckpoint[];
  contentType?: 'kubevirt' | 'archive';
  finalCheckpoint?: boolean;
  preallocation?: boolean;
  priorityClassName?: string;
  pvc?: PersistentVolumeClaimSpec;
  source?: DataVolumeSource;
  sourceRef?: DataVolumeSourceRef;
  storage?: StorageSpec;
  serviceAccountName?: string;
}

export interface DataVolumeStatus {
  claimName?: string;
  conditions?: DataVolumeCondition[];
  phase?: 'Pending' | 'PVCBound' | 'ImportScheduled' | 'ImportInProgress' | 'CloneScheduled' | 'CloneInProgress' | 'SnapshotForSmartCloneInProgress' | 'CloneFromSnapshotSourceInProgress' | 'SmartClonePVCInProgress' | 'CSICloneInProgress' | 'ExpansionInProgress' | 'NamespaceTransferInProgress' | 'UploadScheduled' | 'UploadReady' | 'WaitForFirstConsumer' | 'PendingPopulation' | 'Succeeded' | 'Failed' | 'Unknown' | 'Paused' | 'PrepClaimInProgress' | 'RebindInProgress';
  progress?: string;
  restartCount?: number;
}

export interface FilesystemOverhead {
  global?: string;
  storageClass?: Record<string, string>;
}

export interface Flags {
  api?: Record<string, string>;
  controller?: Record<string, string>;
  uploadProxy?: Record<string, string>;
}

export interface ImportProxy {
  HTTPProxy?: string;
  HTTPSProxy?: string;
  noProxy?: string;
  trustedCAProxy?: string;
}

export interface ImportSourceType {
  blank?: DataVolumeBlankImage;
  gcs?: DataVolumeSourceGCS;
  http?: DataVolumeSourceHTTP;
  imageio?: DataVolumeSourceImageIO;
  registry?: DataVolumeSourceRegistry;
  s3?: DataVolumeSourceS3;
  vddk?: DataVolumeSourceVDDK;
}

export interface ImportStatus {
  DataVolumeName: string;
  Digest: string;
}

export type IntermediateTLSProfile = Record<string, unknown> | null;

export type ModernTLSProfile = Record<string, unknown> | null;

export interface NodePlacement {
  affinity?: Affinity;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}

export interface ObjectTransfer extends KubeObject {
  spec: ObjectTransferSpec;
  status?: ObjectTransferStatus;
}

export interface ObjectTransferCondition {
  lastHeartbeatTime?: Time;
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface ObjectTransferSpec {
  parentName?: string;
  source: TransferSource;
  target: TransferTarget;
}

export interface ObjectTransferStatus {
  conditions?: ObjectTransferCondition[];
  data?: Record<string, string>;
  phase?: 'Pending' | 'Running' | 'Complete' | 'Error';
}

export type OldTLSProfile = Record<string, unknown> | null;

export interface PlatformOptions {
  architecture?: string;
}

export interface StorageProfile extends KubeObject {
  spec: StorageProfileSpec;
  status?: StorageProfileStatus;
}

export interface StorageProfileCondition {
  lastHeartbeatTime?: Time;
  lastTransitionTime?: Time;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface StorageProfileSpec {
  claimPropertySets?: ClaimPropertySet[];
  cloneStrategy?: 'copy' | 'snapshot' | 'csi-clone';
  dataImportCronSourceFormat?: 'snapshot' | 'pvc';
  snapshotClass?: string;
}

export interface StorageProfileStatus {
  claimPropertySets?: ClaimPropertySet[];
  cloneStrategy?: 'copy' | 'snapshot' | 'csi-clone';
  conditions?: StorageProfileCondition[];
  dataImportCronSourceFormat?: 'snapshot' | 'pvc';
  provisioner?: string;
  snapshotClass?: string;
  storageClass?: string;
}

export interface StorageSpec {
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  resources?: VolumeResourceRequirements;
  selector?: LabelSelector;
  storageClassName?: string;
  volumeMode?: 'Filesystem' | 'Block';
  volumeName?: string;
}

export interface TLSSecurityProfile {
  custom?: CustomTLSProfile;
  intermediate?: IntermediateTLSProfile;
  modern?: ModernTLSProfile;
  old?: OldTLSProfile;
  type?: 'Old' | 'Intermediate' | 'Modern' | 'Custom';
}

export interface TransferSource {
  apiVersion?: string;
  kind: string;
  name: string;
  namespace: string;
  requiredAnnotations?: Record<string, string>;
}

export interface TransferTarget {
  name?: string;
  namespace?: string;
}

export interface VolumeCloneSource extends KubeObject {
  spec: VolumeCloneSourceSpec;
}

export interface VolumeCloneSourceSpec {
  preallocation?: boolean;
  priorityClassName?: string;
  source: TypedLocalObjectReference;
}

export interface VolumeImportSource extends KubeObject {
  spec: VolumeImportSourceSpec;
  status?: VolumeImportSourceStatus;
}

export interface VolumeImportSourceSpec {
  checkpoints?: DataVolumeCheckpoint[];
  contentType?: 'kubevirt' | 'archive';
  finalCheckpoint?: boolean;
  preallocation?: boolean;
  source?: ImportSourceType;
  targetClaim?: string;
}

export type VolumeImportSourceStatus = Record<string, unknown>;

export interface VolumeUploadSource extends KubeObject {
  spec: VolumeUploadSourceSpec;
  status?: VolumeUploadSourceStatus;
}

export interface VolumeUploadSourceSpec {
  contentType?: 'kubevirt' | 'archive';
  preallocation?: boolean;
}

export type VolumeUploadSourceStatus = Record<string, unknown>;
