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
   * What runs, and its configuration.
   */
  spec: CDISpec;
  /**
   * What the operator saw.
   */
  status?: CDIStatus;
}

/**
 * Lifetimes of certificates.
 */
export interface CDICertConfig {
  /**
   * Of the authorities.
   */
  ca?: CertConfig;
  /**
   * Of client certificates.
   */
  client?: CertConfig;
  /**
   * Of server certificates.
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
   * What was found out.
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
   * How much is logged. Default: 1.
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
 * What was found out.
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
 * What runs, and its configuration.
 */
export interface CDISpec {
  /**
   * Lifetimes of certificates.
   */
  certConfig?: CDICertConfig;
  /**
   * How clones are made, whatever StorageProfiles say.
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
   * When images are pulled.
   */
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /**
   * Where the platform's own Pods run.
   */
  infra?: ComponentConfig;
  /**
   * PriorityClass of the platform's own Pods.
   */
  priorityClass?: string;
  /**
   * What happens to DataVolumes when this object is deleted.
   */
  uninstallStrategy?: 'RemoveWorkloads' | 'BlockUninstallIfWorkloadsExist';
  /**
   * Where helper Pods run.
   */
  workload?: NodePlacement;
}

/**
 * What the operator saw.
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
   * How far the installation is.
   */
  phase?: 'Deploying' | 'Deployed' | 'Deleting' | 'Deleted' | 'Error' | 'Upgrading';
  /**
   * Version that is wanted.
   */
  targetVersion?: string;
}

/**
 * Lifetime of one certificate.
 */
export interface CertConfig {
  /**
   * How long it is valid.
   */
  duration?: Duration;
  /**
   * How long before its end it is renewed.
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
 * Where the platform's own Pods run, and how many.
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
 * One thing that is true or false about the installation.
 */
export interface Condition {
  /**
   * When it was last looked at.
   */
  lastHeartbeatTime?: Time;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
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
   * What is imported, when, and what is kept. Immutable.
   */
  spec: DataImportCronSpec;
  /**
   * What was imported.
   */
  status?: DataImportCronStatus;
}

/**
 * One thing that is true or false about the cron.
 */
export interface DataImportCronCondition {
  /**
   * When it was last looked at.
   */
  lastHeartbeatTime?: Time;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * What is imported, when, and what is kept. Immutable.
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
   * Whether DataSource and imports stay when this object goes. Default: All.
   */
  retentionPolicy?: 'None' | 'All';
  /**
   * When to look for a new image, in cron's notation. Empty for image streams.
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
 * What was imported.
 */
export interface DataImportCronStatus {
  /**
   * What is true or false at the moment.
   */
  conditions?: DataImportCronCondition[];
  /**
   * The import that goes on; at most one.
   */
  currentImports?: ImportStatus[];
  /**
   * When the source was last asked.
   */
  lastExecutionTimestamp?: Time;
  /**
   * When an import last succeeded.
   */
  lastImportTimestamp?: Time;
  /**
   * The newest import.
   */
  lastImportedPVC?: DataVolumeSourcePVC;
  /**
   * What imports are kept as.
   */
  sourceFormat?: 'snapshot' | 'pvc';
}

/**
 * A name for the image that DataVolumes start from.
 */
export interface DataSource extends KubeObject {
  /**
   * Where the image is.
   */
  spec: DataSourceSpec;
  /**
   * Where the image was found.
   */
  status?: DataSourceStatus;
}

/**
 * One thing that is true or false about the source.
 */
export interface DataSourceCondition {
  /**
   * When it was last looked at.
   */
  lastHeartbeatTime?: Time;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * Another DataSource, which must point at a claim or snapshot itself.
 */
export interface DataSourceRefSourceDataSource {
  /**
   * Its name.
   */
  name: string;
  /**
   * Its namespace.
   */
  namespace: string;
}

/**
 * Where the image is. Exactly one field.
 */
export interface DataSourceSource {
  /**
   * Where another DataSource says.
   */
  dataSource?: DataSourceRefSourceDataSource;
  /**
   * In a claim.
   */
  pvc?: DataVolumeSourcePVC;
  /**
   * In a VolumeSnapshot.
   */
  snapshot?: DataVolumeSourceSnapshot;
}

/**
 * Where the image is.
 */
export interface DataSourceSpec {
  /**
   * Where the image is.
   */
  source: DataSourceSource;
}

/**
 * Where the image was found.
 */
export interface DataSourceStatus {
  /**
   * What is true or false at the moment.
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
   * How far it is.
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
 * One thing that is true or false about the DataVolume: Ready, Bound, Running.
 */
export interface DataVolumeCondition {
  /**
   * When it was last looked at.
   */
  lastHeartbeatTime?: Time;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * What the claim is filled with. Exactly one field.
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
   * What a client sends.
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
   * Its name.
   */
  name: string;
  /**
   * Its namespace.
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
   * Its name.
   */
  name: string;
  /**
   * Its namespace. Default: that of the DataVolume.
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
   * Which of an image's platforms.
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
   * Its name.
   */
  name: string;
  /**
   * Its namespace.
   */
  namespace: string;
}

/**
 * What a client sends.
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
   * What the claim is filled with. Either this or sourceRef.
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
 * How far it is.
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
   * How far it is, in one word.
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
   * How often the helper Pod was restarted.
   */
  restartCount?: number;
}

/**
 * Part of a file system that an image cannot use: 0 to 1, as text.
 */
export interface FilesystemOverhead {
  /**
   * For all StorageClasses. Default: 0.06.
   */
  global?: string;
  /**
   * By name of the StorageClass.
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
   * Of cdi-apiserver.
   */
  api?: {
    [k: string]: string;
  };
  /**
   * Of cdi-deployment.
   */
  controller?: {
    [k: string]: string;
  };
  /**
   * Of cdi-uploadproxy.
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
   * For http URLs: `http://USER:PASSWORD@HOST:PORT`.
   */
  HTTPProxy?: string;
  /**
   * For https URLs.
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
 * What the claim is filled with. Exactly one field.
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
 * An import that goes on.
 */
export interface ImportStatus {
  /**
   * Its DataVolume.
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
 * Where Pods run.
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
   * What moves, and where to.
   */
  spec: ObjectTransferSpec;
  /**
   * How far it is.
   */
  status?: ObjectTransferStatus;
}

/**
 * One thing that is true or false about the transfer.
 */
export interface ObjectTransferCondition {
  /**
   * When it was last looked at.
   */
  lastHeartbeatTime?: Time;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * What moves, and where to.
 */
export interface ObjectTransferSpec {
  /**
   * The transfer that this is a part of.
   */
  parentName?: string;
  /**
   * What moves.
   */
  source: TransferSource;
  /**
   * Where to.
   */
  target: TransferTarget;
}

/**
 * How far it is.
 */
export interface ObjectTransferStatus {
  /**
   * What is true or false at the moment.
   */
  conditions?: ObjectTransferCondition[];
  /**
   * What the controller must remember.
   */
  data?: {
    [k: string]: string;
  };
  /**
   * How far it is, in one word.
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
   * Its architecture: amd64, arm64 or s390x. Default: that of the node.
   */
  architecture?: string;
}

/**
 * What is known of a StorageClass; has its name. Made by the controller; users correct its spec.
 */
export interface StorageProfile extends KubeObject {
  /**
   * What the user knows better.
   */
  spec: StorageProfileSpec;
  /**
   * What is in effect.
   */
  status?: StorageProfileStatus;
}

/**
 * One thing that is true or false about the profile.
 */
export interface StorageProfileCondition {
  /**
   * When it was last looked at.
   */
  lastHeartbeatTime?: Time;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * What the user knows better.
 */
export interface StorageProfileSpec {
  /**
   * Access modes and volume modes that work, best first.
   */
  claimPropertySets?: ClaimPropertySet[];
  /**
   * How clones are made.
   */
  cloneStrategy?: 'copy' | 'snapshot' | 'csi-clone';
  /**
   * What DataImportCrons keep images as.
   */
  dataImportCronSourceFormat?: 'snapshot' | 'pvc';
  /**
   * VolumeSnapshotClass of clones. Default: one of the same provisioner.
   */
  snapshotClass?: string;
}

/**
 * What is in effect.
 */
export interface StorageProfileStatus {
  /**
   * Access modes and volume modes that work, best first.
   */
  claimPropertySets?: ClaimPropertySet[];
  /**
   * How clones are made.
   */
  cloneStrategy?: 'copy' | 'snapshot' | 'csi-clone';
  /**
   * What is true or false at the moment.
   */
  conditions?: StorageProfileCondition[];
  /**
   * What DataImportCrons keep images as.
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
   * How many nodes may mount it. Default: as in the StorageProfile.
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
   * Its StorageClass. Default: the default class for VMs, else the default class.
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
   * Which profile. Default: Intermediate.
   */
  type?: 'Old' | 'Intermediate' | 'Modern' | 'Custom';
}

/**
 * The object that moves.
 */
export interface TransferSource {
  /**
   * Its API version.
   */
  apiVersion?: string;
  /**
   * DataVolume or PersistentVolumeClaim.
   */
  kind: string;
  /**
   * Its name.
   */
  name: string;
  /**
   * Its namespace.
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
 * Where it goes; at least one field.
 */
export interface TransferTarget {
  /**
   * Its new name. Default: the old one.
   */
  name?: string;
  /**
   * Its new namespace. Default: the old one.
   */
  namespace?: string;
}

/**
 * Fills a claim from another; named by the claim's dataSourceRef.
 */
export interface VolumeCloneSource extends KubeObject {
  /**
   * What is cloned.
   */
  spec: VolumeCloneSourceSpec;
}

/**
 * What is cloned.
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
   * What is imported.
   */
  spec: VolumeImportSourceSpec;
  /**
   * Nothing is reported.
   */
  status?: VolumeImportSourceStatus;
}

/**
 * What is imported.
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
   * What the claim is filled with.
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
   * What is uploaded.
   */
  spec: VolumeUploadSourceSpec;
  /**
   * Nothing is reported.
   */
  status?: VolumeUploadSourceStatus;
}

/**
 * What is uploaded.
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
