import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runtimeDefaultSeccomp } from '../../host/seccomp';

/** Profile of launchers, by the name that the KubeVirt configuration uses: `localhostProfile: kubevirt/kubevirt.json`. */
export const LAUNCHER_PROFILE = 'kubevirt/kubevirt.json';

/** Only root reads profiles: container runtimes do. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** System calls that launchers need and the default of container runtimes forbids: QEMU's, for post-copy migrations. */
const NEEDED = ['userfaultfd'];

export const launcherProfile = (): string => JSON.stringify(runtimeDefaultSeccomp([], NEEDED));

/** Writes the profile where the kubelet looks for profiles. Launchers that start meanwhile find a complete file. */
export function installLauncherProfile(kubeletDir: string): void {
  const path = join(kubeletDir, 'seccomp', LAUNCHER_PROFILE);
  const profile = launcherProfile();
  if (contentOf(path) === profile) {
    chmodSync(path, FILE_MODE);
    return;
  }
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  writeFileSync(`${path}.new`, profile, { mode: FILE_MODE, flush: true });
  renameSync(`${path}.new`, path);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
