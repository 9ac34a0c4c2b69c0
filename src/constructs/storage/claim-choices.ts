import { Choice } from '../choice';

/** Access mode: the number of nodes that can mount a claim. */
export class AccessMode extends Choice {
  /** Read and write on one node. A guest with such a disk cannot migrate. */
  public static readonly READ_WRITE_ONCE = AccessMode.of('ReadWriteOnce');
  /** Read only, on many nodes. */
  public static readonly READ_ONLY_MANY = AccessMode.of('ReadOnlyMany');
  /** Read and write on many nodes. Live migration requires this mode. */
  public static readonly READ_WRITE_MANY = AccessMode.of('ReadWriteMany');
  /** Read and write in one Pod. */
  public static readonly READ_WRITE_ONCE_POD = AccessMode.of('ReadWriteOncePod');

  /**
   * Uses a value of Kubernetes that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): AccessMode {
    return new AccessMode(value);
  }
}

/** Volume mode of a claim. */
export class VolumeMode extends Choice {
  /** Block device that is the disk itself: faster, and without the overhead of a file system. */
  public static readonly BLOCK = VolumeMode.of('Block');
  /** File system that contains the disk as a file. */
  public static readonly FILESYSTEM = VolumeMode.of('Filesystem');

  /**
   * Uses a value of Kubernetes that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): VolumeMode {
    return new VolumeMode(value);
  }
}

/** Type of imported content. */
export class DiskContent extends Choice {
  /** Disk image. */
  public static readonly DISK = DiskContent.of('kubevirt');
  /** Tar archive whose files are unpacked into the claim. */
  public static readonly ARCHIVE = DiskContent.of('archive');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): DiskContent {
    return new DiskContent(value);
  }
}

/** Component that pulls an image to import. */
export class PullMethod extends Choice {
  /** Importer Pod. */
  public static readonly POD = PullMethod.of('pod');
  /** Container runtime of the node, with its cache and credentials. */
  public static readonly NODE = PullMethod.of('node');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): PullMethod {
    return new PullMethod(value);
  }
}

/** Method for cloning claims. */
export class CloneStrategy extends Choice {
  /** Copies the data over the network. Works with every storage. */
  public static readonly COPY = CloneStrategy.of('copy');
  /** Takes a snapshot and creates the new claim from it. */
  public static readonly SNAPSHOT = CloneStrategy.of('snapshot');
  /** Lets the storage clone the volume (CSI volume cloning). */
  public static readonly CSI_CLONE = CloneStrategy.of('csi-clone');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): CloneStrategy {
    return new CloneStrategy(value);
  }
}

/** Format in which a DataImportCron stores images. */
export class ImportFormat extends Choice {
  /** PersistentVolumeClaims. */
  public static readonly PVC = ImportFormat.of('pvc');
  /** VolumeSnapshots. Disks are created from them faster if the storage clones snapshots efficiently. */
  public static readonly SNAPSHOT = ImportFormat.of('snapshot');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): ImportFormat {
    return new ImportFormat(value);
  }
}

/** Policy for deleting old imports. */
export class GarbageCollection extends Choice {
  /** Deletes imports beyond `importsToKeep`. */
  public static readonly OUTDATED = GarbageCollection.of('Outdated');
  /** Deletes no imports. */
  public static readonly NEVER = GarbageCollection.of('Never');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): GarbageCollection {
    return new GarbageCollection(value);
  }
}

/** Policy for the DataSource and the imports when their DataImportCron is deleted. */
export class RetentionPolicy extends Choice {
  /** Keeps them. */
  public static readonly ALL = RetentionPolicy.of('All');
  /** Deletes them. */
  public static readonly NONE = RetentionPolicy.of('None');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): RetentionPolicy {
    return new RetentionPolicy(value);
  }
}
