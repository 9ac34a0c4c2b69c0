import type { Duration } from 'cdk8s';
import type { Probe } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';
import { secondsOf } from '../duration';

/** When a probe is tried, and what its answers count. */
export interface VmProbeOptions {
  /**
   * Time after the guest's start before the first try.
   * @default - none
   */
  readonly initialDelay?: Duration;
  /**
   * Time between tries.
   * @default Duration.seconds(10)
   */
  readonly period?: Duration;
  /**
   * Time for an answer.
   * @default Duration.seconds(1)
   */
  readonly timeout?: Duration;
  /**
   * Failures in a row that count.
   * @default 3
   */
  readonly failureThreshold?: number;
  /**
   * Successes in a row that count; 1 for liveness.
   * @default 1
   */
  readonly successThreshold?: number;
}

/** What a probe by TCP takes. */
export interface TcpProbeOptions extends VmProbeOptions {
  /**
   * Host that is asked.
   * @default - the guest
   */
  readonly host?: string;
}

/** HTTP, or HTTP over TLS. */
export class ProbeScheme extends Choice {
  /** Plain HTTP. */
  public static readonly HTTP = ProbeScheme.of('HTTP');
  /** HTTP over TLS; the certificate is not looked at. */
  public static readonly HTTPS = ProbeScheme.of('HTTPS');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): ProbeScheme {
    return new ProbeScheme(value);
  }
}

/** What a probe by HTTP takes. */
export interface HttpProbeOptions extends VmProbeOptions {
  /**
   * Port that is asked.
   * @default 80
   */
  readonly port?: number;
  /**
   * HTTP or HTTPS.
   * @default ProbeScheme.HTTP
   */
  readonly scheme?: ProbeScheme;
  /**
   * Host that is asked.
   * @default - the guest
   */
  readonly host?: string;
  /**
   * Headers of the request. A value that is secret does not belong here.
   * @default - none
   */
  readonly headers?: { readonly [name: string]: string };
}

/** A question that tells whether a guest serves (readiness), or is beyond help (liveness). */
export class VmProbe {
  /**
   * A GET whose answer is a code from 200 to 399.
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
   * A TCP connection that is accepted, on a port from 1 to 65535.
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
   * A command that the guest agent runs in the guest and that exits with 0.
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
   * The guest agent answers.
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

  private constructor(
    private readonly action: Pick<Probe, 'httpGet' | 'tcpSocket' | 'exec' | 'guestAgentPing'>,
    private readonly options: VmProbeOptions,
  ) {}

  /** @internal */
  public _render(): Probe {
    const { initialDelay, period, timeout, failureThreshold, successThreshold } = this.options;
    return defined({
      ...this.action,
      initialDelaySeconds: secondsOf('initialDelay', initialDelay),
      periodSeconds: secondsOf('period', period),
      timeoutSeconds: secondsOf('timeout', timeout),
      failureThreshold,
      successThreshold,
    });
  }
}
