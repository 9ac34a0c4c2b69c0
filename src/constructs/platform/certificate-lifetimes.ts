import type { Duration } from 'cdk8s';
import type { CertConfig, KubeVirtCertificateRotateStrategy } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import { secondsOf } from '../duration';
import { durationText } from '../protection/text';
import { mistakeInCode } from '../validation';

/** Lifetime of a certificate. */
export interface CertificateLifetime {
  /**
   * Validity, at least a minute.
   * @default - 7 days for the authority, 24 hours for the certificates that it signs
   */
  readonly duration?: Duration;
  /**
   * Time before expiry at which the certificate is renewed.
   * @default - a fifth of the validity
   */
  readonly renewBefore?: Duration;
}

/** Lifetimes of the certificates that virt-operator issues. */
export interface CertificateLifetimes {
  /**
   * Authority of the platform. Before a new authority signs, all programs trust it for five minutes, or for half of
   * `renewBefore` if that is shorter.
   * @default - 7 days, renewed when a fifth is left
   */
  readonly authority?: CertificateLifetime;
  /**
   * Certificates of servers and clients, which must not be valid for longer than the authority.
   * @default - 24 hours, renewed when a fifth is left
   */
  readonly leaf?: CertificateLifetime;
}

const LEAST_SECONDS = 60;

/** Renders the lifetimes as the KubeVirt object has them. */
export function renderLifetimes(
  lifetimes: CertificateLifetimes | undefined,
): KubeVirtCertificateRotateStrategy | undefined {
  if (!lifetimes) return undefined;
  const ca = lifetime('authority', lifetimes.authority);
  const server = lifetime('leaf', lifetimes.leaf);
  return ca || server ? { selfSigned: defined({ ca, server }) } : undefined;
}

function lifetime(name: string, given: CertificateLifetime | undefined): CertConfig | undefined {
  const duration = textOf(`certificates.${name}.duration`, given?.duration, LEAST_SECONDS);
  const renewBefore = textOf(`certificates.${name}.renewBefore`, given?.renewBefore, 1);
  return duration === undefined && renewBefore === undefined ? undefined : defined({ duration, renewBefore });
}

function textOf(property: string, time: Duration | undefined, least: number): string | undefined {
  if (!time) return undefined;
  if (secondsOf(property, time) < least) {
    const remedy = `use Duration.seconds(${least}) or more`;
    mistakeInCode('', property, `${time.toHumanString()} is too short`, remedy, 'certificate-duration');
  }
  return durationText(time);
}
