import type { LaunchSecurity as LaunchSecuritySpec } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';

/** Options of AMD SEV. */
export interface SevOptions {
  /**
   * Whether CPU registers are encrypted as well (SEV-ES).
   * @default false
   */
  readonly encryptedState?: boolean;
  /**
   * Whether the guest waits at its start until its owner has verified its measurement.
   * @default false
   */
  readonly attestation?: boolean;
  /**
   * Diffie-Hellman key of the guest's owner, in base64.
   * @default - supplied when the owner verifies the measurement
   */
  readonly dhCert?: string;
  /**
   * Session data of the guest's owner, in base64.
   * @default - supplied when the owner verifies the measurement
   */
  readonly session?: string;
}

/** Encryption of a guest's memory that protects it from the host. */
export class LaunchSecurity {
  /**
   * Encrypts the memory with AMD SEV.
   *
   * @param options policy, attestation and session
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   firmware: Firmware.efi({ secureBoot: false }),
   *   launchSecurity: LaunchSecurity.sev({ encryptedState: true }),
   * });
   */
  public static sev(options: SevOptions = {}): LaunchSecurity {
    const { encryptedState, attestation, dhCert, session } = options;
    return new LaunchSecurity({
      sev: defined({
        policy: encryptedState === undefined ? undefined : { encryptedState },
        attestation: attestation ? {} : undefined,
        dhCert,
        session,
      }),
    });
  }

  /**
   * Encrypts the memory with AMD SEV-SNP.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   firmware: Firmware.efi({ secureBoot: false }),
   *   launchSecurity: LaunchSecurity.snp(),
   * });
   */
  public static snp(): LaunchSecurity {
    return new LaunchSecurity({ snp: {} });
  }

  /**
   * Encrypts the memory with Intel TDX.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   firmware: Firmware.efi({ secureBoot: false }),
   *   launchSecurity: LaunchSecurity.tdx(),
   * });
   */
  public static tdx(): LaunchSecurity {
    return new LaunchSecurity({ tdx: {} });
  }

  /**
   * Encrypts the memory with IBM Secure Execution, on s390x.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   architecture: Architecture.S390X,
   *   launchSecurity: LaunchSecurity.secureExecution(),
   * });
   */
  public static secureExecution(): LaunchSecurity {
    return new LaunchSecurity({});
  }

  private constructor(private readonly spec: LaunchSecuritySpec) {}

  /** @internal */
  public _render(): LaunchSecuritySpec {
    return this.spec;
  }
}
