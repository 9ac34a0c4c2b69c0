import type { LaunchSecurity as LaunchSecuritySpec } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';

/** How AMD SEV encrypts a guest's memory. */
export interface SevOptions {
  /**
   * Also registers are encrypted (SEV-ES).
   * @default false
   */
  readonly encryptedState?: boolean;
  /**
   * The guest waits at its start until its owner approves of its measurement.
   * @default false
   */
  readonly attestation?: boolean;
  /**
   * Diffie-Hellman key of the owner, in base64.
   * @default - given when the owner approves
   */
  readonly dhCert?: string;
  /**
   * Session of the owner, in base64.
   * @default - given when the owner approves
   */
  readonly session?: string;
}

/** Encryption of a guest's memory, against the host that it runs on. */
export class LaunchSecurity {
  /**
   * AMD SEV.
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
   * AMD SEV-SNP.
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
   * Intel TDX.
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
   * IBM Secure Execution, on s390x.
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
