import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerSecurityContext, PodSpec } from '../../../../../src/local/core-v1';
import { MAX_ACCOUNT_BYTES, userOf } from '../../../../../src/local/node/pods/user';

const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nqemu:x:107:108:qemu:/home/qemu:/bin/sh\n';
const GROUP = 'root:x:0:\nqemu:x:108:\nkvm:x:36:other,qemu\ndisk:x:6:qemus\n';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'virt8s-user-'));
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), PASSWD);
  writeFileSync(join(root, 'etc/group'), GROUP);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const user = (imageUser: string, own: ContainerSecurityContext = {}, pod: PodSpec['securityContext'] = {}) =>
  userOf({ containers: [], securityContext: pod }, { name: 'c', securityContext: own }, imageUser, root);

test.each<[string, string, ContainerSecurityContext, PodSpec['securityContext'], object]>([
  ['is root without a word', '', {}, {}, { uid: 0, gid: 0, additionalGids: [0], home: '/root' }],
  ['is the one of the image, by name', 'qemu', {}, {}, { uid: 107, gid: 108, additionalGids: [36, 108] }],
  ['is the one of the image, by number', '107', {}, {}, { uid: 107, gid: 108, home: '/home/qemu' }],
  ['has the group of the image', 'qemu:kvm', {}, {}, { uid: 107, gid: 36, additionalGids: [36] }],
  ['has the group of the image, by number', '5:7', {}, {}, { uid: 5, gid: 7 }],
  [
    'is the one of the container before that of the Pod',
    '',
    { runAsUser: 107 },
    { runAsUser: 5 },
    { uid: 107, gid: 108 },
  ],
  ['is the one of the Pod before that of the image', 'qemu', {}, { runAsUser: 5 }, { uid: 5, gid: 0 }],
  ['has no group of an image whose user it is not', 'qemu:kvm', { runAsUser: 5 }, {}, { uid: 5, gid: 0 }],
  ['has the group that is asked for', 'qemu', { runAsGroup: 9 }, { runAsGroup: 8 }, { uid: 107, gid: 9 }],
  ['has the groups of the Pod', '', {}, { supplementalGroups: [7], fsGroup: 8 }, { additionalGids: [7, 8, 0] }],
  ['may be a number that no account has', '4711', {}, {}, { uid: 4711, gid: 0, home: undefined }],
  ['may run as a number that is not 0', '1', { runAsNonRoot: true }, {}, { uid: 1 }],
])('a user %s', (_, imageUser, own, pod, want) => expect(user(imageUser, own, pod)).toMatchObject(want));

test.each<[string, string, ContainerSecurityContext, PodSpec['securityContext'], string]>([
  ['a name that the image does not have', 'nobody', {}, {}, 'unable to find user nobody'],
  ['a group that the image does not have', 'qemu:none', {}, {}, 'unable to find group none'],
  ['root where root is not allowed', '', { runAsNonRoot: true }, {}, 'image will run as root'],
  [
    'runAsUser 0 where root is not allowed',
    '',
    { runAsUser: 0 },
    { runAsNonRoot: true },
    'runAsUser breaks non-root policy',
  ],
  ['a name where root is not allowed', 'qemu', { runAsNonRoot: true }, {}, 'non-numeric user (qemu)'],
])('%s is rejected', (_, imageUser, own, pod, problem) => expect(() => user(imageUser, own, pod)).toThrow(problem));

test.each(['passwd', 'group'])('a FIFO for /etc/%s is rejected at once with a remedy', (name) => {
  rmSync(join(root, 'etc', name));
  execFileSync('mkfifo', [join(root, 'etc', name)]);
  expect(() => user('107')).toThrow(
    `image: /etc/${name} is a FIFO, not a regular file (allowed: a regular file of at most 1048576 bytes); build the image again`,
  );
});

test('an /etc/passwd beyond its limit is rejected, one at the limit is read', () => {
  writeFileSync(join(root, 'etc/passwd'), PASSWD.padEnd(MAX_ACCOUNT_BYTES, '\n'));
  expect(user('qemu').uid).toBe(107);
  writeFileSync(join(root, 'etc/passwd'), PASSWD.padEnd(MAX_ACCOUNT_BYTES + 1, '\n'));
  expect(() => user('qemu')).toThrow('/etc/passwd has more than 1048576 bytes');
});

test('an image without accounts runs by number', () => {
  rmSync(join(root, 'etc'), { recursive: true });
  expect(user('107:5')).toEqual({ uid: 107, gid: 5, additionalGids: [5], home: undefined });
});
