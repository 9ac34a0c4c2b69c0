import type { Duration } from 'cdk8s';
import type { Probe } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';
import { secondsOf } from '../duration';

/** Timing and thresholds of a probe. */
export interface VmProbeOptions {
  /**
   * Time between the start of the guest and the first attempt.
   * @default - none
   */
  readonly initialDelay?: Duration;
  /**
   * Time between attempts.
   * @default Duration.seconds(10)
   */
  readonly period?: Duration;
  /**
   * Time limit for a response.
   * @default Duration.seconds(1)
   */
  readonly timeout?: Duration;
  /**
   * Number of consecutive failures after which the probe fails.
   * @default 3
   */
  readonly failureThreshold?: number;
  /**
   * Number of consecutive successes after which the probe succeeds. Must be 1 for liveness.
   * @default 1
   */
  readonly successThreshold?: number;
}

/** Options of a TCP probe. */
export interface TcpProbeOptions extends VmProbeOptions {
  /**
   * Host to connect to.
   * @default - the guest
   */
  readonly host?: string;
}

/** Scheme of an HTTP probe. */
export class ProbeScheme extends Choice {
  /** Plain HTTP. */
  public static readonly HTTP = ProbeScheme.of('HTTP');
  /** HTTP over TLS; the certificate is not verified. */
  public static readonly HTTPS = ProbeScheme.of('HTTPS');

  /**
   * Uses a value of Kubernetes that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): ProbeScheme {
    return new ProbeScheme(value);
  }
}

/** Options of an HTTP probe. */
export interface HttpProbeOptions extends VmProbeOptions {
  /**
   * Port to connect to.
   * @default 80
   */
  readonly port?: number;
  /**
   * Scheme: HTTP or HTTPS.
   * @default ProbeScheme.HTTP
   */
  readonly scheme?: ProbeScheme;
  /**
   * Host to connect to.
   * @default - the guest
   */
  readonly host?: string;
  /**
   * Headers of the request. Do not put secrets here: they are visible in the manifest.
   * @default - none
   */
  readonly headers?: { readonly [name: string]: string };
}

/** Probe that reports whether a guest is ready (readiness) or must be restarted (liveness). */
export class VmProbe {
  /**
   * Sends an HTTP GET. Status codes from 200 to 399 are a success.
   *
   * @param path path of the request, such as `/healthz`
   * @param options port, headers, delays and thresholds
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   readiness: VmProbe.fromHttpGet('/healthz', { port: 8080 }),
   * });
   */
  public static fromHttpGet(path: string, options: HttpProbeOptions = {}): VmProbe {
    const { port = 80, scheme, host, headers } = options;
    const httpHeaders = headers && Object.entries(headers).map(([name, value]) => ({ name, value }));
    return new VmProbe(
      { httpGet: defined({ path, port, scheme: scheme?.value as 'HTTP', host, httpHeaders }) },
      options,
    );
  }

  /**
   * Opens a TCP connection to a port from 1 to 65535. An accepted connection is a success.
   *
   * @param port port of the guest
   * @param options host, delays and thresholds
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   readiness: VmProbe.fromTcpSocket(22),
   * });
   */
  public static fromTcpSocket(port: number, options: TcpProbeOptions = {}): VmProbe {
    return new VmProbe({ tcpSocket: defined({ port, host: options.host }) }, options);
  }

  /**
   * Runs a command in the guest through the guest agent. Exit code 0 is a success.
   *
   * @param command program in the guest, and its arguments
   * @param options delays and thresholds
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   readiness: VmProbe.fromCommand(['systemctl', 'is-active', 'nginx']),
   * });
   */
  public static fromCommand(command: string[], options: VmProbeOptions = {}): VmProbe {
    return new VmProbe({ exec: { command: [...command] } }, options);
  }

  /**
   * Pings the guest agent. A response is a success.
   *
   * @param options delays and thresholds
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   liveness: VmProbe.fromGuestAgent({ initialDelay: Duration.minutes(5) }),
   * });
   */
  public static fromGuestAgent(options: VmProbeOptions = {}): VmProbe {
    return new VmProbe({ guestAgentPing: {} }, options);
  }

  private readonly probe: Probe;

  private constructor(
    action: Pick<Probe, 'httpGet' | 'tcpSocket' | 'exec' | 'guestAgentPing'>,
    { initialDelay, period, timeout, failureThreshold, successThreshold }: VmProbeOptions,
  ) {
    this.probe = defined({
      ...action,
      initialDelaySeconds: secondsOf('initialDelay', initialDelay),
      periodSeconds: secondsOf('period', period),
      timeoutSeconds: secondsOf('timeout', timeout),
      failureThreshold,
      successThreshold,
    });
  }

  /** @internal */
  public _render(): Probe {
    return this.probe;
  }
}
