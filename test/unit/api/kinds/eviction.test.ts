import { decideEviction } from '../../../../src/api/kinds/eviction';
import { launcherPodName } from '../../../../src/api/launcher-name';
import { validVmi } from '../fixtures';
import { cluster, configured, type Loose } from './fixtures';

const vmi = (evictionStrategy?: string, status: object = {}, metadata: object = {}): Loose => {
  const given = validVmi() as Loose;
  return {
    ...given,
    metadata: { ...given.metadata, uid: 'u', ...metadata },
    spec: { ...given.spec, ...(evictionStrategy === undefined ? {} : { evictionStrategy }) },
    status: { nodeName: 'n', ...status },
  };
};
const ofMachine = { ownerReferences: [{ kind: 'VirtualMachine', name: 'web', uid: 'm', controller: true }] };
const migratable = (status: string, message?: string): object => ({
  conditions: [{ type: 'LiveMigratable', status, message }],
});
/** Of the VMI `web` with the uid `u`. */
const NAME = launcherPodName('web', 'u');
const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: 'u', controller: true };
const launcher = (more: object = {}, metadata: object = {}): Loose => ({
  kind: 'Pod',
  metadata: {
    name: NAME,
    namespace: 'default',
    labels: { 'kubevirt.io': 'virt-launcher' },
    annotations: { 'kubevirt.io/domain': 'web' },
    ownerReferences: [owner],
    ...metadata,
  },
  ...more,
});
const disk = (owners: object[] = [{ kind: 'Pod', name: NAME }]): Loose => ({
  kind: 'Pod',
  metadata: {
    name: 'hp-volume-a',
    namespace: 'default',
    labels: { 'kubevirt.io': 'hotplug-disk' },
    ownerReferences: owners,
  },
});

const decided = (pod: Loose, objects: Loose[], configuration: Loose = {}) =>
  decideEviction(pod, { config: configured(configuration), ...cluster(...objects) });

test.each<[string, Loose, Loose[], Loose?]>([
  ['of another program', { kind: 'Pod', metadata: { name: 'a' } }, []],
  ['whose guest has failed', launcher({ status: { phase: 'Failed' } }), [vmi('LiveMigrate')]],
  ['whose guest has succeeded', launcher({ status: { phase: 'Succeeded' } }), [vmi('LiveMigrate')]],
  ['without a strategy', launcher(), [vmi()]],
  ['of a guest with None', launcher(), [vmi('None')]],
  ['of a guest with None on a platform that migrates', launcher(), [vmi('None')], { evictionStrategy: 'LiveMigrate' }],
  ['of a guest with LiveMigrateIfPossible', launcher(), [vmi('LiveMigrateIfPossible', migratable('False'))]],
  ['of a guest that its handler calls migratable', launcher(), [vmi('LiveMigrateIfPossible', migratable('True'))]],
  ['whose guest is gone', launcher(), []],
  [
    'that names the guest of another Pod',
    launcher({}, { ownerReferences: [{ ...owner, uid: 'other' }] }),
    [vmi('LiveMigrate')],
  ],
  ['that copied the owner of a launcher', launcher({}, { name: 'fake' }), [vmi('LiveMigrate')]],
  [
    'that its guest does not control',
    launcher({}, { ownerReferences: [{ ...owner, controller: false }] }),
    [vmi('LiveMigrate')],
  ],
  [
    'of a disk whose launcher is a copy',
    disk([{ kind: 'Pod', name: 'fake' }]),
    [launcher({}, { name: 'fake' }), vmi()],
  ],
  ['that names a guest and has no owner', launcher({}, { ownerReferences: undefined }), [vmi('LiveMigrate')]],
  ['that names no guest', launcher({}, { annotations: {} }), [vmi('LiveMigrate')]],
  ['of a disk whose guest is gone', disk(), [launcher()]],
  ['of a disk whose launcher has ended', disk(), [launcher({ status: { phase: 'Succeeded' } }), vmi()]],
  ['of a disk of another Pod', disk(), [{ ...launcher(), metadata: { ...launcher().metadata, labels: {} } }, vmi()]],
  ['of a disk without a launcher', disk(), []],
  [
    'of a disk without owners',
    { ...disk(), metadata: { ...disk().metadata, ownerReferences: undefined } },
    [launcher()],
  ],
  ['of a disk with two owners', disk([{ name: NAME }, { name: 'b' }]), [launcher(), vmi()]],
])('allows the eviction of a Pod %s', (_, ...[pod, objects, configuration]) => {
  expect(decided(pod, objects, configuration)).toEqual({ allowed: true });
});

const remedy = 'or set evictionStrategy LiveMigrateIfPossible or None, then drain again';

test('a Pod is held by one owner of several', () => {
  const pod = launcher({}, { ownerReferences: [{ uid: 'other' }, owner] });
  expect(decided(pod, [vmi('LiveMigrate')])).toMatchObject({ allowed: false });
});

test.each<[string, object[]]>([
  ['a VM that does not control it', [{ kind: 'VirtualMachine', name: 'web', uid: 'm' }]],
  ['a set', [{ kind: 'VirtualMachineInstanceReplicaSet', name: 'web', uid: 'm', controller: true }]],
])('a guest of %s is to be deleted', (_, ownerReferences) => {
  const decision = decided(launcher(), [vmi('LiveMigrate', {}, { ownerReferences })]);
  expect(decision).toHaveProperty('message', expect.stringMatching(/: delete it, or set/));
});

test.each<[string, string, Loose[], Loose?]>([
  [
    'its handler says why it cannot move',
    `VMI "default/web" has evictionStrategy LiveMigrate and is not live-migratable (volume "root" is a local disk): ` +
      `stop it ("virtctl stop web -n default"), ${remedy}`,
    [vmi('LiveMigrate', migratable('False', 'volume "root" is a local disk'), ofMachine)],
  ],
  [
    'its handler says that it can',
    `VMI "default/web" has evictionStrategy LiveMigrate and is not live-migratable (virt8s does not migrate guests yet): ` +
      `stop it ("virtctl stop web -n default"), ${remedy}`,
    [vmi('LiveMigrate', migratable('True', 'old'), ofMachine)],
  ],
  [
    'its handler does not know, or not why',
    `VMI "default/web" has evictionStrategy LiveMigrate and is not live-migratable (virt8s does not migrate guests yet): ` +
      `delete it, ${remedy}`,
    [vmi('LiveMigrate', migratable('False'))],
  ],
  [
    'no VM owns it',
    `VMI "default/web" has evictionStrategy LiveMigrate and is not live-migratable (virt8s does not migrate guests yet): ` +
      `delete it, ${remedy}`,
    [vmi('LiveMigrate')],
  ],
  [
    'the platform requires it',
    `VMI "default/web" has evictionStrategy LiveMigrate in the KubeVirt object and is not live-migratable ` +
      `(virt8s does not migrate guests yet): delete it, ${remedy}`,
    [vmi()],
    { evictionStrategy: 'LiveMigrate' },
  ],
])('LiveMigrate ends a drain with cause and remedy: %s', (_, ...[message, objects, configuration]) => {
  expect(decided(launcher(), objects, configuration)).toEqual({ allowed: false, reason: 'Forbidden', message });
});

test.each<[string, Loose, Loose[], string]>([
  [
    'a guest that another controller moves',
    launcher(),
    [vmi('External')],
    'VMI "default/web" has evictionStrategy External: another controller has to move or stop it; the eviction succeeds ' +
      'after that',
  ],
  [
    'a disk that is in use',
    disk(),
    [launcher(), vmi()],
    'cannot evict hotplug pod: hp-volume-a associated with running vmi: web in namespace default',
  ],
])('a drain waits for %s', (_, pod, objects, message) => {
  expect(decided(pod, objects)).toEqual({ allowed: false, reason: 'TooManyRequests', message });
});
