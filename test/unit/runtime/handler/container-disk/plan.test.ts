import { isMountable, plannedDisks } from '../../../../../src/runtime/handler/container-disk/plan';
import { decide } from '../../../../../src/runtime/handler/instance/decide';
import { trimPod } from '../../../../../src/runtime/handler/kube-types';
import type { Pod } from '../../../../../src/runtime/handler/kube-types';
import { facts, observed, pod, vmi } from '../fixtures';

const ID = 'fedcba9876543210';

function withHolders(state: object, ...holders: string[]): Pod {
  const made = pod();
  made.spec.volumes = [];
  for (const name of holders) {
    made.spec.containers.push({ name });
    made.status!.containerStatuses!.push({ name, containerID: `crun://${ID}`, state });
  }
  return trimPod(made);
}
const running = withHolders({ running: {} }, 'volumeroot');
const withPath = (path: string) => {
  const made = vmi();
  made.spec.volumes = [{ name: 'root', containerDisk: { image: 'x', path } }];
  return made;
};

test('an image volume, which the kubelet mounts, needs no mount', () => {
  expect(plannedDisks(vmi(), trimPod(pod()))).toEqual([]);
});

test('a disk of a side container is named by its place in the spec', () => {
  const made = vmi();
  made.spec.volumes!.unshift({ name: 'empty', emptyDisk: { capacity: '1Gi' } });
  expect(plannedDisks(made, running)).toEqual([
    { volume: 'root', target: 'disk_1.img', path: undefined, containerId: ID },
  ]);
});

test('a VMI without volumes needs no mounts in any Pod', () => {
  const made = vmi();
  made.spec.volumes = undefined;
  expect(plannedDisks(made, trimPod(pod()))).toEqual([]);
});

test('a Pod without volumes has no image volumes', () => {
  const made = withHolders({ running: {} }, 'volumeroot');
  made.spec.volumes = undefined;
  expect(plannedDisks(vmi(), made)).toMatchObject([{ volume: 'root', containerId: ID }]);
});

test('a disk with a path is looked for there', () => {
  expect(plannedDisks(withPath('/images/./a.img'), running)).toMatchObject([{ path: ['images', 'a.img'] }]);
});

test('kernel and initrd of a side container are mounted where the launcher looks for them', () => {
  const made = vmi();
  const container = { image: 'k', kernelPath: '/boot/vmlinuz', initrdPath: '/boot/initrd.img' };
  made.spec.domain.firmware = { kernelBoot: { container } };
  const boot = { volume: 'kernel-boot-volume', directory: 'kernel-boot', containerId: ID };
  expect(plannedDisks(made, withHolders({ running: {} }, 'volumeroot', 'volumekernel-boot-volume'))).toEqual([
    { volume: 'root', target: 'disk_0.img', path: undefined, containerId: ID },
    { ...boot, target: 'vmlinuz', path: ['boot', 'vmlinuz'] },
    { ...boot, target: 'initrd.img', path: ['boot', 'initrd.img'] },
  ]);
  container.initrdPath = '';
  expect(plannedDisks(made, running).map(({ target }) => target)).toEqual(['disk_0.img', 'vmlinuz']);
});

test.each([
  ['/a/boot', '/b/boot', 'kernelPath "/a/boot" and initrdPath "/b/boot" have the same file name'],
  ['/a/boot', '/b/boot2', undefined],
])('kernel %s and initrd %s', (kernelPath, initrdPath, problem) => {
  const made = vmi();
  made.spec.domain.firmware = { kernelBoot: { container: { image: 'k', kernelPath, initrdPath } } };
  const disks = plannedDisks(made, withHolders({ running: {} }, 'volumeroot', 'volumekernel-boot-volume'));
  expect(disks.at(-1)?.problem).toEqual(problem && expect.stringContaining(problem));
});

describe('a mount is tried', () => {
  const [starting] = plannedDisks(vmi(), withHolders({ waiting: {} }, 'volumeroot'));
  const [dropped] = plannedDisks(vmi(), withHolders({}));
  test.each([
    ['when the holder runs', plannedDisks(vmi(), running)[0], true, undefined],
    ['not while the holder starts', starting, false, undefined],
    ['to report that the Pod lacks the image', dropped, true, 'neither an image volume "root" nor a container'],
    [
      'to report that a path leaves the image',
      plannedDisks(withPath('/disk/../etc/shadow'), running)[0],
      true,
      'container disk "root": /disk/../etc/shadow: contains ".."; it was not opened; correct "path"',
    ],
    ['to report that a path is not absolute', plannedDisks(withPath('disk'), running)[0], true, 'not an absolute path'],
  ])('%s', (_, disk, want, problem) => {
    expect(isMountable(disk)).toBe(want);
    if (problem === undefined) expect(disk.problem).toBeUndefined();
    else expect(disk.problem).toContain(problem);
  });
});

test.each([
  ['a holder that runs', running, ['mountDisks']],
  ['a holder that starts', withHolders({ waiting: {} }, 'volumeroot'), ['recheck']],
  ['a Pod without the image, so that the attempt reports why', withHolders({}), ['mountDisks']],
])('the decision about %s', (_, seen, want) => {
  const actions = decide(observed({ pod: seen, vmi: vmi('Scheduled'), facts: facts({ disksMounted: false }) }));
  expect(actions.map((action) => action.do).slice(0, 1)).toEqual(want);
});
