import { Choice } from '../choice';

/** Bus of a disk. */
export class DiskBus extends Choice {
  /** Virtio: fast; needs a virtio driver in the guest, which Linux has. */
  public static readonly VIRTIO = DiskBus.of('virtio');
  /** SCSI: disks can be plugged in while the guest runs. */
  public static readonly SCSI = DiskBus.of('scsi');
  /** SATA, supported by every guest. */
  public static readonly SATA = DiskBus.of('sata');
  /** USB stick. */
  public static readonly USB = DiskBus.of('usb');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): DiskBus {
    return new DiskBus(value);
  }
}

/** Cache mode of a disk on the host. */
export class DiskCache extends Choice {
  /** No host cache: data that was reported as written is on the storage. */
  public static readonly NONE = DiskCache.of('none');
  /** Caches reads only. */
  public static readonly WRITE_THROUGH = DiskCache.of('writethrough');
  /** Caches reads and writes: fast, but a crash of the node loses data that the guest did not flush. */
  public static readonly WRITE_BACK = DiskCache.of('writeback');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): DiskCache {
    return new DiskCache(value);
  }
}

/** I/O mode of a disk on the host. */
export class DiskIo extends Choice {
  /** Asynchronous I/O of the kernel, for block devices and preallocated files. */
  public static readonly NATIVE = DiskIo.of('native');
  /** Thread pool, for sparse files. */
  public static readonly THREADS = DiskIo.of('threads');
  /** Default of QEMU. */
  public static readonly DEFAULT = DiskIo.of('default');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): DiskIo {
    return new DiskIo(value);
  }
}

/** Reaction to an I/O error of the storage. */
export class DiskErrorPolicy extends Choice {
  /** Pauses the guest until the storage works again. */
  public static readonly STOP = DiskErrorPolicy.of('stop');
  /** Ignores the error. The guest continues without notice. */
  public static readonly IGNORE = DiskErrorPolicy.of('ignore');
  /** Reports the error to the guest. */
  public static readonly REPORT = DiskErrorPolicy.of('report');
  /** Pauses the guest if the storage is full, and reports other errors to the guest. */
  public static readonly ENOSPACE = DiskErrorPolicy.of('enospace');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): DiskErrorPolicy {
    return new DiskErrorPolicy(value);
  }
}

/** State of the tray of a CD drive. */
export class CdromTray extends Choice {
  /** Open. */
  public static readonly OPEN = CdromTray.of('open');
  /** Closed. */
  public static readonly CLOSED = CdromTray.of('closed');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): CdromTray {
    return new CdromTray(value);
  }
}

/** Policy for pulling an image. */
export class PullPolicy extends Choice {
  /** At each start. */
  public static readonly ALWAYS = PullPolicy.of('Always');
  /** Only if the node does not have the image. */
  public static readonly IF_NOT_PRESENT = PullPolicy.of('IfNotPresent');
  /** Never. The node must have the image. */
  public static readonly NEVER = PullPolicy.of('Never');

  /**
   * Uses a value of Kubernetes that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): PullPolicy {
    return new PullPolicy(value);
  }
}
