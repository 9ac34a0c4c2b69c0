import type { Vmi } from '../../../../../../src/runtime/controller/protection/types';
import { guestCopies, guestCopyBytes } from '../../../../../../src/runtime/controller/protection/snapshot/guest-copy';
import type { Observed, VolumeState } from '../../../../../../src/runtime/controller/protection/snapshot/observed';
import { claim, NOW, snapshot, vm, vmi } from '../fixtures';

const CLASS = { support: { className: 'csi' } };
const NONE = { support: {} };
const OFFLINE = { support: { className: 'local', isOffline: true } };
const volumes = (of: Record<string, Pick<VolumeState, 'support'>>): ReadonlyMap<string, VolumeState> =>
  new Map(Object.entries(of).map(([name, state]) => [name, { name, claim: claim(name), ...state }]));
const copied = (of: Record<string, Pick<VolumeState, 'support'>>, guest: Vmi | undefined = vmi('Running')) => {
  const seen: Observed = { snapshot: snapshot(), vm: vm(), vmi: guest, volumes: volumes(of), now: NOW };
  return [...guestCopies(seen).keys()];
};
const withDisk = (disk: object): Vmi => {
  const guest = vmi('Running');
  return { ...guest, spec: { ...guest.spec, domain: { devices: { disks: [{ name: 'data', ...disk }] } } } };
};

test.each<[string, string[], string[]]>([
  ['all disks have VolumeSnapshots', copied({ data: CLASS, root: CLASS }), []],
  ['the storage of one disk has none', copied({ data: NONE, root: CLASS }), ['data', 'root']],
  ['that of all has none', copied({ data: NONE, root: NONE }), ['data', 'root']],
  ['its snapshots block the guest', copied({ data: CLASS, root: OFFLINE }), ['data', 'root']],
  ['the guest is stopped', copied({ data: NONE, root: OFFLINE }, vmi('Succeeded')), []],
  ['the disk is not in the guest yet', copied({ later: NONE, root: CLASS }), []],
  ['the disk is a CD', copied({ data: NONE, root: CLASS }, withDisk({ cdrom: {} })), []],
  ['the disk is a LUN', copied({ data: NONE, root: CLASS }, withDisk({ lun: {} })), []],
  ['the guest cannot write it', copied({ data: NONE, root: CLASS }, withDisk({ disk: { readonly: true } })), []],
  ['it is an ordinary disk', copied({ data: NONE, root: CLASS }, withDisk({ disk: {} })), ['data', 'root']],
])('QEMU copies if %s: %j', (_, names, expected) => expect(names).toEqual(expected));

test('the claim holds all images, also of volumes that are larger than requested', () => {
  const GIB = 2 ** 30;
  const all = volumes({ data: NONE, root: NONE });
  expect(guestCopyBytes(all)).toBe(Math.ceil(2 * GIB * 1.1) + 64 * 2 ** 20);
  const root = all.get('root')!;
  const larger = { ...root, claim: { ...root.claim!, status: { phase: 'Bound', capacity: { storage: '3Gi' } } } };
  expect(guestCopyBytes(new Map([...all, ['root', larger]]))).toBe(Math.ceil(4 * GIB * 1.1) + 64 * 2 ** 20);
});
