import { Choice } from '../choice';

/** How a disk is wired to the guest. */
export class DiskBus extends Choice {
  /** Fast; needs a virtio driver in the guest, which Linux has. */
  public static readonly VIRTIO = DiskBus.of('virtio');
  /** Can be plugged while the guest runs. */
  public static readonly SCSI = DiskBus.of('scsi');
  /** Works in every guest. */
  public static readonly SATA = DiskBus.of('sata');
  /** A USB stick. */
  public static readonly USB = DiskBus.of('usb');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DiskBus {
    return new DiskBus(value);
  }
}

/** How the host caches a disk. */
export class DiskCache extends Choice {
  /** Not at all: what a guest was told is written, is. */
  public static readonly NONE = DiskCache.of('none');
  /** Reads only. */
  public static readonly WRITE_THROUGH = DiskCache.of('writethrough');
  /** Reads and writes: fast, but a crash of the node loses what the guest did not flush. */
  public static readonly WRITE_BACK = DiskCache.of('writeback');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DiskCache {
    return new DiskCache(value);
  }
}

/** How the host reads and writes a disk. */
export class DiskIo extends Choice {
  /** By the kernel's asynchronous I/O: for block devices and files with all their space set aside. */
  public static readonly NATIVE = DiskIo.of('native');
  /** By threads: for sparse files. */
  public static readonly THREADS = DiskIo.of('threads');
  /** As QEMU does when nobody says. */
  public static readonly DEFAULT = DiskIo.of('default');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DiskIo {
    return new DiskIo(value);
  }
}

/** What an error of the storage does to the guest. */
export class DiskErrorPolicy extends Choice {
  /** The guest is paused until the storage works again. */
  public static readonly STOP = DiskErrorPolicy.of('stop');
  /** The guest goes on, and is not told. */
  public static readonly IGNORE = DiskErrorPolicy.of('ignore');
  /** The guest is told. */
  public static readonly REPORT = DiskErrorPolicy.of('report');
  /** The guest is paused when space ran out, else told. */
  public static readonly ENOSPACE = DiskErrorPolicy.of('enospace');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DiskErrorPolicy {
    return new DiskErrorPolicy(value);
  }
}

/** The tray of a CD drive. */
export class CdromTray extends Choice {
  /** Open. */
  public static readonly OPEN = CdromTray.of('open');
  /** Closed. */
  public static readonly CLOSED = CdromTray.of('closed');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CdromTray {
    return new CdromTray(value);
  }
}

/** When an image is pulled. */
export class PullPolicy extends Choice {
  /** At each start. */
  public static readonly ALWAYS = PullPolicy.of('Always');
  /** When the node does not have it. */
  public static readonly IF_NOT_PRESENT = PullPolicy.of('IfNotPresent');
  /** Never: the node must have it. */
  public static readonly NEVER = PullPolicy.of('Never');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): PullPolicy {
    return new PullPolicy(value);
  }
}
