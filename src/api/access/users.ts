import { type Collection, collections, type KindName, kinds } from '../kinds/registry';
import { type Grant, READ, type Verb, WRITE } from './grant';

/** A ClusterRole for people. */
export interface UserRole {
  readonly name: string;
  readonly grants: readonly Grant[];
  /** Becomes part of Kubernetes' own role of this name, unless roles are aggregated by hand. */
  readonly aggregateTo?: 'view' | 'edit' | 'admin';
  /** Everybody who is authenticated has it. */
  readonly everybody?: boolean;
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

/** What a reader of a namespace may know of a guest. */
const INFORMATION = [
  ...machine('expand-spec', 'objectgraph'),
  ...instance('guestosinfo', 'filesystemlist', 'userlist', 'objectgraph'),
  ...instance('sev/fetchcertchain', 'sev/querylaunchmeasurement'),
];
/** Ways into a guest. */
const STREAMS = [...instance('console', 'vnc', 'portforward', 'usbredir'), ...machine('portforward')];
const ACTIONS = [
  ...machine('start', 'stop', 'restart', 'addvolume', 'removevolume', 'memorydump', 'removememorydump'),
  ...machine('evacuate/cancel'),
  ...instance('pause', 'unpause', 'addvolume', 'removevolume', 'freeze', 'unfreeze', 'softreboot', 'reset'),
  ...instance('sev/setupsession', 'sev/injectlaunchsecret', 'evacuate/cancel'),
];

/** Kinds that users keep. */
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
  'shows a VM with its instance type; stores nothing',
);
const seen: Grant[] = [
  on(['VirtualMachineInstanceMigration'], READ, 'who moves where'),
  on(['MigrationPolicy'], READ, 'how guests move'),
];
const installation = on(['KubeVirt'], ['get', 'list'], 'which features the platform has');
const plugins = (verbs: readonly Verb[]): Grant => on(['Plugin'], verbs, 'plugins of the platform');

/** KubeVirt's roles, by its names: bindings that exist go on to work. */
export const userRoles: readonly UserRole[] = [
  {
    name: 'kubevirt.io:default',
    everybody: true,
    grants: [
      installation,
      of(SUBRESOURCES, ['version', 'guestfs'], ['get', 'list'], 'virtctl asks before anything else'),
    ],
  },
  {
    name: 'kubevirt.io:view',
    aggregateTo: 'view',
    grants: [
      of(SUBRESOURCES, INFORMATION, ['get'], 'what a guest tells of itself'),
      expandGiven,
      ...own(READ, 'what there is'),
      ...seen,
      installation,
      plugins(READ),
    ],
  },
  {
    name: 'kubevirt.io:edit',
    aggregateTo: 'edit',
    grants: [
      of(SUBRESOURCES, [...INFORMATION, ...STREAMS], ['get'], 'what a guest tells of itself, and the ways into it'),
      of(SUBRESOURCES, ACTIONS, ['update'], 'what is done with a guest'),
      expandGiven,
      ...own(WRITE, 'what there is, and its change'),
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
        'what a guest tells of itself, the ways into it, and what its screen shows',
      ),
      of(SUBRESOURCES, ACTIONS, ['update'], 'what is done with a guest'),
      expandGiven,
      ...own([...WRITE, 'deletecollection'], 'what there is, and its change'),
      ...seen,
      plugins([...WRITE, 'deletecollection']),
    ],
  },
  {
    // in no other role: a migration moves load between nodes, which concerns others
    name: 'kubevirt.io:migrate',
    grants: [
      of(SUBRESOURCES, machine('migrate'), ['update'], 'moves a guest'),
      on(['VirtualMachineInstanceMigration'], [...WRITE, 'deletecollection'], 'moves a guest, or calls it off'),
    ],
  },
  {
    name: 'instancetype.kubevirt.io:view',
    everybody: true,
    grants: [
      on(['VirtualMachineClusterInstancetype', 'VirtualMachineClusterPreference'], READ, 'what a VM may be made of'),
    ],
  },
];
