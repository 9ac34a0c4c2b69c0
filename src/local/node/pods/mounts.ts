import type { VolumeMount, VolumeMountStatus } from '../../core-v1';

/** Whether mounts below a read-only volume are read-only as well. The runtime supports that. */
const isRecursive = ({ recursiveReadOnly = 'Disabled' }: VolumeMount): boolean => recursiveReadOnly !== 'Disabled';

/** Mount option of a volume. `rro` includes the mounts below it. */
export const accessOf = (mount: VolumeMount, readOnly: boolean): 'ro' | 'rro' | 'rw' =>
  readOnly ? (isRecursive(mount) ? 'rro' : 'ro') : 'rw';

/** Status of a volume mount: the effective read-only mode. */
export const mountStatus = (mount: VolumeMount): VolumeMountStatus => ({
  name: mount.name,
  mountPath: mount.mountPath,
  ...(mount.readOnly ? { readOnly: true, recursiveReadOnly: isRecursive(mount) ? 'Enabled' : 'Disabled' } : {}),
});
