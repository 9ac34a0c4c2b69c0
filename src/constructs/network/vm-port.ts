import { Choice } from '../choice';

/** Protocol of a port. */
export class VmProtocol extends Choice {
  /** TCP. */
  public static readonly TCP = VmProtocol.of('TCP');
  /** UDP. */
  public static readonly UDP = VmProtocol.of('UDP');

  /**
   * Another one that the platform knows, such as `SCTP`, which Services carry.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VmProtocol {
    return new VmProtocol(value);
  }
}

/** What a port has beyond its number. */
export interface VmPortOptions {
  /**
   * Name of the port, unique in its Service: up to 15 lower case letters, digits and dashes.
   * @default - protocol and number: `tcp-8080`
   */
  readonly name?: string;
  /**
   * Where the guest listens, when a Service shows another number.
   * @default - the same number
   */
  readonly targetPort?: number;
  /**
   * The number that a Service of the type NodePort or LoadBalancer opens on every node, usually 30000 to 32767.
   * @default - chosen by Kubernetes, where the type asks for one
   */
  readonly nodePort?: number;
  /**
   * What is spoken there, for load balancers and meshes: `http`, `kubernetes.io/h2c`, `example.com/rdp`.
   * @default - not said
   */
  readonly appProtocol?: string;
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
  /** TCP 5986: Windows' remote management over TLS. */
  public static readonly WINRM = VmPort.tcp(5986, { name: 'winrm' });
  /** TCP 5432. */
  public static readonly POSTGRESQL = VmPort.tcp(5432, { name: 'postgresql' });
  /** TCP 3306. */
  public static readonly MYSQL = VmPort.tcp(3306, { name: 'mysql' });

  /**
   * A TCP port, 1 to 65535.
   *
   * @param port port of the Service
   * @param options name of the port, and the port of the guest
   * @example
   * vm.exposeViaService('app', { ports: [VmPort.tcp(80, { targetPort: 8080 })] });
   */
  public static tcp(port: number, options: VmPortOptions = {}): VmPort {
    return new VmPort(port, VmProtocol.TCP, options);
  }

  /**
   * A UDP port, 1 to 65535.
   *
   * @param port port of the Service
   * @param options name of the port, and the port of the guest
   * @example
   * vm.exposeViaService('dns', { ports: [VmPort.udp(53, { name: 'dns' })] });
   */
  public static udp(port: number, options: VmPortOptions = {}): VmPort {
    return new VmPort(port, VmProtocol.UDP, options);
  }

  /**
   * A port of any protocol, 1 to 65535.
   *
   * @param protocol TCP or UDP
   * @param port port of the Service
   * @param options name of the port, and the port of the guest
   * @example
   * vm.exposeViaService('app', { ports: [VmPort.of(VmProtocol.TCP, 8080)] });
   */
  public static of(protocol: VmProtocol, port: number, options: VmPortOptions = {}): VmPort {
    return new VmPort(port, protocol, options);
  }

  /** The number that clients of a Service use. */
  public readonly port: number;
  /** The number on which the guest listens. */
  public readonly targetPort: number;
  /** TCP or UDP. */
  public readonly protocol: VmProtocol;
  /** Name of the port. */
  public readonly name: string;
  /** The number on every node, if it was chosen. */
  public readonly nodePort?: number;
  /** What is spoken there, if it was said. */
  public readonly appProtocol?: string;

  private constructor(port: number, protocol: VmProtocol, options: VmPortOptions) {
    this.port = port;
    this.protocol = protocol;
    this.targetPort = options.targetPort ?? port;
    this.name = options.name ?? `${protocol.value.toLowerCase()}-${port}`;
    this.nodePort = options.nodePort;
    this.appProtocol = options.appProtocol;
  }
}

/** Neighbouring ports on which a guest listens. */
export class VmPortRange {
  /**
   * TCP ports from the first to the last, both included; 1 to 65535.
   *
   * @param start first port
   * @param end last port
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.masquerade({ portRanges: [VmPortRange.tcp(30000, 30100)] })],
   * });
   */
  public static tcp(start: number, end: number): VmPortRange {
    return new VmPortRange(VmProtocol.TCP, start, end);
  }

  /**
   * UDP ports from the first to the last, both included; 1 to 65535.
   *
   * @param start first port
   * @param end last port
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   networks: [VmNetwork.masquerade({ portRanges: [VmPortRange.udp(10000, 20000)] })],
   * });
   */
  public static udp(start: number, end: number): VmPortRange {
    return new VmPortRange(VmProtocol.UDP, start, end);
  }

  private constructor(
    /** TCP or UDP. */
    public readonly protocol: VmProtocol,
    /** The first port. */
    public readonly start: number,
    /** The last port. */
    public readonly end: number,
  ) {}
}
