import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { kindOf } from '../../host/files';
import { OpenedPath, UnsafePathError } from './safe-path';

/** emptyDir volumes of launcher Pods, in the kubelet's directory layout. */
export class PodVolumes {
  public readonly podsDir: string;

  public constructor(kubeletDir: string) {
    this.podsDir = join(kubeletDir, 'pods');
  }

  /** Opens the root of a volume: created by the kubelet, writable by the Pod. */
  public open(podUid: string, volume: string): OpenedPath {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(podUid)) throw new UnsafePathError(podUid, 'is not the uid of a Pod');
    const root = OpenedPath.trusted(join(this.podsDir, podUid, 'volumes', 'kubernetes.io~empty-dir'));
    try {
      return root.step(volume, true);
    } finally {
      root.close();
    }
  }

  /**
   * Connects to a unix socket in a volume. A descriptor holds the inode while the kernel connects to it: a link to a socket of
   * the host (for example the container runtime's) is rejected, and a link that is created later is not followed.
   */
  public connect(podUid: string, volume: string, parts: readonly string[]): Socket {
    using opened = this.openSocket(podUid, volume, parts);
    return connect(opened.path); // connects before it returns
  }

  /** Throws unless the socket exists. */
  public check(podUid: string, volume: string, parts: readonly string[]): void {
    this.openSocket(podUid, volume, parts).close();
  }

  private openSocket(podUid: string, volume: string, parts: readonly string[]): OpenedPath {
    using root = this.open(podUid, volume);
    const opened = root.walk(parts);
    const stats = opened.stat();
    if (stats.isSocket()) return opened;
    opened.close();
    throw new UnsafePathError(opened.name, `is ${kindOf(stats)}, not a socket`);
  }

  /** Whether the socket exists now. */
  public hasSocket(podUid: string, volume: string, name: string): boolean {
    try {
      using root = this.open(podUid, volume);
      using opened = root.step(name);
      return opened.stat().isSocket();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }
}

/** Volumes and paths that the handler uses in a launcher Pod. */
export const launcherPaths = {
  cmd: { volume: 'sockets', parts: ['launcher-sock'] },
  portForward: { volume: 'sockets', parts: ['portforward-sock'] },
  notify: { volume: 'public', parts: ['domain-notify-pipe.sock'] },
  serial: (vmiUid: string) => ({ volume: 'private', parts: [vmiUid, 'virt-serial0'] }),
  vnc: (vmiUid: string) => ({ volume: 'private', parts: [vmiUid, 'virt-vnc'] }),
  containerDisks: 'container-disks',
  hotplugDisks: 'hotplug-disks',
  /** A file in a file system of the directory above, as the launcher sees it. */
  hotplugFile: (volume: string, name: string) => `/var/run/kubevirt/hotplug-disks/${volume}/${name}`,
} as const;
