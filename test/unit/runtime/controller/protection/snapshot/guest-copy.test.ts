import type { Vmi } from '../../../../../../src/runtime/controller/protection/types';
import {
  attaching,
  guestCopies,
  guestCopyBytes,
} from '../../../../../../src/runtime/controller/protection/snapshot/guest-copy';
import type { Observed, VolumeState } from '../../../../../../src/runtime/controller/protection/snapshot/observed';
import { claim, NOW, snapshot, vm, vmi } from '../fixtures';

const CLASS = { support: { className: 'csi' } };
const NONE = { support: {} };
const OFFLINE = { support: { className: 'local', isOffline: true } };
const CLAIMS: Record<string, string> = { root: 'root-dv', replaced: 'other' };
const volumes = (of: Record<string, Pick<VolumeState, 'support'>>): ReadonlyMap<string, VolumeState> =>
  new Map(
    Object.entries(of).map(([name, state]) => [name, { name: CLAIMS[name] ?? name, claim: claim(name), ...state }]),
  );
/** A guest with the VM's volumes as disks, except for these. */
const guest = (disks: Record<string, object | undefined> = {}, more: object[] = []): Vmi => {
  const made = vmi('Running');
  const all = { data: {}, root: {}, replaced: {}, ...disks };
  const devices = {
    disks: Object.entries(all).flatMap(([name, disk]) => (disk ? [{ name, ...disk }] : [])),
    filesystems: [],
  };
  const own = [{ name: 'replaced', persistentVolumeClaim: { claimName: 'replaced' } }, ...more];
  return { ...made, spec: { ...made.spec, volumes: [...made.spec.volumes!, ...own], domain: { devices } } } as Vmi;
};
const seeing = (of: Record<string, Pick<VolumeState, 'support'>>, running: Vmi): Observed => ({
  snapshot: snapshot(),
  vm: vm(),
  vmi: running,
  volumes: volumes(of),
  now: NOW,
});
const copied = (of: Record<string, Pick<VolumeState, 'support'>>, running = guest()): string[] => [
  ...guestCopies(seeing(of, running)).keys(),
];

test.each<[string, string[], string[]]>([
  ['all disks have VolumeSnapshots', copied({ data: CLASS, root: CLASS }), []],
  ['the storage of one disk has none', copied({ data: NONE, root: CLASS }), ['data', 'root']],
  ['that of all has none', copied({ data: NONE, root: NONE }), ['data', 'root']],
  ['its snapshots block the guest', copied({ data: CLASS, root: OFFLINE }), ['data', 'root']],
  ['the guest is stopped', copied({ data: NONE, root: OFFLINE }, vmi('Succeeded')), []],
  ['the disk is not in the guest yet', copied({ later: NONE, root: CLASS }), []],
  ['the disk is a CD', copied({ data: NONE, root: CLASS }, guest({ data: { cdrom: {} } })), []],
  ['the disk is a LUN', copied({ data: NONE, root: CLASS }, guest({ data: { lun: {} } })), []],
  ['the guest cannot write it', copied({ data: NONE, root: CLASS }, guest({ data: { disk: { readonly: true } } })), []],
  ['it is a file system of the guest', copied({ data: NONE, root: CLASS }, guest({ data: undefined })), []],
  ['it has another claim in the VM than in the guest', copied({ replaced: NONE, root: CLASS }), []],
  ['it is an ordinary disk', copied({ data: NONE, root: CLASS }, guest({ data: { disk: {} } })), ['data', 'root']],
])('QEMU copies if %s: %j', (_, names, expected) => expect(names).toEqual(expected));

test.each([
  ['AttachedToNode', 'data'],
  ['Ready', undefined],
])('a hotplugged volume in phase %s is waited for: %s', (phase, expected) => {
  const running = guest();
  const volumeStatus = [{ name: 'data', target: '', hotplugVolume: {}, phase }];
  running.status = { ...running.status, volumeStatus } as Vmi['status'];
  expect(attaching(seeing({ data: NONE, root: CLASS }, running))).toBe(expected);
  expect(attaching(seeing({ data: CLASS, root: CLASS }, running))).toBe(undefined);
});

test('the claim holds all images, also of volumes that are larger than requested', () => {
  const GIB = 2 ** 30;
  const all = volumes({ data: NONE, root: NONE });
  expect(guestCopyBytes(all)).toBe(Math.ceil(2 * GIB * 1.1) + 64 * 2 ** 20);
  const root = all.get('root')!;
  const larger = { ...root, claim: { ...root.claim!, status: { phase: 'Bound', capacity: { storage: '3Gi' } } } };
  expect(guestCopyBytes(new Map([...all, ['root', larger]]))).toBe(Math.ceil(4 * GIB * 1.1) + 64 * 2 ** 20);
});
