import { podsWithDisks } from '../../../../../src/runtime/handler/container-disk/sweep';
import { parseMountInfo } from '../../../../../src/runtime/host/mounts';

const all = (...points: string[]) =>
  parseMountInfo(points.map((point) => `36 35 0:98 / ${point} rw master:1 - overlay source rw`).join('\n'));

const volume = 'volumes/kubernetes.io~empty-dir/container-disks';
test.each([
  ['a disk', [`/k/pods/u1/${volume}/disk_0.img`], ['u1']],
  ['a kernel', [`/k/pods/u1/${volume}/kernel-boot/vmlinuz`], ['u1']],
  ['two disks of one Pod', [`/k/pods/u1/${volume}/disk_0.img`, `/k/pods/u1/${volume}/disk_1.img`], ['u1']],
  ['several Pods', [`/k/pods/u1/${volume}/disk_0.img`, `/k/pods/u2/${volume}/disk_0.img`], ['u2', 'u1']],
  ['the volume itself, when it is in memory', [`/k/pods/u1/${volume}`], []],
  ['another volume', ['/k/pods/u1/volumes/kubernetes.io~empty-dir/data/disk_0.img'], []],
  ['another kind of volume', ['/k/pods/u1/volumes/kubernetes.io~csi/container-disks/disk_0.img'], []],
  ['another kubelet', [`/other/pods/u1/${volume}/disk_0.img`], []],
])('Pods with disks: %s', (_, points, want) => expect(podsWithDisks(all(...points), '/k/pods')).toEqual(want));
