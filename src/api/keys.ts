/**
 * Every key with a prefix of KubeVirt, CDI or virt8s: labels, annotations, finalizers, taints, resources. KubeVirt's keys
 * are used where they exist, because its clients and existing manifests use them.
 */
export const keys = {
  // Labels of instances, their Pods and dependent objects
  /** UID of the object that created this one. */
  createdBy: 'kubevirt.io/created-by',
  /** On a template or an instance, as annotations of users: facts about the guest, which metrics show. */
  guestOs: 'vm.kubevirt.io/os',
  guestWorkload: 'vm.kubevirt.io/workload',
  guestFlavor: 'vm.kubevirt.io/flavor',
  /** On an instance: its launcher has the image of an earlier version. */
  outdatedLauncher: 'kubevirt.io/outdatedLauncherImage',
  /** On a launcher Pod: host name of its guest. */
  vmName: 'vm.kubevirt.io/name',
  /** On a launcher Pod: name of its instance. */
  vmiId: 'vmi.kubevirt.io/id',
  /** On a launcher Pod, as an annotation: name of its domain. */
  domain: 'kubevirt.io/domain',
  /** On an instance: its node. */
  nodeName: 'kubevirt.io/nodeName',
  migrationJobUid: 'kubevirt.io/migrationJobUID',
  migrationJobName: 'kubevirt.io/migrationJobName',
  migrationTargetNodeName: 'kubevirt.io/migrationTargetNodeName',
  migrationTransportUnix: 'kubevirt.io/migrationTransportUnix',
  createMigrationTarget: 'kubevirt.io/create-migration-target',
  /** On a migration: name of its instance. */
  migrationVmi: 'kubevirt.io/vmi-name',
  /** On an instance: names of volumes that were attached to it and not to its VM, separated by commas. */
  ephemeralVolumes: 'kubevirt.io/ephemeral-hotplug-volumes',
  ownerVmiName: 'kubevirt.io/owner-vmi-name',
  ownerVmiUid: 'kubevirt.io/owner-vmi-uid',
  /** On a claim: file with the last memory dump in it. */
  memoryDump: 'kubevirt.io/memory-dump',
  /** Followed by the UID of an instance whose LUNs use reservations. */
  reservationPrefix: 'pr.kubevirt.io/',
  poolRevision: 'kubevirt.io/vm-pool-revision-name',
  /** On an instance: excludes it from presets. */
  presetExclusion: 'virtualmachineinstancepresets.admission.kubevirt.io/exclude',
  installStrategy: 'kubevirt.io/install-strategy',
  /** On everything that KubeVirt's own operator installs, as an annotation: its version. */
  upstreamVersion: 'kubevirt.io/install-strategy-version',
  /** On everything that virt-operator installs, as an annotation: hash of the object as it was written. */
  installedContent: 'virt8s.io/installed-content',
  /** On an image: architecture of its guest. */
  templateArchitecture: 'template.kubevirt.io/architecture',
  /** On a namespace. */
  autoMemoryLimitsRatio: 'alpha.kubevirt.io/auto-memory-limits-ratio',

  // Annotations of VMs, instances and their Pods
  pciTopology: 'kubevirt.io/pci-topology-version',
  hookSidecars: 'hooks.kubevirt.io/hookSidecars',
  ignition: 'kubevirt.io/ignitiondata',
  emulatorEvenParity: 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity',
  allowPodBridgeMigration: 'kubevirt.io/allow-pod-bridge-network-live-migration',
  qgsSocketPath: 'kubevirt.io/qgs-socket-path',
  disablePciHole64: 'kubevirt.io/disablePCIHole64',
  memfd: 'kubevirt.io/memfd',
  freePageReportingDisabled: 'kubevirt.io/free-page-reporting-disabled',
  placePciDevicesOnRootComplex: 'kubevirt.io/placePCIDevicesOnRootComplex',
  /** On the KubeVirt object. */
  vgaDisplayEfi: 'kubevirt.io/vga-display-efi-x86',
  networkInfo: 'kubevirt.io/network-info',
  skipBackupHooks: 'kubevirt.io/skip-backup-hooks',
  skipDigestResolution: 'kubevirt.io/image-volume-skip-digest-resolution',
  libvirtLogFilters: 'kubevirt.io/libvirt-log-filters',
  failFast: 'kubevirt.io/func-test-virt-launcher-fail-fast',
  keepLauncherAlive: 'kubevirt.io/keep-launcher-alive-after-failure',
  memoryOverheadBytes: 'kubevirt.io/memory-overhead-bytes',
  latestObservedApiVersion: 'kubevirt.io/latest-observed-api-version',
  storageObservedApiVersion: 'kubevirt.io/storage-observed-api-version',
  vmGeneration: 'kubevirt.io/vm-generation',
  instancetypeName: 'kubevirt.io/instancetype-name',
  clusterInstancetypeName: 'kubevirt.io/cluster-instancetype-name',
  preferenceName: 'kubevirt.io/preference-name',
  clusterPreferenceName: 'kubevirt.io/cluster-preference-name',
  /** On an instance: hash of the template that it was created from. */
  templateHash: 'virt8s.io/template-hash',
  /** On a VM of a pool and its instance: hashes of the pool's template that it was created from. */
  poolTemplateHash: 'virt8s.io/pool-template-hash',
  /** Prefix of the annotations of a start. */
  startedPrefix: 'virt8s.io/started-',
  startedPaused: 'virt8s.io/started-paused',
  startedUnder: 'virt8s.io/started-under',
  /** On a launcher Pod: hash of its input. */
  rendering: 'virt8s.io/rendering',
  cloudInitChecksum: 'virt8s.io/cloud-init-checksum',
  sysprepChecksum: 'virt8s.io/sysprep-checksum',

  // Labels by which constructs and schedules find their objects, and the context of an app
  pool: 'virt8s.io/pool',
  replicaSet: 'virt8s.io/replica-set',
  /** On snapshots of a schedule: name of the schedule. */
  snapshotSchedule: 'virt8s.io/snapshot-schedule',
  /** On snapshots of a schedule: time of the request, in seconds since 1970. */
  snapshotTime: 'virt8s.io/snapshot-time',
  /** Construct context: configuration of the cluster that the manifests are for. */
  configurationContext: 'virt8s.io/configuration',
  /** Context of constructs: version of KubeVirt that the manifests are for. */
  kubeVirtVersionContext: 'virt8s.io/kubevirt-version',

  // Labels of revisions of instance types and preferences, and of volumes with defaults for both
  revisionGeneration: 'instancetype.kubevirt.io/object-generation',
  revisionKind: 'instancetype.kubevirt.io/object-kind',
  revisionName: 'instancetype.kubevirt.io/object-name',
  revisionUid: 'instancetype.kubevirt.io/object-uid',
  revisionVersion: 'instancetype.kubevirt.io/object-version',
  /** Followed by `instancetype`, `preference`, or the kind of either. */
  defaultPrefix: 'instancetype.kubevirt.io/default-',

  // Labels, annotations, taints and resources of nodes
  schedulable: 'kubevirt.io/schedulable',
  heartbeat: 'kubevirt.io/heartbeat',
  /** Address of the virt-handler of the node. */
  handlerEndpoint: 'virt8s.io/handler-endpoint',
  /** Reason why guests of the node cannot use KVM. */
  kvmUnusable: 'virt8s.io/kvm-unusable',
  /** Reason why the labels of the node do not describe its CPU. */
  capabilitiesUnknown: 'virt8s.io/capabilities-unknown',
  /** On a node, as an annotation: virt-handler does not label what its guests can have. */
  skipLabelling: 'node-labeller.kubevirt.io/skip-node',
  ksmEnabled: 'kubevirt.io/ksm-enabled',
  /** On a node, as an annotation: virt-handler has enabled the merging of equal pages. */
  ksmManaged: 'kubevirt.io/ksm-handler-managed',
  drainTaint: 'kubevirt.io/drain',
  cpuManager: 'kubevirt.io/cpumanager',
  realtime: 'kubevirt.io/realtime',
  sev: 'kubevirt.io/sev',
  sevEs: 'kubevirt.io/sev-es',
  sevSnp: 'kubevirt.io/sev-snp',
  s390Pv: 'kubevirt.io/s390-pv',
  tdx: 'kubevirt.io/tdx',
  obsoleteHostModel: 'node-labeller.kubevirt.io/obsolete-host-model',
  /** Followed by an architecture that the node can emulate. */
  emulatedArchPrefix: 'kubevirt.io/vm-arch-',
  cpuModelPrefix: 'cpu-model.node.kubevirt.io/',
  cpuFeaturePrefix: 'cpu-feature.node.kubevirt.io/',
  cpuVendorPrefix: 'cpu-vendor.node.kubevirt.io/',
  hostModelPrefix: 'host-model-cpu.node.kubevirt.io/',
  hostFeaturePrefix: 'host-model-required-features.node.kubevirt.io/',
  movableModelPrefix: 'cpu-model-migration.node.kubevirt.io/',
  machineTypePrefix: 'machine-type.node.kubevirt.io/',
  tscFrequencyPrefix: 'scheduling.node.kubevirt.io/tsc-frequency-',
  hypervPrefix: 'hyperv.node.kubevirt.io/',
  /** Followed by `tsc-frequency` or `tsc-scalable`. */
  cpuTimerPrefix: 'cpu-timer.node.kubevirt.io/',
  /** Prefixes of the labels of a node, by kind of fact. */
  nodeLabelInfix: '.node.kubevirt.io/',
  devicePrefix: 'devices.kubevirt.io/',
  kvmDevice: 'devices.kubevirt.io/kvm',

  // Finalizers and readiness gates
  /** Keeps an instance until its Pod is deleted. */
  vmiFinalizer: 'kubevirt.io/foregroundDeleteVirtualMachine',
  /** Keeps a VM until its instance is deleted. */
  vmFinalizer: 'kubevirt.io/virtualMachineControllerFinalize',
  migrationFinalizer: 'kubevirt.io/migrationJobFinalize',
  poolFinalizer: 'pool.kubevirt.io/finalizer',
  /** Keeps a KubeVirt object until its installation is removed. */
  kubeVirtFinalizer: 'foregroundDeleteKubeVirt',
  unpausedGate: 'kubevirt.io/virtual-machine-unpaused',

  // Snapshots, restores and clones
  snapshotFinalizer: 'snapshot.kubevirt.io/vmsnapshot-protection',
  snapshotContentFinalizer: 'snapshot.kubevirt.io/vmsnapshotcontent-protection',
  /** On a VM that is being snapshotted. */
  snapshotSourceFinalizer: 'snapshot.kubevirt.io/snapshot-source-protection',
  /** On a backup, until its claim is detached. */
  backupFinalizer: 'backup.kubevirt.io/vmbackup-protection',
  restoreFinalizer: 'snapshot.kubevirt.io/vmrestore-protection',
  /** On a VolumeSnapshot: its VM. */
  snapshotSourceName: 'snapshot.kubevirt.io/source-vm-name',
  snapshotSourceNamespace: 'snapshot.kubevirt.io/source-vm-namespace',
  /** On a restored claim: VM whose snapshot it is restored from. */
  restoreSourceName: 'restore.kubevirt.io/source-vm-name',
  restoreSourceNamespace: 'restore.kubevirt.io/source-vm-namespace',
  /** On what a restore created: its name. */
  restoreName: 'restore.kubevirt.io/name',
  /** On a VM or claim: name and UID of the restore that wrote it last. */
  lastRestore: 'restore.kubevirt.io/lastRestoreUID',
  /** On the content of a snapshot: time at which the guest was frozen, and why its file systems were not frozen to the end. */
  frozenAt: 'virt8s.io/frozen-at',
  quiesceFailed: 'virt8s.io/quiesce-failed',
  /** On a claim in the content of a snapshot: name of the claim with its copy. */
  volumeCopy: 'virt8s.io/volume-copy',
  /** On the content of a snapshot: its guest is frozen meanwhile. */
  freezesGuest: 'virt8s.io/freezes-guest',
  /** On the content of a snapshot, and on its VirtualMachineBackup: volumes that QEMU copies of the running guest, with commas. */
  guestCopies: 'virt8s.io/guest-copies',
  /** On the content of a snapshot: bytes of the claim that QEMU writes its copies to first. */
  guestCopyBytes: 'virt8s.io/guest-copy-bytes',

  // Keys of CDI and of storage
  bindImmediate: 'cdi.kubevirt.io/storage.bind.immediate.requested',
  contentType: 'cdi.kubevirt.io/storage.contentType',
  /** On the Service of an export: certificate of its exporter. It is public, and virt-controller reads no Secret. */
  exportCertificate: 'virt8s.io/export-certificate',
  /** On the Service of an export: Secret with the certificate and its key. */
  exportCertificateSecret: 'virt8s.io/export-certificate-secret',
  priorityClass: 'cdi.kubevirt.io/storage.pod.priorityClassName',
  /** State of the Pod that fills a claim. */
  podPhase: 'cdi.kubevirt.io/storage.pod.phase',
  podReady: 'cdi.kubevirt.io/storage.pod.ready',
  podRestarts: 'cdi.kubevirt.io/storage.pod.restarts',
  podRetained: 'cdi.kubevirt.io/storage.pod.retainAfterCompletion',
  runningCondition: 'cdi.kubevirt.io/storage.condition.running',
  runningReason: 'cdi.kubevirt.io/storage.condition.running.reason',
  runningMessage: 'cdi.kubevirt.io/storage.condition.running.message',
  populationProgress: 'cdi.kubevirt.io/storage.populator.progress',
  importPod: 'cdi.kubevirt.io/storage.import.importPodName',
  uploadPod: 'cdi.kubevirt.io/storage.uploadPodName',
  /** On a claim without a `dataSourceRef`: its volume receives an upload. */
  uploadTarget: 'cdi.kubevirt.io/storage.upload.target',
  /** Proof of virt-api that the author of a DataVolume may copy its source. */
  cloneToken: 'cdi.kubevirt.io/storage.clone.token',
  cloneType: 'cdi.kubevirt.io/cloneType',
  cloneFallback: 'cdi.kubevirt.io/cloneFallbackReason',
  clonePhase: 'cdi.kubevirt.io/clonePhase',
  /** On a VolumeCloneSource: path of a qcow2 image in the file system of the source, which is copied instead of its disk. */
  sourceImage: 'virt8s.io/source-image',
  /** Namespace of the source of a VolumeCloneSource, if it is another one. */
  dataSourceNamespace: 'cdi.kubevirt.io/dataSourceNamespace',
  /** `namespace/name` of the claim that a claim in the namespace of its source is filled for. */
  cloneTarget: 'virt8s.io/clone-target',
  /** `kind/name` of what a claim is cloned from, as it was when the clone was allowed. */
  cloneSource: 'virt8s.io/clone-source',
  /** Whether a Pod completes a clone of the storage: it enlarges the disk, or chooses the node. */
  cloneFinish: 'virt8s.io/clone-finish',
  populatedFor: 'cdi.kubevirt.io/storage.populatedFor',
  prePopulated: 'cdi.kubevirt.io/storage.prePopulated',
  checkStaticVolume: 'cdi.kubevirt.io/storage.checkStaticVolume',
  /** Name of the transfer that moves a claim. */
  transferName: 'cdi.kubevirt.io/objectTransferName',
  /** Finalizer of a transfer that has begun. */
  transferFinalizer: 'cdi.kubevirt.io/objectTransfer',
  allowClaimAdoption: 'cdi.kubevirt.io/allowClaimAdoption',
  applyStorageProfile: 'cdi.kubevirt.io/applyStorageProfile',
  dataImportCron: 'cdi.kubevirt.io/dataImportCron',
  /** Digest of the image that a DataImportCron should import. */
  desiredDigest: 'cdi.kubevirt.io/storage.import.sourceDesiredDigest',
  minimumPvcSize: 'cdi.kubevirt.io/minimumSupportedPvcSize',
  defaultVirtClass: 'storageclass.kubevirt.io/is-default-virt-class',
  /** Provisioner of the engine's storage. */
  localProvisioner: 'virt8s.io/local',
  /**
   * On a VolumeSnapshotClass, with the value `true`: its snapshots block the writes of a running guest for as long as
   * their data are copied. Running guests are copied by QEMU instead.
   */
  offlineSnapshots: 'virt8s.io/offline-snapshots',
  /** Provisioner of KubeVirt's storage in directories of nodes, and its older version. */
  hostPathProvisioner: 'kubevirt.io.hostpath-provisioner',
  oldHostPathProvisioner: 'kubevirt.io/hostpath-provisioner',
  /** Controller of the engine's class of Ingresses. */
  ingressController: 'virt8s.io/ingress',
} as const;
