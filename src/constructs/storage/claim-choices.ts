import { Choice } from '../choice';

/** How many nodes may mount a claim. */
export class AccessMode extends Choice {
  /** One node. A guest on such a disk does not migrate. */
  public static readonly READ_WRITE_ONCE = AccessMode.of('ReadWriteOnce');
  /** Many, for reading. */
  public static readonly READ_ONLY_MANY = AccessMode.of('ReadOnlyMany');
  /** Many: what live migration needs. */
  public static readonly READ_WRITE_MANY = AccessMode.of('ReadWriteMany');
  /** One Pod. */
  public static readonly READ_WRITE_ONCE_POD = AccessMode.of('ReadWriteOncePod');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): AccessMode {
    return new AccessMode(value);
  }
}

/** What a claim holds. */
export class VolumeMode extends Choice {
  /** The disk itself, as a block device: faster, and no space is lost. */
  public static readonly BLOCK = VolumeMode.of('Block');
  /** A file system with the disk as a file. */
  public static readonly FILESYSTEM = VolumeMode.of('Filesystem');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VolumeMode {
    return new VolumeMode(value);
  }
}

/** What is imported. */
export class DiskContent extends Choice {
  /** A disk image. */
  public static readonly DISK = DiskContent.of('kubevirt');
  /** A tar archive, whose files are unpacked into the claim. */
  public static readonly ARCHIVE = DiskContent.of('archive');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DiskContent {
    return new DiskContent(value);
  }
}

/** Who pulls an image that is imported. */
export class PullMethod extends Choice {
  /** The importing Pod. */
  public static readonly POD = PullMethod.of('pod');
  /** The node's container runtime, with its cache and its credentials. */
  public static readonly NODE = PullMethod.of('node');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): PullMethod {
    return new PullMethod(value);
  }
}

/** How claims are cloned. */
export class CloneStrategy extends Choice {
  /** By copying over the network: works everywhere. */
  public static readonly COPY = CloneStrategy.of('copy');
  /** By a snapshot, from which the new claim is made. */
  public static readonly SNAPSHOT = CloneStrategy.of('snapshot');
  /** By the storage itself. */
  public static readonly CSI_CLONE = CloneStrategy.of('csi-clone');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloneStrategy {
    return new CloneStrategy(value);
  }
}

/** What a DataImportCron keeps images as. */
export class ImportFormat extends Choice {
  /** As claims. */
  public static readonly PVC = ImportFormat.of('pvc');
  /** As VolumeSnapshots: quicker to start from where the storage clones snapshots well. */
  public static readonly SNAPSHOT = ImportFormat.of('snapshot');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): ImportFormat {
    return new ImportFormat(value);
  }
}

/** Whether imports that are no longer needed are deleted. */
export class GarbageCollection extends Choice {
  /** Those beyond `importsToKeep`. */
  public static readonly OUTDATED = GarbageCollection.of('Outdated');
  /** None. */
  public static readonly NEVER = GarbageCollection.of('Never');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): GarbageCollection {
    return new GarbageCollection(value);
  }
}

/** What becomes of DataSource and imports when their DataImportCron goes. */
export class RetentionPolicy extends Choice {
  /** They stay. */
  public static readonly ALL = RetentionPolicy.of('All');
  /** They go, too. */
  public static readonly NONE = RetentionPolicy.of('None');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): RetentionPolicy {
    return new RetentionPolicy(value);
  }
}
