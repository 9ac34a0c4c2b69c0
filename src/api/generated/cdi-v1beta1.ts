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
 * The importer's platform: what runs, and its configuration. One per cluster.
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
   * Certificates of the authorities.
   */
  ca?: CertConfig;
  /**
   * Client certificates.
   */
  client?: CertConfig;
  /**
   * Server certificates.
   */
  server?: CertConfig;
}

/**
 * Configuration in effect. Written by the controller: change the CDI object instead.
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
   * Deprecated and without effect: seconds after which a finished DataVolume was deleted.
   */
  dataVolumeTTLSeconds?: number;
  /**
   * Gates that are open: HonorWaitForFirstConsumer.
   */
  featureGates?: string[];
  /**
   * Part of a file system that an image cannot use.
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
   * Registries that are read without TLS, as HOST or HOST:PORT.
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
   * Space is set aside before anything is written. Default: false.
   */
  preallocation?: boolean;
  /**
   * StorageClass of scratch space. Default: the default class, else that of the DataVolume.
   */
  scratchSpaceStorageClass?: string;
  /**
   * TLS versions and ciphers of the servers.
   */
  tlsSecurityProfile?: TLSSecurityProfile;
  /**
   * URL of the upload proxy, as clients see it.
   */
  uploadProxyURLOverride?: string;
  /**
   * Whether a webhook completes claims with the label cdi.kubevirt.io/applyStorageProfile from StorageProfiles. Default: Enabled.
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
   * Overhead in effect, for each StorageClass.
   */
  filesystemOverhead?: FilesystemOverhead;
  /**
   * Secrets in effect.
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Proxy in effect.
   */
  importProxy?: ImportProxy;
  /**
   * Whether space is set aside.
   */
  preallocation?: boolean;
  /**
   * StorageClass of scratch space.
   */
  scratchSpaceStorageClass?: string;
  /**
   * Authority of the upload proxy's certificate, as PEM.
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
   * Configuration.
   */
  config?: CDIConfigSpec;
  /**
   * Changes of the installed objects.
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
   * Available, Progressing, Degraded.
   */
  conditions?: Condition[];
  /**
   * Version that runs.
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
 * Access modes and volume mode that go together.
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
   * Near to what, away from what.
   */
  affinity?: Affinity;
  /**
   * Pods of cdi-apiserver. Default: 1.
   */
  apiServerReplicas?: number;
  /**
   * Pods of cdi-deployment. Default: 1.
   */
  deploymentReplicas?: number;
  /**
   * Nodes, by labels.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Taints that are borne.
   */
  tolerations?: Toleration[];
  /**
   * Pods of cdi-uploadproxy. Default: 1.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * TLS settings of your own.
 */
export type CustomTLSProfile = {
  /**
   * Ciphers, by OpenSSL's names.
   */
  ciphers: string[];
  /**
   * Least version of TLS.
   */
  minTLSVersion: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
} | null;

/**
 * Changes of the installed objects.
 */
export interface CustomizeComponents {
  /**
   * Command line flags.
   */
  flags?: Flags;
  /**
   * Patches.
   */
  patches?: CustomizeComponentsPatch[];
}

/**
 * A patch of an installed object.
 */
export interface CustomizeComponentsPatch {
  /**
   * The patch, as JSON text.
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
   * Kind of the patch.
   */
  type: 'json' | 'merge' | 'strategic';
}

/**
 * Imports an image again whenever its source has a new one, and points a DataSource at the newest.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
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
   * Imports that are kept. Default: 3.
   */
  importsToKeep?: number;
  /**
   * The DataSource that points at the newest import; in the same namespace.
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
   * ServiceAccount that makes the DataVolumes.
   */
  serviceAccountName?: string;
  /**
   * The DataVolume of each import. Its source is a registry or a claim.
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
   * The newest import.
   */
  lastImportedPVC?: DataVolumeSourcePVC;
  /**
   * Format in which imports are stored.
   */
  sourceFormat?: 'snapshot' | 'pvc';
}

/**
 * A name for the image that DataVolumes start from.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
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
 * A claim, and what it is filled with.
 */
export interface DataVolume extends KubeObject {
  /**
   * The claim, and what it is filled with.
   */
  spec: DataVolumeSpec;
  /**
   * Progress of the operation.
   */
  status?: DataVolumeStatus;
}

/**
 * An empty disk.
 */
export type DataVolumeBlankImage = object;

/**
 * A stage of an import of a running VM.
 */
export interface DataVolumeCheckpoint {
  /**
   * Snapshot that this stage copies.
   */
  current: string;
  /**
   * Snapshot of the stage before; empty for the first.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
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
   * Nothing: an empty disk.
   */
  blank?: DataVolumeBlankImage;
  /**
   * A file in Google Cloud Storage.
   */
  gcs?: DataVolumeSourceGCS;
  /**
   * A file on an HTTP server.
   */
  http?: DataVolumeSourceHTTP;
  /**
   * A disk of oVirt.
   */
  imageio?: DataVolumeSourceImageIO;
  /**
   * Another claim.
   */
  pvc?: DataVolumeSourcePVC;
  /**
   * A container disk.
   */
  registry?: DataVolumeSourceRegistry;
  /**
   * A file in S3.
   */
  s3?: DataVolumeSourceS3;
  /**
   * A VolumeSnapshot.
   */
  snapshot?: DataVolumeSourceSnapshot;
  /**
   * Data that a client uploads.
   */
  upload?: DataVolumeSourceUpload;
  /**
   * A disk of VMware.
   */
  vddk?: DataVolumeSourceVDDK;
}

/**
 * A file in Google Cloud Storage.
 */
export interface DataVolumeSourceGCS {
  /**
   * Secret with the key of a service account.
   */
  secretRef?: string;
  /**
   * gs://BUCKET/FILE or its HTTPS form.
   */
  url: string;
}

/**
 * A file on an HTTP server.
 */
export interface DataVolumeSourceHTTP {
  /**
   * ConfigMap with authorities to trust, as PEM.
   */
  certConfigMap?: string;
  /**
   * Headers of each request: `Name: value`.
   */
  extraHeaders?: string[];
  /**
   * Secrets whose values are further headers.
   */
  secretExtraHeaders?: string[];
  /**
   * Secret with accessKeyId (user) and secretKey (password) for basic authentication.
   */
  secretRef?: string;
  /**
   * http:// or https:// URL of a qcow2, raw or other image, maybe compressed.
   */
  url: string;
  /**
   * ALGORITHM:HASH with md5, sha1, sha256 or sha512; the import fails when it differs.
   */
  checksum?: string;
  /**
   * Trust any certificate. Default: false.
   */
  insecureSkipVerify?: boolean;
}

/**
 * A disk of oVirt.
 */
export interface DataVolumeSourceImageIO {
  /**
   * ConfigMap with authorities to trust, as PEM.
   */
  certConfigMap?: string;
  /**
   * The disk.
   */
  diskId: string;
  /**
   * Trust any certificate. Default: false.
   */
  insecureSkipVerify?: boolean;
  /**
   * Secret with accessKeyId (user) and secretKey (password).
   */
  secretRef?: string;
  /**
   * URL of the engine.
   */
  url: string;
}

/**
 * A claim, maybe in another namespace.
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
 * A DataSource.
 */
export interface DataVolumeSourceRef {
  /**
   * Always DataSource.
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
 * A container disk. Exactly one of url and imageStream.
 */
export interface DataVolumeSourceRegistry {
  /**
   * ConfigMap with authorities to trust, as PEM.
   */
  certConfigMap?: string;
  /**
   * Image stream; needs pullMethod node.
   */
  imageStream?: string;
  /**
   * Platform to select from a multi-platform image.
   */
  platform?: PlatformOptions;
  /**
   * Who pulls: the helper Pod, or the node's container runtime. Default: pod.
   */
  pullMethod?: 'pod' | 'node';
  /**
   * Secret with accessKeyId (user) and secretKey (password).
   */
  secretRef?: string;
  /**
   * docker://IMAGE or oci-archive://IMAGE.
   */
  url?: string;
}

/**
 * A file in S3.
 */
export interface DataVolumeSourceS3 {
  /**
   * ConfigMap with authorities to trust, as PEM.
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
 * A VolumeSnapshot, maybe in another namespace.
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
 * Data that a client uploads.
 */
export type DataVolumeSourceUpload = object;

/**
 * A disk of VMware.
 */
export interface DataVolumeSourceVDDK {
  /**
   * Path of the disk: `[store] vm/vm.vmdk`.
   */
  backingFile?: string;
  /**
   * ConfigMap with further arguments of the VDDK library.
   */
  extraArgs?: string;
  /**
   * Image that holds the VDDK library. Default: what the ConfigMap v2v-vmware says.
   */
  initImageURL?: string;
  /**
   * Secret with user and password.
   */
  secretRef?: string;
  /**
   * Thumbprint of the host's certificate.
   */
  thumbprint?: string;
  /**
   * URL of the vCenter or ESXi host.
   */
  url?: string;
  /**
   * The VM that the disk belongs to.
   */
  uuid?: string;
  /**
   * ConfigMap with authorities to trust, as PEM.
   */
  certConfigMap?: string;
}

/**
 * The claim, and what it is filled with.
 */
export interface DataVolumeSpec {
  /**
   * Stages of an import of a running VM, oldest first.
   */
  checkpoints?: DataVolumeCheckpoint[];
  /**
   * A disk image, or a tar archive of files. Default: kubevirt.
   */
  contentType?: 'kubevirt' | 'archive';
  /**
   * The last checkpoint is the last of all. Default: false.
   */
  finalCheckpoint?: boolean;
  /**
   * Space is set aside before anything is written. Default: as in the CDI object.
   */
  preallocation?: boolean;
  /**
   * PriorityClass of helper Pods.
   */
  priorityClassName?: string;
  /**
   * The claim, exactly. Either this or storage.
   */
  pvc?: PersistentVolumeClaimSpec;
  /**
   * Source of the data. Mutually exclusive with sourceRef.
   */
  source?: DataVolumeSource;
  /**
   * A DataSource that says it.
   */
  sourceRef?: DataVolumeSourceRef;
  /**
   * The claim, with what is left out taken from the StorageProfile. Either this or pvc.
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
   * The claim.
   */
  claimName?: string;
  /**
   * Ready, Bound, Running.
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
   * Percentage, or N/A.
   */
  progress?: string;
  /**
   * Number of restarts of the helper Pod.
   */
  restartCount?: number;
}

/**
 * Part of a file system that an image cannot use: 0 to 1, as text.
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
   * Hosts, domains and CIDRs that are reached without it, separated by commas.
   */
  noProxy?: string;
  /**
   * ConfigMap in CDI's namespace with authorities to trust, in key ca.pem.
   */
  trustedCAProxy?: string;
}

/**
 * Source of the data. Exactly one field must be set.
 */
export interface ImportSourceType {
  /**
   * Nothing: an empty disk.
   */
  blank?: DataVolumeBlankImage;
  /**
   * A file in Google Cloud Storage.
   */
  gcs?: DataVolumeSourceGCS;
  /**
   * A file on an HTTP server.
   */
  http?: DataVolumeSourceHTTP;
  /**
   * A disk of oVirt.
   */
  imageio?: DataVolumeSourceImageIO;
  /**
   * A container disk.
   */
  registry?: DataVolumeSourceRegistry;
  /**
   * A file in S3.
   */
  s3?: DataVolumeSourceS3;
  /**
   * A disk of VMware.
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
   * Digest of its image.
   */
  Digest: string;
}

/**
 * TLS 1.2 and later, for common clients.
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
   * Near to what, away from what.
   */
  affinity?: Affinity;
  /**
   * Nodes, by labels.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Taints that are borne.
   */
  tolerations?: Toleration[];
}

/**
 * Deprecated. Moves a claim or DataVolume to another namespace.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
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
   * The transfer that this is a part of.
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
   * State that the controller keeps during the transfer.
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
 * Platform of an image.
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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
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
   * Access modes and volume modes that work, best first.
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
   * VolumeSnapshotClass of clones. Default: one of the same provisioner.
   */
  snapshotClass?: string;
}

/**
 * Settings in effect.
 */
export interface StorageProfileStatus {
  /**
   * Access modes and volume modes that work, best first.
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
   * VolumeSnapshotClass of clones.
   */
  snapshotClass?: string;
  /**
   * The StorageClass.
   */
  storageClass?: string;
}

/**
 * A claim; what is left out comes from the StorageProfile.
 */
export interface StorageSpec {
  /**
   * Access modes. Default: those of the StorageProfile.
   */
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  /**
   * VolumeSnapshot or claim that it is filled from.
   */
  dataSource?: TypedLocalObjectReference;
  /**
   * Any object that a populator fills it from.
   */
  dataSourceRef?: TypedObjectReference;
  /**
   * Size that the guest sees; the claim is made larger by the file system's overhead. Default: size of the source, where it can be found out.
   */
  resources?: VolumeResourceRequirements;
  /**
   * PersistentVolumes that it may be bound to.
   */
  selector?: LabelSelector;
  /**
   * Name of the StorageClass. Default: the default class for VMs, otherwise the cluster's default class.
   */
  storageClassName?: string;
  /**
   * Whether it holds a file system. Default: as in the StorageProfile.
   */
  volumeMode?: 'Filesystem' | 'Block';
  /**
   * The PersistentVolume that it is bound to.
   */
  volumeName?: string;
}

/**
 * TLS versions and ciphers.
 */
export interface TLSSecurityProfile {
  /**
   * Settings of the type Custom.
   */
  custom?: CustomTLSProfile;
  /**
   * Says that the type is Intermediate.
   */
  intermediate?: IntermediateTLSProfile;
  /**
   * Says that the type is Modern.
   */
  modern?: ModernTLSProfile;
  /**
   * Says that the type is Old.
   */
  old?: OldTLSProfile;
  /**
   * TLS profile. Default: Intermediate.
   */
  type?: 'Old' | 'Intermediate' | 'Modern' | 'Custom';
}

/**
 * The object that moves.
 */
export interface TransferSource {
  /**
   * API version of the referenced object.
   */
  apiVersion?: string;
  /**
   * DataVolume or PersistentVolumeClaim.
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
   * Annotations that it must have before it moves.
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
 * Fills a claim from another; named by the claim's dataSourceRef.
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
   * Space is set aside before anything is written. Default: as in the CDI object.
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
 * Fills a claim by an import; named by the claim's dataSourceRef.
 */
export interface VolumeImportSource extends KubeObject {
  /**
   * Image to import.
   */
  spec: VolumeImportSourceSpec;
  /**
   * Nothing is reported.
   */
  status?: VolumeImportSourceStatus;
}

/**
 * Image to import.
 */
export interface VolumeImportSourceSpec {
  /**
   * Stages of an import of a running VM, oldest first.
   */
  checkpoints?: DataVolumeCheckpoint[];
  /**
   * A disk image, or a tar archive of files. Default: kubevirt.
   */
  contentType?: 'kubevirt' | 'archive';
  /**
   * The last checkpoint is the last of all. Default: false.
   */
  finalCheckpoint?: boolean;
  /**
   * Space is set aside before anything is written. Default: as in the CDI object.
   */
  preallocation?: boolean;
  /**
   * Source of the data.
   */
  source?: ImportSourceType;
  /**
   * The claim of an import in stages.
   */
  targetClaim?: string;
}

/**
 * Nothing is reported.
 */
export type VolumeImportSourceStatus = object;

/**
 * Fills a claim by an upload; named by the claim's dataSourceRef.
 */
export interface VolumeUploadSource extends KubeObject {
  /**
   * Content type of the upload.
   */
  spec: VolumeUploadSourceSpec;
  /**
   * Nothing is reported.
   */
  status?: VolumeUploadSourceStatus;
}

/**
 * Content type of the upload.
 */
export interface VolumeUploadSourceSpec {
  /**
   * A disk image, or a tar archive of files. Default: kubevirt.
   */
  contentType?: 'kubevirt' | 'archive';
  /**
   * Space is set aside before anything is written. Default: as in the CDI object.
   */
  preallocation?: boolean;
}

/**
 * Nothing is reported.
 */
export type VolumeUploadSourceStatus = object;
