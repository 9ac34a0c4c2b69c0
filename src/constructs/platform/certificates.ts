import { Duration } from 'cdk8s';
import { mistakeInCode } from '../validation';
import { secondsOf } from '../duration';

/** Lifetimes of what cert-manager issues. */
export interface CertManagerOptions {
  /**
   * How long certificates of servers and clients are valid.
   * @default Duration.days(365)
   */
  readonly duration?: Duration;
  /**
   * How long before their end they are made anew.
   * @default Duration.days(30)
   */
  readonly renewBefore?: Duration;
}

/**
 * Who makes the keys and certificates of the platform's components. No key is in any manifest. Certificates that are to be
 * renewed before they are made are refused.
 */
export class PlatformCertificates {
  /**
   * The platform itself: virt-operator makes an authority and what it signs, keeps them in Secrets of the platform's
   * namespace, renews them, and tells the API server. Nothing else has to be there.
   *
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
   *   certificates: PlatformCertificates.selfManaged(),
   * });
   */
  public static selfManaged(): PlatformCertificates {
    return new PlatformCertificates(undefined);
  }

  /**
   * cert-manager (`cert-manager.io/v1`), which must run in the cluster: the manifests have an authority of the
   * platform's own and the certificates that it signs. No other issuer is taken: whoever it signs for could pose as
   * virt-api towards the nodes.
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
      const remedy = 'shorten it, or lengthen the duration';
      mistakeInCode('PlatformCertificates.certManager', 'renewBefore', message, remedy, 'certificate-duration');
    }
    return new PlatformCertificates({ duration, renewBefore });
  }

  private constructor(private readonly options: { duration: Duration; renewBefore: Duration } | undefined) {}

  /** cert-manager is needed. */
  public get needsCertManager(): boolean {
    return this.options !== undefined;
  }

  /** @internal */
  public _certManager(): { duration: Duration; renewBefore: Duration } | undefined {
    return this.options;
  }
}
