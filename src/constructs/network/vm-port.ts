import { Choice } from '../choice';

/** Protocol of a port. */
export class VmProtocol extends Choice {
  /** TCP. */
  public static readonly TCP = VmProtocol.of('TCP');
  /** UDP. */
  public static readonly UDP = VmProtocol.of('UDP');

  /**
   * Any other protocol that the platform supports, such as `SCTP` for Services.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VmProtocol {
    return new VmProtocol(value);
  }
}

/** Options of a port. */
export interface VmPortOptions {
  /**
   * Name of the port, unique in its Service: up to 15 lower case letters, digits and dashes.
   * @default - protocol and number, such as `tcp-8080`
   */
  readonly name?: string;
  /**
   * Port on which the guest listens, 1 to 65535, if it differs from the port of the Service.
   * @default - the port of the Service
   */
  readonly targetPort?: number;
  /**
   * Port that a Service of type NodePort or LoadBalancer opens on every node, usually 30000 to 32767.
   * @default - chosen by Kubernetes if the type requires one
   */
  readonly nodePort?: number;
  /**
   * Application protocol, for load balancers and service meshes: `http`, `kubernetes.io/h2c`, `example.com/rdp`.
   * @default - none
   */
  readonly appProtocol?: string;
}

/** Port on which a guest listens. */
export class VmPort {
  /** TCP 22: ssh. */
  public static readonly SSH = VmPort.tcp(22, { name: 'ssh' });
  /** TCP 80: HTTP. */
  public static readonly HTTP = VmPort.tcp(80, { name: 'http' });
  /** TCP 443: HTTPS. */
  public static readonly HTTPS = VmPort.tcp(443, { name: 'https' });
  /** TCP 3389: Windows' remote desktop. */
  public static readonly RDP = VmPort.tcp(3389, { name: 'rdp' });
  /** TCP 5986: Windows' remote management over TLS. */
  public static readonly WINRM = VmPort.tcp(5986, { name: 'winrm' });
  /** TCP 5432: PostgreSQL. */
  public static readonly POSTGRESQL = VmPort.tcp(5432, { name: 'postgresql' });
  /** TCP 3306: MySQL. */
  public static readonly MYSQL = VmPort.tcp(3306, { name: 'mysql' });

  /**
   * Opens a TCP port, 1 to 65535.
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
   * Opens a UDP port, 1 to 65535.
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
   * Opens a port of any protocol, 1 to 65535.
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

  /** Port of the Service, which clients use. */
  public readonly port: number;
  /** Port on which the guest listens. */
  public readonly targetPort: number;
  /** Protocol of the port. */
  public readonly protocol: VmProtocol;
  /** Name of the port. */
  public readonly name: string;
  /** Port on every node, if one is set. */
  public readonly nodePort?: number;
  /** Application protocol, if one is set. */
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

/** Range of ports on which a guest listens. */
export class VmPortRange {
  /**
   * Opens TCP ports from the first to the last, both inclusive; 1 to 65535.
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
   * Opens UDP ports from the first to the last, both inclusive; 1 to 65535.
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
    /** Protocol of the ports. */
    public readonly protocol: VmProtocol,
    /** First port. */
    public readonly start: number,
    /** Last port. */
    public readonly end: number,
  ) {}
}
