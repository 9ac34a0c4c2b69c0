import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { kindOf } from '../../host/files';
import { Place, UnsafePathError } from './safe-path';

/** The emptyDir volumes of launcher Pods, as the kubelet lays them out. */
export class PodVolumes {
  public readonly podsDir: string;

  public constructor(kubeletDir: string) {
    this.podsDir = join(kubeletDir, 'pods');
  }

  /** The root of a volume: made by the kubelet, writable by the Pod. */
  public open(podUid: string, volume: string): Place {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(podUid)) throw new UnsafePathError(podUid, 'is not the uid of a Pod');
    const root = Place.trusted(join(this.podsDir, podUid, 'volumes', 'kubernetes.io~empty-dir'));
    try {
      return root.step(volume, true);
    } finally {
      root.close();
    }
  }

  /**
   * Connects to a unix socket in a volume: the inode is held by a descriptor while the kernel connects to it, so a link
   * to a socket of the host (the container runtime's, say) is refused and one swapped in later is not looked at.
   */
  public connect(podUid: string, volume: string, parts: readonly string[]): Socket {
    using place = this.openSocket(podUid, volume, parts);
    return connect(place.path); // connects before it returns
  }

  /** Throws unless a socket is there. */
  public check(podUid: string, volume: string, parts: readonly string[]): void {
    this.openSocket(podUid, volume, parts).close();
  }

  private openSocket(podUid: string, volume: string, parts: readonly string[]): Place {
    using root = this.open(podUid, volume);
    const place = root.walk(parts);
    const stats = place.stat();
    if (stats.isSocket()) return place;
    place.close();
    throw new UnsafePathError(place.name, `is ${kindOf(stats)}, not a socket`);
  }

  /** Whether a socket is there now. */
  public hasSocket(podUid: string, volume: string, name: string): boolean {
    try {
      using root = this.open(podUid, volume);
      using place = root.step(name);
      return place.stat().isSocket();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }
}

/** Volume and path of what the handler reaches in a launcher Pod. */
export const launcherPaths = {
  cmd: { volume: 'sockets', parts: ['launcher-sock'] },
  portForward: { volume: 'sockets', parts: ['portforward-sock'] },
  notify: { volume: 'public', parts: ['domain-notify-pipe.sock'] },
  serial: (vmiUid: string) => ({ volume: 'private', parts: [vmiUid, 'virt-serial0'] }),
  vnc: (vmiUid: string) => ({ volume: 'private', parts: [vmiUid, 'virt-vnc'] }),
  containerDisks: 'container-disks',
} as const;
