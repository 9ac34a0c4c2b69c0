import { kindFacts, type KindName } from '../../api/kinds/registry';

/** One REST collection of the API server. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** `group/version`, or `v1` for the core group. */
export const apiVersionOf = (resource: Resource): string =>
  resource.group ? `${resource.group}/${resource.version}` : resource.version;

const of =
  (group: string, version: string) =>
  (plural: string, kind: string, namespaced = true): Resource => ({ group, version, plural, kind, namespaced });

const core = of('', 'v1');
const storage = of('storage.k8s.io', 'v1');

/** The collection of a kind of the platform, in the version for new objects. */
export function ours(name: KindName): Resource {
  const { group, version, plural, kind, namespaced } = kindFacts[name];
  return { group, version, plural, kind, namespaced };
}

/** The collections that our components use. */
export const resources = {
  namespaces: core('namespaces', 'Namespace', false),
  nodes: core('nodes', 'Node', false),
  pods: core('pods', 'Pod'),
  events: core('events', 'Event'),
  secrets: core('secrets', 'Secret'),
  configMaps: core('configmaps', 'ConfigMap'),
  services: core('services', 'Service'),
  serviceAccounts: core('serviceaccounts', 'ServiceAccount'),
  persistentVolumeClaims: core('persistentvolumeclaims', 'PersistentVolumeClaim'),
  persistentVolumes: core('persistentvolumes', 'PersistentVolume', false),
  limitRanges: core('limitranges', 'LimitRange'),
  resourceQuotas: core('resourcequotas', 'ResourceQuota'),
  endpointSlices: of('discovery.k8s.io', 'v1')('endpointslices', 'EndpointSlice'),
  leases: of('coordination.k8s.io', 'v1')('leases', 'Lease'),
  deployments: of('apps', 'v1')('deployments', 'Deployment'),
  daemonSets: of('apps', 'v1')('daemonsets', 'DaemonSet'),
  controllerRevisions: of('apps', 'v1')('controllerrevisions', 'ControllerRevision'),
  storageClasses: storage('storageclasses', 'StorageClass', false),
  priorityClasses: of('scheduling.k8s.io', 'v1')('priorityclasses', 'PriorityClass', false),
  clusterRoles: of('rbac.authorization.k8s.io', 'v1')('clusterroles', 'ClusterRole', false),
  clusterRoleBindings: of('rbac.authorization.k8s.io', 'v1')('clusterrolebindings', 'ClusterRoleBinding', false),
  roles: of('rbac.authorization.k8s.io', 'v1')('roles', 'Role'),
  roleBindings: of('rbac.authorization.k8s.io', 'v1')('rolebindings', 'RoleBinding'),
  subjectAccessReviews: of('authorization.k8s.io', 'v1')('subjectaccessreviews', 'SubjectAccessReview', false),
  tokenReviews: of('authentication.k8s.io', 'v1')('tokenreviews', 'TokenReview', false),
  customResourceDefinitions: of('apiextensions.k8s.io', 'v1')(
    'customresourcedefinitions',
    'CustomResourceDefinition',
    false,
  ),
  apiServices: of('apiregistration.k8s.io', 'v1')('apiservices', 'APIService', false),
  mutatingWebhookConfigurations: of('admissionregistration.k8s.io', 'v1')(
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    false,
  ),
  validatingWebhookConfigurations: of('admissionregistration.k8s.io', 'v1')(
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    false,
  ),
  ingresses: of('networking.k8s.io', 'v1')('ingresses', 'Ingress'),
  virtualMachines: ours('VirtualMachine'),
  virtualMachineInstances: ours('VirtualMachineInstance'),
  presets: ours('VirtualMachineInstancePreset'),
  kubeVirts: ours('KubeVirt'),
  instancetypes: ours('VirtualMachineInstancetype'),
  clusterInstancetypes: ours('VirtualMachineClusterInstancetype'),
  preferences: ours('VirtualMachinePreference'),
  clusterPreferences: ours('VirtualMachineClusterPreference'),
  migrations: ours('VirtualMachineInstanceMigration'),
  replicaSets: ours('VirtualMachineInstanceReplicaSet'),
  pools: ours('VirtualMachinePool'),
  snapshots: ours('VirtualMachineSnapshot'),
  backups: ours('VirtualMachineBackup'),
  backupTrackers: ours('VirtualMachineBackupTracker'),
  snapshotContents: ours('VirtualMachineSnapshotContent'),
  restores: ours('VirtualMachineRestore'),
  clones: ours('VirtualMachineClone'),
  exports: ours('VirtualMachineExport'),
  dataVolumes: ours('DataVolume'),
  dataSources: ours('DataSource'),
  storageProfiles: ours('StorageProfile'),
  objectTransfers: ours('ObjectTransfer'),
  volumeImportSources: ours('VolumeImportSource'),
  volumeCloneSources: ours('VolumeCloneSource'),
  dataImportCrons: ours('DataImportCron'),
  cdiConfigs: ours('CDIConfig'),
  cdis: ours('CDI'),
  volumeUploadSources: ours('VolumeUploadSource'),
  uploadTokenRequests: ours('UploadTokenRequest'),
  networkAttachmentDefinitions: of('k8s.cni.cncf.io', 'v1')(
    'network-attachment-definitions',
    'NetworkAttachmentDefinition',
  ),
  volumeSnapshots: of('snapshot.storage.k8s.io', 'v1')('volumesnapshots', 'VolumeSnapshot'),
  volumeSnapshotContents: of('snapshot.storage.k8s.io', 'v1')('volumesnapshotcontents', 'VolumeSnapshotContent', false),
  volumeSnapshotClasses: of('snapshot.storage.k8s.io', 'v1')('volumesnapshotclasses', 'VolumeSnapshotClass', false),
} as const satisfies Record<string, Resource>;

/** An object of a collection, or one of its subresources. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
  readonly subresource?: string;
}

/** Path of a collection (without `name`) or of one object. Each part is escaped, so a name cannot change the path. */
export function pathOf(resource: Resource, ref: Partial<ObjectRef> = {}): string {
  const parts = resource.group ? ['apis', resource.group, resource.version] : ['api', resource.version];
  if (resource.namespaced && ref.namespace) parts.push('namespaces', ref.namespace);
  parts.push(resource.plural);
  if (ref.name !== undefined) parts.push(...named(resource, ref));
  if (ref.subresource) parts.push(...ref.subresource.split('/'));
  return '/' + parts.map(encodeURIComponent).join('/');
}

function named(resource: Resource, ref: Partial<ObjectRef>): string[] {
  // an empty name would address the whole collection: "delete all"
  if (!ref.name) throw new Error(`${resource.kind}: a name is missing; a request for one object needs it`);
  if (ref.name === '.' || ref.name === '..') throw new Error(`${resource.kind}: "${ref.name}" is not an object name`);
  if (resource.namespaced && !ref.namespace) {
    throw new Error(`${resource.kind} "${ref.name}": a namespace is missing; this kind lives in one`);
  }
  return [ref.name];
}
