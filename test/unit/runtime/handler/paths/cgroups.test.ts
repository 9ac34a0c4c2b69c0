import { containerOf, isInContainer } from '../../../../../src/runtime/handler/paths/cgroups';

const ID = '0123456789abcdef'.repeat(4);
const OTHER = 'f'.repeat(64);
const POD = 'pod1f6b3c2a-7d5e-4f6a-9b8c-0d1e2f3a4b5c';
const SLICE = `kubepods-burstable-${POD.replaceAll('-', '_')}.slice`;
const SYSTEMD = `/kubepods.slice/kubepods-burstable.slice/${SLICE}`;

describe('the container of a cgroup path', () => {
  test.each([
    ['containerd, cgroupfs', `/kubepods/burstable/${POD}/${ID}`],
    ['containerd, systemd', `${SYSTEMD}/cri-containerd-${ID}.scope`],
    [
      'containerd, systemd, guaranteed',
      `/kubepods.slice/kubepods-${POD.replaceAll('-', '_')}.slice/cri-containerd-${ID}.scope`,
    ],
    ['containerd, cgroupfs below a systemd kubelet', `/system.slice/containerd.service/${SLICE}:cri-containerd:${ID}`],
    ['CRI-O, systemd', `${SYSTEMD}/crio-${ID}.scope`],
    ['CRI-O with crun, which makes a group of its own', `${SYSTEMD}/crio-${ID}.scope/container`],
    ['CRI-O, cgroupfs', `/kubepods/besteffort/${POD}/crio-${ID}`],
    ['cri-dockerd, systemd', `${SYSTEMD}/docker-${ID}.scope`],
    ['cri-dockerd, cgroupfs', `/kubepods/besteffort/${POD}/${ID}`],
    ['kind, version 1', `/docker/${OTHER}/kubelet/kubepods/burstable/${POD}/${ID}`],
    [
      'kind, systemd',
      `/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-${SLICE}/cri-containerd-${ID}.scope`,
    ],
    ['a handler with a cgroup namespace of its own', `/../../${SLICE}/cri-containerd-${ID}.scope`],
    ['a static Pod, whose uid has no dashes', `/kubepods/burstable/pod0123456789abcdef0123456789abcdef/${ID}`],
    ['our engine', `/virt8s-a1b2c3/${POD}/${ID}`],
    ['a process that the container put deeper', `/kubepods/${POD}/${ID}/init.scope`],
    ['one that poses as another container', `/kubepods/${POD}/${ID}/${POD}/${OTHER}`],
    ['one that poses as another container of systemd', `${SYSTEMD}/crio-${ID}.scope/${SLICE}/crio-${OTHER}.scope`],
  ])('is found: %s', (_, path) => expect(containerOf(path)).toBe(ID));

  test.each([
    ['CRI-O’s monitor, systemd', `${SYSTEMD}/crio-conmon-${ID}.scope`],
    ['CRI-O’s monitor, cgroupfs', `/kubepods/besteffort/${POD}/crio-conmon-${ID}`],
    ['CRI-O’s monitor outside of the Pod', `/system.slice/crio-conmon-${ID}.scope`],
    ['an unknown kind of scope', `${SYSTEMD}/evil-${ID}.scope`],
    ['an id with more in it', `/kubepods/${POD}/${ID}-1`],
    ['another container', `/kubepods/${POD}/${OTHER}`],
    ['an id that only ends with it', `/kubepods/${POD}/x${ID}`],
    ['a scope whose id only ends with it', `${SYSTEMD}/cri-containerd-x${ID}.scope`],
    ['an id with something behind it', `/kubepods/${POD}/${ID}x`],
    ['the container below a group of its own', `/kubepods/${POD}/x/${ID}`],
    ['no Pod at all', `/user.slice/${ID}`],
    ['a plain Docker container', `/docker/${ID}`],
    ['the Pod itself', `/kubepods/${POD}`],
    ['a group whose name only ends like a Pod', `/xpod1/${ID}`],
    ['the root', '/'],
    ['nothing', ''],
  ])('is not that one: %s', (_, path) => expect(containerOf(path)).not.toBe(ID));
});

describe('a process is in a container', () => {
  test.each([
    ['version 2', `0::/kubepods/${POD}/${ID}\n`, true],
    ['version 1, where some trees have no Pods', `12:misc:/\n4:cpu,cpuacct:/kubepods/${POD}/${ID}\n0::/\n`, true],
    ['version 1, a named tree', `1:name=systemd:/kubepods/${POD}/${ID}\n`, true],
    ['another one', `0::/kubepods/${POD}/${OTHER}\n`, false],
    ['a line that is not a cgroup', `kubepods/${POD}/${ID}\n`, false],
    ['nothing', '', false],
  ])('%s', (_, file, want) => expect(isInContainer(file, ID)).toBe(want));
});
