import { type Collection, collections, type KindName, kinds } from '../kinds/registry';
import { type Grant, READ, type Verb, WRITE } from './grant';

/** ClusterRole for users. */
export interface UserRole {
  readonly name: string;
  readonly grants: readonly Grant[];
  /** Kubernetes' role that it is aggregated to, unless roles are aggregated manually. */
  readonly aggregateTo?: 'view' | 'edit' | 'admin';
  /** Whether every authenticated user has it. */
  readonly everybody?: boolean;
  /** Whether CDI installs it, where the platform does not import disks itself. */
  readonly ofImporter?: boolean;
}

const SUBRESOURCES = 'subresources.kubevirt.io';

const of = (group: string, resources: readonly string[], verbs: readonly Verb[], why: string): Grant => ({
  group,
  resources,
  verbs,
  why,
});
const on = (targets: [Collection, ...Collection[]], verbs: readonly Verb[], why: string): Grant => ({
  ...collections(...targets),
  verbs,
  why,
});
const instance = (...names: string[]): string[] =>
  names.map((name) => `${kinds.VirtualMachineInstance.plural}/${name}`);
const machine = (...names: string[]): string[] => names.map((name) => `${kinds.VirtualMachine.plural}/${name}`);

/** Subresources with information about a guest, for readers of a namespace. */
const INFORMATION = [
  ...machine('expand-spec', 'objectgraph'),
  ...instance('guestosinfo', 'filesystemlist', 'userlist', 'objectgraph'),
  ...instance('sev/fetchcertchain', 'sev/querylaunchmeasurement'),
];
/** Connections into a guest. */
const STREAMS = [...instance('console', 'vnc', 'portforward', 'usbredir'), ...machine('portforward')];
const ACTIONS = [
  ...machine('start', 'stop', 'restart', 'addvolume', 'removevolume', 'memorydump', 'removememorydump'),
  ...machine('evacuate/cancel'),
  ...instance('pause', 'unpause', 'addvolume', 'removevolume', 'freeze', 'unfreeze', 'softreboot', 'reset'),
  ...instance('sev/setupsession', 'sev/injectlaunchsecret', 'evacuate/cancel'),
];

/** Kinds that users create. */
const OWN: readonly KindName[] = [
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineInstancePreset',
  'VirtualMachineInstanceReplicaSet',
  'VirtualMachineSnapshot',
  'VirtualMachineSnapshotContent',
  'VirtualMachineRestore',
  'VirtualMachineBackup',
  'VirtualMachineBackupTracker',
  'VirtualMachineExport',
  'VirtualMachineClone',
  'VirtualMachineInstancetype',
  'VirtualMachineClusterInstancetype',
  'VirtualMachinePreference',
  'VirtualMachineClusterPreference',
  'VirtualMachinePool',
];

const own = (verbs: readonly Verb[], why: string): Grant[] => OWN.map((kind) => on([kind], verbs, why));

const expandGiven = of(
  SUBRESOURCES,
  ['expand-vm-spec'],
  ['update'],
  'expands the instance type of a VM; stores nothing',
);
const seen: Grant[] = [
  on(['VirtualMachineInstanceMigration'], READ, 'migrations and their targets'),
  on(['MigrationPolicy'], READ, 'settings of migrations'),
];
const installation = on(['KubeVirt'], ['get', 'list'], 'features of the platform');
const plugins = (verbs: readonly Verb[]): Grant => on(['Plugin'], verbs, 'plugins of the platform');

/** Kinds of CDI that users create. */
const DISKS: readonly [KindName, ...KindName[]] = [
  'DataVolume',
  'DataSource',
  'DataImportCron',
  'VolumeImportSource',
  'VolumeCloneSource',
  'VolumeUploadSource',
];
/** In CDI's role for readers as well, because clones are meant for images that many may use. */
const clones = on(['DataVolume/source'], ['create'], 'clones disks into other namespaces');
const disks = (verbs: readonly Verb[], why: string): Grant[] => [
  on([...DISKS], verbs, why),
  on(['ObjectTransfer', 'StorageProfile', 'CDIConfig'], READ, 'how the platform stores disks'),
  clones,
];

const uploads = on(['UploadTokenRequest'], ['create'], 'uploads disks');

/** KubeVirt's and CDI's roles with their names, so that existing bindings continue to work. */
export const userRoles: readonly UserRole[] = [
  {
    name: 'kubevirt.io:default',
    everybody: true,
    grants: [
      installation,
      of(SUBRESOURCES, ['version', 'guestfs'], ['get', 'list'], 'virtctl requests it before anything else'),
    ],
  },
  {
    name: 'kubevirt.io:view',
    aggregateTo: 'view',
    grants: [
      of(SUBRESOURCES, INFORMATION, ['get'], 'information from the guest'),
      expandGiven,
      ...own(READ, 'existing objects'),
      ...seen,
      installation,
      plugins(READ),
    ],
  },
  {
    name: 'kubevirt.io:edit',
    aggregateTo: 'edit',
    grants: [
      of(SUBRESOURCES, [...INFORMATION, ...STREAMS], ['get'], 'information from the guest, and connections into it'),
      of(SUBRESOURCES, ACTIONS, ['update'], 'actions on a guest'),
      expandGiven,
      ...own(WRITE, 'existing objects, and their changes'),
      ...seen,
      installation,
    ],
  },
  {
    name: 'kubevirt.io:admin',
    aggregateTo: 'admin',
    grants: [
      of(
        SUBRESOURCES,
        [...INFORMATION, ...STREAMS, ...instance('vnc/screenshot')],
        ['get'],
        'information from the guest, connections into it, and its screen',
      ),
      of(SUBRESOURCES, ACTIONS, ['update'], 'actions on a guest'),
      expandGiven,
      ...own([...WRITE, 'deletecollection'], 'existing objects, and their changes'),
      ...seen,
      plugins([...WRITE, 'deletecollection']),
    ],
  },
  {
    // in no other role: a migration moves load between nodes, which affects other users
    name: 'kubevirt.io:migrate',
    grants: [
      of(SUBRESOURCES, machine('migrate'), ['update'], 'migrates a guest'),
      on(
        ['VirtualMachineInstanceMigration'],
        [...WRITE, 'deletecollection'],
        'migrates a guest, or cancels a migration',
      ),
    ],
  },
  {
    name: 'instancetype.kubevirt.io:view',
    everybody: true,
    grants: [
      on(
        ['VirtualMachineClusterInstancetype', 'VirtualMachineClusterPreference'],
        READ,
        'sizes and preferences for VMs',
      ),
    ],
  },
  {
    name: 'cdi.kubevirt.io:view',
    aggregateTo: 'view',
    ofImporter: true,
    grants: disks(READ, 'existing disks and their sources'),
  },
  {
    name: 'cdi.kubevirt.io:edit',
    aggregateTo: 'edit',
    ofImporter: true,
    grants: [...disks(WRITE, 'existing disks and their sources, and their changes'), uploads],
  },
  {
    name: 'cdi.kubevirt.io:admin',
    aggregateTo: 'admin',
    ofImporter: true,
    grants: [...disks([...WRITE, 'deletecollection'], 'existing disks and their sources, and their changes'), uploads],
  },
  {
    name: 'cdi.kubevirt.io:config-reader',
    everybody: true,
    ofImporter: true,
    grants: [on(['CDIConfig', 'StorageProfile'], READ, 'where uploads go, and what classes can do')],
  },
];
