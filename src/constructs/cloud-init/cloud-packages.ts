import { mistakeInCode } from '../validation';

/**
 * Package of a specific version. To install any version, write the name as a string. Names with spaces or `=` are
 * rejected.
 */
export class CloudPackage {
  /**
   * Selects a version of a package, to be installed by the guest's package manager: `CloudPackage.of('nginx',
   * '1.26.3-1')`.
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
      mistakeInCode(
        'CloudPackage.of',
        'name',
        'is not a package name',
        'write only the name, without spaces, version or =',
        'cloud-package-name',
      );
    }
    return new CloudPackage(name, version);
  }

  private constructor(
    /** Name of the package. */
    public readonly name: string,
    /** Version as the package manager writes it. */
    public readonly version: string,
  ) {}
}

/** Repository for apt. */
export interface CloudAptSource {
  /**
   * Line of sources.list, or a PPA: `deb [signed-by=$KEY_FILE] https://packages.example/debian trixie main`. cloud-init
   * replaces `$RELEASE`, `$MIRROR` and `$KEY_FILE`.
   */
  readonly source: string;
  /**
   * Public key that signs the repository, in ASCII armour.
   * @default - the key of `keyId`, if set
   */
  readonly key?: string;
  /**
   * Fingerprint of the public key, which the guest fetches from a key server.
   * @default - none
   */
  readonly keyId?: string;
  /**
   * Key server for `keyId`.
   * @default - keyserver.ubuntu.com
   */
  readonly keyServer?: string;
}

/** Repository for yum and dnf. */
export interface CloudYumRepository {
  /** URL of the packages. */
  readonly baseUrl: string;
  /**
   * Display name.
   * @default - the key in `yumRepositories`
   */
  readonly name?: string;
  /**
   * Whether the repository is used.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * URL of the public key that signs the packages. With it, signatures are checked.
   * @default - signatures are not checked
   */
  readonly gpgKey?: string;
}
