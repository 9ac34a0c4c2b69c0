import { Duration } from 'cdk8s';
import type { CertificateLifetimes } from './certificate-lifetimes';
import { mistakeInCode } from '../validation';
import { secondsOf } from '../duration';

/** Lifetimes of certificates that cert-manager issues. */
export interface CertManagerOptions {
  /**
   * Validity of server and client certificates.
   * @default Duration.days(365)
   */
  readonly duration?: Duration;
  /**
   * Time before expiry at which certificates are renewed.
   * @default Duration.days(30)
   */
  readonly renewBefore?: Duration;
}

/**
 * Issuer of the keys and certificates of the platform's components. No manifest contains a key. A `renewBefore` that is
 * not shorter than `duration` is rejected.
 */
export class PlatformCertificates {
  /**
   * Lets the platform manage its certificates: virt-operator creates a certificate authority, signs certificates,
   * stores them in Secrets of the platform's namespace, renews them, and configures the authority in the API server. It
   * has no other requirements. Synth validates the lifetimes.
   *
   * @param lifetimes lifetimes of the authority and of the certificates that it signs
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
   *   certificates: PlatformCertificates.selfManaged({ leaf: { duration: Duration.hours(48) } }),
   * });
   */
  public static selfManaged(lifetimes: CertificateLifetimes = {}): PlatformCertificates {
    return new PlatformCertificates(undefined, lifetimes);
  }

  /**
   * Uses cert-manager (`cert-manager.io/v1`), which must run in the cluster. The manifests contain an issuer for the
   * platform and its certificates. Other issuers are not supported: anyone with a certificate from the same issuer
   * could impersonate virt-api towards the nodes.
   *
   * @param options lifetimes of the certificates
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
   *   certificates: PlatformCertificates.certManager({ duration: Duration.days(90) }),
   * });
   */
  public static certManager(options: CertManagerOptions = {}): PlatformCertificates {
    const duration = options.duration ?? Duration.days(365);
    const renewBefore = options.renewBefore ?? Duration.days(30);
    if (secondsOf('renewBefore', renewBefore) >= secondsOf('duration', duration)) {
      const message = `${renewBefore.toHumanString()} is not shorter than the duration, ${duration.toHumanString()}`;
      const remedy = 'shorten renewBefore or lengthen duration';
      mistakeInCode('PlatformCertificates.certManager', 'renewBefore', message, remedy, 'certificate-duration');
    }
    return new PlatformCertificates({ duration, renewBefore });
  }

  private constructor(
    private readonly options: { duration: Duration; renewBefore: Duration } | undefined,
    private readonly lifetimes: CertificateLifetimes | undefined = undefined,
  ) {}

  /** Whether cert-manager is required. */
  public get needsCertManager(): boolean {
    return this.options !== undefined;
  }

  /** @internal */
  public _selfManaged(): CertificateLifetimes | undefined {
    return this.lifetimes;
  }

  /** @internal */
  public _certManager(): { duration: Duration; renewBefore: Duration } | undefined {
    return this.options;
  }
}
