import { errorText } from '../../../api/error-text';
import { runtimeDefaultSeccomp } from '../../../runtime/host/seccomp';
import { readInRoot } from '../../host/untrusted';
import type { SeccompProfile } from '../../core-v1';

const MAX_PROFILE_BYTES = 1 << 20;

/**
 * Seccomp filter of a container, or undefined for none. Profiles of type Localhost are files below `directory`, in the
 * format of OCI; a container whose profile cannot be read must not start without it.
 */
export function seccompOf(
  profile: SeccompProfile | undefined,
  capabilities: readonly string[],
  directory: string,
): object | undefined {
  if (profile?.type === 'RuntimeDefault') return runtimeDefaultSeccomp(capabilities);
  if (profile?.type !== 'Localhost') return undefined;
  const { localhostProfile = '' } = profile;
  try {
    return JSON.parse(readInRoot(directory, localhostProfile, MAX_PROFILE_BYTES).toString('utf8')) as object;
  } catch (error) {
    const why = errorText(error);
    throw new Error(`cannot load seccomp profile "${directory}/${localhostProfile}": ${why}`);
  }
}
