import { Choice } from '../choice';

/** Protocol of a port. */
export class VmProtocol extends Choice {
  /** TCP. */
  public static readonly TCP = VmProtocol.of('TCP');
  /** UDP. */
  public static readonly UDP = VmProtocol.of('UDP');

  /** Another one that the platform knows. */
  public static of(value: string): VmProtocol {
    return new VmProtocol(value);
  }
}

/** What a port has beyond its number. */
export interface VmPortOptions {
  /**
   * Name of the port, unique in its Service.
   * @default - protocol and number: `tcp-8080`
   */
  readonly name?: string;
  /**
   * Where the guest listens, when a Service shows another number.
   * @default - the same number
   */
  readonly targetPort?: number;
}

/** A port on which a guest listens. */
export class VmPort {
  /** TCP 22. */
  public static readonly SSH = VmPort.tcp(22, { name: 'ssh' });
  /** TCP 80. */
  public static readonly HTTP = VmPort.tcp(80, { name: 'http' });
  /** TCP 443. */
  public static readonly HTTPS = VmPort.tcp(443, { name: 'https' });
  /** TCP 3389: Windows' remote desktop. */
  public static readonly RDP = VmPort.tcp(3389, { name: 'rdp' });

  /** A TCP port. */
  public static tcp(port: number, options: VmPortOptions = {}): VmPort {
    return new VmPort(port, VmProtocol.TCP, options);
  }

  /** A UDP port. */
  public static udp(port: number, options: VmPortOptions = {}): VmPort {
    return new VmPort(port, VmProtocol.UDP, options);
  }

  /** The number that clients of a Service use. */
  public readonly port: number;
  /** The number on which the guest listens. */
  public readonly targetPort: number;
  /** TCP or UDP. */
  public readonly protocol: VmProtocol;
  /** Name of the port. */
  public readonly name: string;

  private constructor(port: number, protocol: VmProtocol, options: VmPortOptions) {
    this.port = port;
    this.protocol = protocol;
    this.targetPort = options.targetPort ?? port;
    this.name = options.name ?? `${protocol.value.toLowerCase()}-${port}`;
  }
}
