import { mistakeInCode } from '../validation';

/** A package of a certain version. A name alone needs no such object. A name with spaces or `=` is refused. */
export class CloudPackage {
  /**
   * By the guest's own package manager: `CloudPackage.of('nginx', '1.26.3-1')`.
   *
   * @param name name of the package
   * @param version version as the package manager writes it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({ packages: ['git', CloudPackage.of('nginx', '1.26.3-1')] }),
   * });
   */
  public static of(name: string, version: string): CloudPackage {
    if (!/^[^\s=]+$/.test(String(name))) {
      mistakeInCode('CloudPackage.of', 'name', 'is no package name', 'write the name alone', 'cloud-package-name');
    }
    return new CloudPackage(name, version);
  }

  private constructor(
    /** Its name. */
    public readonly name: string,
    /** As the package manager writes it. */
    public readonly version: string,
  ) {}
}

/** A repository that apt installs from. */
export interface CloudAptSource {
  /**
   * Line of sources.list, or a PPA: `deb [signed-by=$KEY_FILE] https://packages.example/debian trixie main`.
   * `$RELEASE`, `$MIRROR` and `$KEY_FILE` are filled in by cloud-init.
   */
  readonly source: string;
  /**
   * The public key that signs it, in ASCII armour.
   * @default - none, or the one of `keyId`
   */
  readonly key?: string;
  /**
   * Fingerprint of that key, to be fetched from a key server.
   * @default - none
   */
  readonly keyId?: string;
  /**
   * Where to fetch the key.
   * @default - keyserver.ubuntu.com
   */
  readonly keyServer?: string;
}

/** A repository that yum and dnf install from. */
export interface CloudYumRepository {
  /** Where its packages are. */
  readonly baseUrl: string;
  /**
   * Name for people.
   * @default - its key
   */
  readonly name?: string;
  /**
   * Whether it is used.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * URL of the public key that signs its packages, which are then checked.
   * @default - packages are not checked
   */
  readonly gpgKey?: string;
}
