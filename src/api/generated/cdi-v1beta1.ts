// Generated from api/schema/cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type {
  Affinity,
  LocalObjectReference,
  PersistentVolumeClaimSpec,
  ResourceRequirements,
  Toleration,
  TypedLocalObjectReference,
  TypedObjectReference,
  VolumeResourceRequirements,
} from './core-v1';
import type { Duration, LabelSelector, Time } from './meta-v1';

/**
 * Installation and configuration of the data importer. One per cluster.
 */
export interface CDI extends KubeObject {
  /**
   * Configuration of the platform.
   */
  spec: CDISpec;
  /**
   * Observed state of the installation.
   */
  status?: CDIStatus;
}

/**
 * Lifetimes of certificates.
 */
export interface CDICertConfig {
  /**
   * Lifetime of the certificate authorities' certificates.
   */
  ca?: CertConfig;
  /**
   * Lifetime of client certificates.
   */
  client?: CertConfig;
  /**
   * Lifetime of server certificates.
   */
  server?: CertConfig;
}

/**
 * Configuration in effect. Written by the controller; users change the CDI object instead.
 */
export interface CDIConfig extends KubeObject {
  /**
   * Configuration of imports, clones and uploads.
   */
  spec: CDIConfigSpec;
  /**
   * Configuration in effect, as found by the controller.
   */
  status?: CDIConfigStatus;
}

/**
 * Configuration of imports, clones and uploads.
 */
export interface CDIConfigSpec {
  /**
   * Deprecated, no effect: seconds after which a finished DataVolume was deleted.
   */
  dataVolumeTTLSeconds?: number;
  /**
   * Enabled feature gates: HonorWaitForFirstConsumer.
   */
  featureGates?: string[];
  /**
   * Fraction of a file system that images cannot use.
   */
  filesystemOverhead?: FilesystemOverhead;
  /**
   * Secrets for pulling the images of helper Pods.
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Proxy for imports.
   */
  importProxy?: ImportProxy;
  /**
   * Registries that are accessed without TLS, as HOST or HOST:PORT.
   */
  insecureRegistries?: string[];
  /**
   * Log verbosity. Default: 1.
   */
  logVerbosity?: number;
  /**
   * CPU and memory of helper Pods.
   */
  podResourceRequirements?: ResourceRequirements;
  /**
   * Whether space is allocated before data is written. Default: false.
   */
  preallocation?: boolean;
  /**
   * StorageClass for scratch space. Default: the default class, otherwise that of the DataVolume.
   */
  scratchSpaceStorageClass?: string;
  /**
   * TLS versions and ciphers of the servers.
   */
  tlsSecurityProfile?: TLSSecurityProfile;
  /**
   * URL of the upload proxy for clients.
   */
  uploadProxyURLOverride?: string;
  /**
   * Whether a webhook completes claims that have the label cdi.kubevirt.io/applyStorageProfile from StorageProfiles. Default: Enabled.
   */
  webhookPvcRendering?: 'Enabled' | 'Disabled';
}

/**
 * Configuration in effect, as found by the controller.
 */
export interface CDIConfigStatus {
  /**
   * CPU and memory of helper Pods.
   */
  defaultPodResourceRequirements?: ResourceRequirements;
  /**
   * Overhead in effect for each StorageClass.
   */
  filesystemOverhead?: FilesystemOverhead;
  /**
   * Image pull Secrets in effect.
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Proxy in effect.
   */
  importProxy?: ImportProxy;
  /**
   * Whether space is allocated before data is written.
   */
  preallocation?: boolean;
  /**
   * StorageClass for scratch space.
   */
  scratchSpaceStorageClass?: string;
  /**
   * Certificate authority of the upload proxy, as PEM.
   */
  uploadProxyCA?: string;
  /**
   * URL of the upload proxy.
   */
  uploadProxyURL?: string;
}

/**
 * Configuration of the platform.
 */
export interface CDISpec {
  /**
   * Lifetimes of certificates.
   */
  certConfig?: CDICertConfig;
  /**
   * Clone strategy for all storage classes. Takes precedence over StorageProfiles.
   */
  cloneStrategyOverride?: 'copy' | 'snapshot' | 'csi-clone';
  /**
   * Configuration of imports, clones and uploads.
   */
  config?: CDIConfigSpec;
  /**
   * Customizations of the installed objects.
   */
  customizeComponents?: CustomizeComponents;
  /**
   * Pull policy of the platform's images.
   */
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /**
   * Placement of the platform's own Pods.
   */
  infra?: ComponentConfig;
  /**
   * PriorityClass of the platform's own Pods.
   */
  priorityClass?: string;
  /**
   * Treatment of existing DataVolumes when this object is deleted.
   */
  uninstallStrategy?: 'RemoveWorkloads' | 'BlockUninstallIfWorkloadsExist';
  /**
   * Placement of helper Pods.
   */
  workload?: NodePlacement;
}

/**
 * Observed state of the installation.
 */
export interface CDIStatus {
  /**
   * Current conditions: Available, Progressing, Degraded.
   */
  conditions?: Condition[];
  /**
   * Installed version.
   */
  observedVersion?: string;
  /**
   * Version of the operator.
   */
  operatorVersion?: string;
  /**
   * Phase of the installation.
   */
  phase?: 'Deploying' | 'Deployed' | 'Deleting' | 'Deleted' | 'Error' | 'Upgrading';
  /**
   * Version that is being installed.
   */
  targetVersion?: string;
}

/**
 * Lifetime of one certificate.
 */
export interface CertConfig {
  /**
   * Validity period of a certificate.
   */
  duration?: Duration;
  /**
   * Time before expiry at which a certificate is renewed.
   */
  renewBefore?: Duration;
}

/**
 * Combination of access modes and volume mode.
 */
export interface ClaimPropertySet {
  /**
   * Access modes: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod.
   */
  accessModes: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  /**
   * Volume mode.
   */
  volumeMode: 'Block' | 'Filesystem';
}

/**
 * Placement and number of the platform's own Pods.
 */
export interface ComponentConfig {
  /**
   * Affinity and anti-affinity rules of the Pods.
   */
  affinity?: Affinity;
  /**
   * Number of cdi-apiserver Pods. Default: 1.
   */
  apiServerReplicas?: number;
  /**
   * Number of cdi-deployment Pods. Default: 1.
   */
  deploymentReplicas?: number;
  /**
   * Labels that a node must have.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Taints that the Pods tolerate.
   */
  tolerations?: Toleration[];
  /**
   * Number of cdi-uploadproxy Pods. Default: 1.
   */
  uploadProxyReplicas?: number;
}

/**
 * Condition of the installation.
 */
export interface Condition {
  /**
   * Time of the last check.
   */
  lastHeartbeatTime?: Time;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Custom TLS settings.
 */
export type CustomTLSProfile = {
  /**
   * Ciphers, by their OpenSSL names.
   */
  ciphers: string[];
  /**
   * Minimum TLS version.
   */
  minTLSVersion: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
} | null;

/**
 * Customizations of the installed objects.
 */
export interface CustomizeComponents {
  /**
   * Command line flags.
   */
  flags?: Flags;
  /**
   * Patches of installed objects.
   */
  patches?: CustomizeComponentsPatch[];
}

/**
 * Patch of an installed object.
 */
export interface CustomizeComponentsPatch {
  /**
   * Patch as JSON text.
   */
  patch: string;
  /**
   * Name of the object; `*` matches all.
   */
  resourceName: string;
  /**
   * Kind of the object.
   */
  resourceType: string;
  /**
   * Type of the patch.
   */
  type: 'json' | 'merge' | 'strategic';
}

/**
 * Schedule that imports an image again when its source changes and points a DataSource at the newest import.
 */
export interface DataImportCron extends KubeObject {
  /**
   * Source, schedule and retention of imports. Immutable.
   */
  spec: DataImportCronSpec;
  /**
   * State of the imports.
   */
  status?: DataImportCronStatus;
}

/**
 * Condition of a DataImportCron.
 */
export interface DataImportCronCondition {
  /**
   * Time of the last check.
   */
  lastHeartbeatTime?: Time;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Source, schedule and retention of imports. Immutable.
 */
export interface DataImportCronSpec {
  /**
   * Whether old imports are deleted. Default: Outdated.
   */
  garbageCollect?: 'Never' | 'Outdated';
  /**
   * Number of imports to keep. Default: 3.
   */
  importsToKeep?: number;
  /**
   * DataSource that refers to the newest import, in the same namespace.
   */
  managedDataSource: string;
  /**
   * Whether the DataSource and its imports are kept when this object is deleted. Default: All.
   */
  retentionPolicy?: 'None' | 'All';
  /**
   * Schedule for checking the source, in cron notation. Empty for image streams.
   */
  schedule: string;
  /**
   * ServiceAccount that creates the DataVolumes.
   */
  serviceAccountName?: string;
  /**
   * DataVolume of each import. Its source must be a registry or a claim.
   */
  template: DataVolume;
}

/**
 * State of the imports.
 */
export interface DataImportCronStatus {
  /**
   * Current conditions.
   */
  conditions?: DataImportCronCondition[];
  /**
   * Imports in progress; at most one.
   */
  currentImports?: ImportStatus[];
  /**
   * Time at which the source was last checked.
   */
  lastExecutionTimestamp?: Time;
  /**
   * Time of the last successful import.
   */
  lastImportTimestamp?: Time;
  /**
   * Claim of the newest import.
   */
  lastImportedPVC?: DataVolumeSourcePVC;
  /**
   * Format in which imports are stored.
   */
  sourceFormat?: 'snapshot' | 'pvc';
}

/**
 * Named image that DataVolumes can use as their source.
 */
export interface DataSource extends KubeObject {
  /**
   * Source of the image.
   */
  spec: DataSourceSpec;
  /**
   * Resolved source of the image.
   */
  status?: DataSourceStatus;
}

/**
 * Condition of a DataSource.
 */
export interface DataSourceCondition {
  /**
   * Time of the last check.
   */
  lastHeartbeatTime?: Time;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Reference to another DataSource, which must itself point to a claim or snapshot.
 */
export interface DataSourceRefSourceDataSource {
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the referenced object.
   */
  namespace: string;
}

/**
 * Source of the image. Exactly one field must be set.
 */
export interface DataSourceSource {
  /**
   * DataSource that names the source of the image.
   */
  dataSource?: DataSourceRefSourceDataSource;
  /**
   * Claim that contains the image.
   */
  pvc?: DataVolumeSourcePVC;
  /**
   * VolumeSnapshot that contains the image.
   */
  snapshot?: DataVolumeSourceSnapshot;
}

/**
 * Source of the image.
 */
export interface DataSourceSpec {
  /**
   * Source of the image.
   */
  source: DataSourceSource;
}

/**
 * Resolved source of the image.
 */
export interface DataSourceStatus {
  /**
   * Current conditions.
   */
  conditions?: DataSourceCondition[];
  /**
   * Claim or snapshot at the end of the chain.
   */
  source?: DataSourceSource;
}

/**
 * Claim and the source that fills it.
 */
export interface DataVolume extends KubeObject {
  /**
   * Claim and the source that fills it.
   */
  spec: DataVolumeSpec;
  /**
   * Progress of the operation.
   */
  status?: DataVolumeStatus;
}

/**
 * Empty disk.
 */
export type DataVolumeBlankImage = object;

/**
 * Stage of an import of a running VM.
 */
export interface DataVolumeCheckpoint {
  /**
   * Snapshot that this stage copies.
   */
  current: string;
  /**
   * Snapshot of the previous stage. Empty for the first stage.
   */
  previous: string;
}

/**
 * Condition of a DataVolume: Ready, Bound or Running.
 */
export interface DataVolumeCondition {
  /**
   * Time of the last check.
   */
  lastHeartbeatTime?: Time;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Source of the data. Exactly one field must be set.
 */
export interface DataVolumeSource {
  /**
   * Empty disk.
   */
  blank?: DataVolumeBlankImage;
  /**
   * File in Google Cloud Storage.
   */
  gcs?: DataVolumeSourceGCS;
  /**
   * File on an HTTP server.
   */
  http?: DataVolumeSourceHTTP;
  /**
   * Disk of oVirt.
   */
  imageio?: DataVolumeSourceImageIO;
  /**
   * Another claim.
   */
  pvc?: DataVolumeSourcePVC;
  /**
   * Container disk.
   */
  registry?: DataVolumeSourceRegistry;
  /**
   * File in S3.
   */
  s3?: DataVolumeSourceS3;
  /**
   * VolumeSnapshot.
   */
  snapshot?: DataVolumeSourceSnapshot;
  /**
   * Upload by a client.
   */
  upload?: DataVolumeSourceUpload;
  /**
   * Disk of VMware.
   */
  vddk?: DataVolumeSourceVDDK;
}

/**
 * File in Google Cloud Storage.
 */
export interface DataVolumeSourceGCS {
  /**
   * Secret with the service account's key.
   */
  secretRef?: string;
  /**
   * URL: gs://BUCKET/FILE or the HTTPS form.
   */
  url: string;
}

/**
 * File on an HTTP server.
 */
export interface DataVolumeSourceHTTP {
  /**
   * ConfigMap with trusted certificate authorities, as PEM.
   */
  certConfigMap?: string;
  /**
   * Additional headers of each request, as `Name: value`.
   */
  extraHeaders?: string[];
  /**
   * Secrets whose values are additional headers.
   */
  secretExtraHeaders?: string[];
  /**
   * Secret with accessKeyId (user) and secretKey (password) for basic authentication.
   */
  secretRef?: string;
  /**
   * URL (http:// or https://) of a qcow2, raw or other image. The image may be compressed.
   */
  url: string;
  /**
   * Expected checksum as ALGORITHM:HASH, with md5, sha1, sha256 or sha512. The import fails if the checksum differs.
   */
  checksum?: string;
  /**
   * Whether any TLS certificate is accepted. Default: false.
   */
  insecureSkipVerify?: boolean;
}

/**
 * Disk of oVirt.
 */
export interface DataVolumeSourceImageIO {
  /**
   * ConfigMap with trusted certificate authorities, as PEM.
   */
  certConfigMap?: string;
  /**
   * ID of the disk.
   */
  diskId: string;
  /**
   * Whether any TLS certificate is accepted. Default: false.
   */
  insecureSkipVerify?: boolean;
  /**
   * Secret with accessKeyId (user) and secretKey (password).
   */
  secretRef?: string;
  /**
   * URL of the oVirt engine.
   */
  url: string;
}

/**
 * Claim, possibly in another namespace.
 */
export interface DataVolumeSourcePVC {
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the referenced object.
   */
  namespace: string;
}

/**
 * Reference to a DataSource.
 */
export interface DataVolumeSourceRef {
  /**
   * Kind of the referenced object: always DataSource.
   */
  kind: string;
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the DataSource. Default: that of the DataVolume.
   */
  namespace?: string;
}

/**
 * Container disk. Exactly one of url and imageStream must be set.
 */
export interface DataVolumeSourceRegistry {
  /**
   * ConfigMap with trusted certificate authorities, as PEM.
   */
  certConfigMap?: string;
  /**
   * Image stream. Requires pullMethod node.
   */
  imageStream?: string;
  /**
   * Platform to select from a multi-platform image.
   */
  platform?: PlatformOptions;
  /**
   * Puller of the image. pod: the helper Pod. node: the node's container runtime. Default: pod.
   */
  pullMethod?: 'pod' | 'node';
  /**
   * Secret with accessKeyId (user) and secretKey (password).
   */
  secretRef?: string;
  /**
   * URL: docker://IMAGE, or oci-archive://HOST/PATH for an archive on a web server.
   */
  url?: string;
}

/**
 * File in S3.
 */
export interface DataVolumeSourceS3 {
  /**
   * ConfigMap with trusted certificate authorities, as PEM.
   */
  certConfigMap?: string;
  /**
   * Secret with accessKeyId and secretKey.
   */
  secretRef?: string;
  /**
   * URL of the file.
   */
  url: string;
}

/**
 * VolumeSnapshot, possibly in another namespace.
 */
export interface DataVolumeSourceSnapshot {
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the referenced object.
   */
  namespace: string;
}

/**
 * Upload by a client.
 */
export type DataVolumeSourceUpload = object;

/**
 * Disk of VMware.
 */
export interface DataVolumeSourceVDDK {
  /**
   * Path of the disk: `[store] vm/vm.vmdk`.
   */
  backingFile?: string;
  /**
   * ConfigMap with additional arguments for the VDDK library.
   */
  extraArgs?: string;
  /**
   * Image that contains the VDDK library. Default: the value in the ConfigMap v2v-vmware.
   */
  initImageURL?: string;
  /**
   * Secret with user and password.
   */
  secretRef?: string;
  /**
   * Thumbprint of the host's TLS certificate.
   */
  thumbprint?: string;
  /**
   * URL of the vCenter or ESXi host.
   */
  url?: string;
  /**
   * UUID of the VM that owns the disk.
   */
  uuid?: string;
  /**
   * ConfigMap with trusted certificate authorities, as PEM.
   */
  certConfigMap?: string;
}

/**
 * Claim and the source that fills it.
 */
export interface DataVolumeSpec {
  /**
   * Stages of a multi-stage import of a running VM, oldest first.
   */
  checkpoints?: DataVolumeCheckpoint[];
  /**
   * Content type. kubevirt: a disk image. archive: a tar archive of files. Default: kubevirt.
   */
  contentType?: 'kubevirt' | 'archive';
  /**
   * Whether the last checkpoint in the list ends the import. Default: false.
   */
  finalCheckpoint?: boolean;
  /**
   * Whether space is allocated before data is written. Default: as in the CDI object.
   */
  preallocation?: boolean;
  /**
   * PriorityClass of helper Pods.
   */
  priorityClassName?: string;
  /**
   * Exact spec of the claim. Mutually exclusive with storage.
   */
  pvc?: PersistentVolumeClaimSpec;
  /**
   * Source of the data. Mutually exclusive with sourceRef.
   */
  source?: DataVolumeSource;
  /**
   * DataSource that defines the source. Mutually exclusive with source.
   */
  sourceRef?: DataVolumeSourceRef;
  /**
   * Spec of the claim, completed from the StorageProfile. Mutually exclusive with pvc.
   */
  storage?: StorageSpec;
  /**
   * ServiceAccount of helper Pods.
   */
  serviceAccountName?: string;
}

/**
 * Progress of the operation.
 */
export interface DataVolumeStatus {
  /**
   * Name of the claim.
   */
  claimName?: string;
  /**
   * Current conditions: Ready, Bound, Running.
   */
  conditions?: DataVolumeCondition[];
  /**
   * Phase of the operation.
   */
  phase?:
    | 'Pending'
    | 'PVCBound'
    | 'ImportScheduled'
    | 'ImportInProgress'
    | 'CloneScheduled'
    | 'CloneInProgress'
    | 'SnapshotForSmartCloneInProgress'
    | 'CloneFromSnapshotSourceInProgress'
    | 'SmartClonePVCInProgress'
    | 'CSICloneInProgress'
    | 'ExpansionInProgress'
    | 'NamespaceTransferInProgress'
    | 'UploadScheduled'
    | 'UploadReady'
    | 'WaitForFirstConsumer'
    | 'PendingPopulation'
    | 'Succeeded'
    | 'Failed'
    | 'Unknown'
    | 'Paused'
    | 'PrepClaimInProgress'
    | 'RebindInProgress';
  /**
   * Percentage of completion, or N/A.
   */
  progress?: string;
  /**
   * Number of restarts of the helper Pod.
   */
  restartCount?: number;
}

/**
 * Fraction of a file system that images cannot use: 0 to 1, as text.
 */
export interface FilesystemOverhead {
  /**
   * Overhead for all StorageClasses. Default: 0.06.
   */
  global?: string;
  /**
   * Overhead by name of the StorageClass.
   */
  storageClass?: {
    [k: string]: string;
  };
}

/**
 * Command line flags, by name.
 */
export interface Flags {
  /**
   * Log verbosity of cdi-apiserver.
   */
  api?: {
    [k: string]: string;
  };
  /**
   * Log verbosity of cdi-deployment.
   */
  controller?: {
    [k: string]: string;
  };
  /**
   * Log verbosity of cdi-uploadproxy.
   */
  uploadProxy?: {
    [k: string]: string;
  };
}

/**
 * Proxy of imports.
 */
export interface ImportProxy {
  /**
   * Proxy for http URLs: `http://USER:PASSWORD@HOST:PORT`.
   */
  HTTPProxy?: string;
  /**
   * Proxy for https URLs.
   */
  HTTPSProxy?: string;
  /**
   * Hosts, domains and CIDRs that bypass the proxy, separated by commas.
   */
  noProxy?: string;
  /**
   * ConfigMap in CDI's namespace with trusted certificate authorities in key ca.pem.
   */
  trustedCAProxy?: string;
}

/**
 * Source of the data. Exactly one field must be set.
 */
export interface ImportSourceType {
  /**
   * Empty disk.
   */
  blank?: DataVolumeBlankImage;
  /**
   * File in Google Cloud Storage.
   */
  gcs?: DataVolumeSourceGCS;
  /**
   * File on an HTTP server.
   */
  http?: DataVolumeSourceHTTP;
  /**
   * Disk of oVirt.
   */
  imageio?: DataVolumeSourceImageIO;
  /**
   * Container disk.
   */
  registry?: DataVolumeSourceRegistry;
  /**
   * File in S3.
   */
  s3?: DataVolumeSourceS3;
  /**
   * Disk of VMware.
   */
  vddk?: DataVolumeSourceVDDK;
}

/**
 * Import in progress.
 */
export interface ImportStatus {
  /**
   * Name of the DataVolume that is being imported.
   */
  DataVolumeName: string;
  /**
   * Digest of the imported image.
   */
  Digest: string;
}

/**
 * TLS 1.2 and later, for most clients.
 */
export type IntermediateTLSProfile = object | null;

/**
 * TLS 1.3 only.
 */
export type ModernTLSProfile = object | null;

/**
 * Placement of Pods.
 */
export interface NodePlacement {
  /**
   * Affinity and anti-affinity rules of the Pods.
   */
  affinity?: Affinity;
  /**
   * Labels that a node must have.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Taints that the Pods tolerate.
   */
  tolerations?: Toleration[];
}

/**
 * Deprecated. Transfer of a claim or DataVolume to another namespace.
 */
export interface ObjectTransfer extends KubeObject {
  /**
   * Object to transfer and its target.
   */
  spec: ObjectTransferSpec;
  /**
   * Progress of the operation.
   */
  status?: ObjectTransferStatus;
}

/**
 * Condition of a transfer.
 */
export interface ObjectTransferCondition {
  /**
   * Time of the last check.
   */
  lastHeartbeatTime?: Time;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Object to transfer and its target.
 */
export interface ObjectTransferSpec {
  /**
   * Name of the parent transfer.
   */
  parentName?: string;
  /**
   * Object to transfer.
   */
  source: TransferSource;
  /**
   * Target of the transfer.
   */
  target: TransferTarget;
}

/**
 * Progress of the operation.
 */
export interface ObjectTransferStatus {
  /**
   * Current conditions.
   */
  conditions?: ObjectTransferCondition[];
  /**
   * Internal state of the controller during the transfer.
   */
  data?: {
    [k: string]: string;
  };
  /**
   * Phase of the operation.
   */
  phase?: 'Pending' | 'Running' | 'Complete' | 'Error';
}

/**
 * TLS 1.0 and later, for very old clients.
 */
export type OldTLSProfile = object | null;

/**
 * Platform of a container image.
 */
export interface PlatformOptions {
  /**
   * CPU architecture: amd64, arm64 or s390x. Default: that of the node.
   */
  architecture?: string;
}

/**
 * Storage settings of the StorageClass of the same name. Created by the controller; users may override settings in spec.
 */
export interface StorageProfile extends KubeObject {
  /**
   * Overrides by the user.
   */
  spec: StorageProfileSpec;
  /**
   * Settings in effect.
   */
  status?: StorageProfileStatus;
}

/**
 * Condition of a StorageProfile.
 */
export interface StorageProfileCondition {
  /**
   * Time of the last check.
   */
  lastHeartbeatTime?: Time;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Overrides by the user.
 */
export interface StorageProfileSpec {
  /**
   * Supported combinations of access modes and volume mode, best first.
   */
  claimPropertySets?: ClaimPropertySet[];
  /**
   * Clone strategy.
   */
  cloneStrategy?: 'copy' | 'snapshot' | 'csi-clone';
  /**
   * Format in which DataImportCrons store images.
   */
  dataImportCronSourceFormat?: 'snapshot' | 'pvc';
  /**
   * VolumeSnapshotClass for clones. Default: a class of the same provisioner.
   */
  snapshotClass?: string;
}

/**
 * Settings in effect.
 */
export interface StorageProfileStatus {
  /**
   * Supported combinations of access modes and volume mode, best first.
   */
  claimPropertySets?: ClaimPropertySet[];
  /**
   * Clone strategy.
   */
  cloneStrategy?: 'copy' | 'snapshot' | 'csi-clone';
  /**
   * Current conditions.
   */
  conditions?: StorageProfileCondition[];
  /**
   * Format in which DataImportCrons store images.
   */
  dataImportCronSourceFormat?: 'snapshot' | 'pvc';
  /**
   * Provisioner of the StorageClass.
   */
  provisioner?: string;
  /**
   * VolumeSnapshotClass for clones.
   */
  snapshotClass?: string;
  /**
   * Name of the StorageClass.
   */
  storageClass?: string;
}

/**
 * Spec of a claim, completed from the StorageProfile.
 */
export interface StorageSpec {
  /**
   * Access modes. Default: those of the StorageProfile.
   */
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  /**
   * VolumeSnapshot or claim from which the claim is filled.
   */
  dataSource?: TypedLocalObjectReference;
  /**
   * Object from which a volume populator fills the claim. Any kind is allowed.
   */
  dataSourceRef?: TypedObjectReference;
  /**
   * Size that the guest sees. The claim is enlarged by the file system overhead. Default: size of the source, if it can be determined.
   */
  resources?: VolumeResourceRequirements;
  /**
   * Labels of the PersistentVolumes that the claim may be bound to.
   */
  selector?: LabelSelector;
  /**
   * Name of the StorageClass. Default: the default class for VMs, otherwise the cluster's default class.
   */
  storageClassName?: string;
  /**
   * Volume mode. Default: as in the StorageProfile.
   */
  volumeMode?: 'Filesystem' | 'Block';
  /**
   * PersistentVolume that the claim is bound to.
   */
  volumeName?: string;
}

/**
 * TLS versions and ciphers.
 */
export interface TLSSecurityProfile {
  /**
   * Custom settings, for type Custom.
   */
  custom?: CustomTLSProfile;
  /**
   * Empty object, for type Intermediate.
   */
  intermediate?: IntermediateTLSProfile;
  /**
   * Empty object, for type Modern.
   */
  modern?: ModernTLSProfile;
  /**
   * Empty object, for type Old.
   */
  old?: OldTLSProfile;
  /**
   * TLS profile. Default: Intermediate.
   */
  type?: 'Old' | 'Intermediate' | 'Modern' | 'Custom';
}

/**
 * Object to transfer.
 */
export interface TransferSource {
  /**
   * API version of the referenced object.
   */
  apiVersion?: string;
  /**
   * Kind of the object: DataVolume or PersistentVolumeClaim.
   */
  kind: string;
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the referenced object.
   */
  namespace: string;
  /**
   * Annotations that the object must have before it is transferred.
   */
  requiredAnnotations?: {
    [k: string]: string;
  };
}

/**
 * Target of a transfer. At least one field must be set.
 */
export interface TransferTarget {
  /**
   * New name. Default: the current name.
   */
  name?: string;
  /**
   * New namespace. Default: the current namespace.
   */
  namespace?: string;
}

/**
 * Source that fills a claim with a clone. Set as the claim's dataSourceRef.
 */
export interface VolumeCloneSource extends KubeObject {
  /**
   * Claim to clone.
   */
  spec: VolumeCloneSourceSpec;
}

/**
 * Claim to clone.
 */
export interface VolumeCloneSourceSpec {
  /**
   * Whether space is allocated before data is written. Default: as in the CDI object.
   */
  preallocation?: boolean;
  /**
   * PriorityClass of helper Pods.
   */
  priorityClassName?: string;
  /**
   * PersistentVolumeClaim or VolumeSnapshot, in the same namespace.
   */
  source: TypedLocalObjectReference;
}

/**
 * Source that fills a claim with an import. Set as the claim's dataSourceRef.
 */
export interface VolumeImportSource extends KubeObject {
  /**
   * Image to import.
   */
  spec: VolumeImportSourceSpec;
  /**
   * Status of the object. Always empty.
   */
  status?: VolumeImportSourceStatus;
}

/**
 * Image to import.
 */
export interface VolumeImportSourceSpec {
  /**
   * Stages of a multi-stage import of a running VM, oldest first.
   */
  checkpoints?: DataVolumeCheckpoint[];
  /**
   * Content type. kubevirt: a disk image. archive: a tar archive of files. Default: kubevirt.
   */
  contentType?: 'kubevirt' | 'archive';
  /**
   * Whether the last checkpoint in the list ends the import. Default: false.
   */
  finalCheckpoint?: boolean;
  /**
   * Whether space is allocated before data is written. Default: as in the CDI object.
   */
  preallocation?: boolean;
  /**
   * Source of the data.
   */
  source?: ImportSourceType;
  /**
   * Claim that a multi-stage import fills.
   */
  targetClaim?: string;
}

/**
 * Status of the object. Always empty.
 */
export type VolumeImportSourceStatus = object;

/**
 * Source that fills a claim with an upload. Set as the claim's dataSourceRef.
 */
export interface VolumeUploadSource extends KubeObject {
  /**
   * Settings of the upload.
   */
  spec: VolumeUploadSourceSpec;
  /**
   * Status of the object. Always empty.
   */
  status?: VolumeUploadSourceStatus;
}

/**
 * Settings of the upload.
 */
export interface VolumeUploadSourceSpec {
  /**
   * Content type. kubevirt: a disk image. archive: a tar archive of files. Default: kubevirt.
   */
  contentType?: 'kubevirt' | 'archive';
  /**
   * Whether space is allocated before data is written. Default: as in the CDI object.
   */
  preallocation?: boolean;
}

/**
 * Status of the object. Always empty.
 */
export type VolumeUploadSourceStatus = object;
