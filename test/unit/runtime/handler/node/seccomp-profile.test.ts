import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  installLauncherProfile,
  LAUNCHER_PROFILE,
  launcherProfile,
} from '../../../../../src/runtime/handler/node/seccomp-profile';
import { seccompOf } from '../../../../../src/local/node/runtime/seccomp';
import { runtimeDefaultSeccomp } from '../../../../../src/runtime/host/seccomp';

interface Profile {
  defaultAction: string;
  syscalls: { names: string[]; action: string; args?: object[] }[];
}

let kubelet: string;
beforeEach(() => (kubelet = mkdtempSync(join(tmpdir(), 'virt8s-kubelet-'))));
afterEach(() => rmSync(kubelet, { recursive: true }));

const folder = (): string => join(kubelet, 'seccomp');
const mode = (path: string): number => statSync(join(folder(), path)).mode & 0o777;

test('launchers may do what post-copy needs, and nothing else that containers may not', () => {
  const forbidden = ({ syscalls }: Profile): string[] =>
    syscalls.flatMap(({ names, action, args }) => (action === 'SCMP_ACT_ERRNO' && !args ? names : []));
  const own = forbidden(JSON.parse(launcherProfile()) as Profile);
  const usual = forbidden(runtimeDefaultSeccomp([]) as Profile);
  expect(usual.filter((name) => !own.includes(name))).toEqual(['userfaultfd']);
  expect(own).toEqual(expect.arrayContaining(['bpf', 'mount', 'kexec_load', 'add_key', 'io_uring_setup']));
});

test('the kubelet finds the profile by its name, and only root reads it', () => {
  installLauncherProfile(kubelet);
  const found = seccompOf({ type: 'Localhost', localhostProfile: LAUNCHER_PROFILE }, [], folder());
  expect(found).toEqual(JSON.parse(launcherProfile()));
  expect([mode('kubevirt'), mode(LAUNCHER_PROFILE)]).toEqual([0o700, 0o600]);
});

test('a profile of another version is replaced, and one that others may read is protected', () => {
  installLauncherProfile(kubelet);
  writeFileSync(join(folder(), LAUNCHER_PROFILE), '{}');
  installLauncherProfile(kubelet);
  expect(readFileSync(join(folder(), LAUNCHER_PROFILE), 'utf8')).toBe(launcherProfile());
  chmodSync(join(folder(), LAUNCHER_PROFILE), 0o644);
  const { ino } = statSync(join(folder(), LAUNCHER_PROFILE));
  installLauncherProfile(kubelet);
  expect([mode(LAUNCHER_PROFILE), statSync(join(folder(), LAUNCHER_PROFILE)).ino]).toEqual([0o600, ino]);
  expect(readdirSync(join(folder(), 'kubevirt'))).toEqual(['kubevirt.json']);
});
