import type { DomainSpec } from '../../api/generated/kubevirt-v1';

/** QEMU threads that handle disk I/O. */
export class IoThreads {
  /**
   * Uses one thread for all disks except those with `dedicatedIoThread`.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   ioThreads: IoThreads.shared(),
   * });
   */
  public static shared(): IoThreads {
    return new IoThreads('shared');
  }

  /**
   * Uses a number of threads that depends on the vCPUs, and distributes the disks over them.
   *
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   ioThreads: IoThreads.auto(),
   * });
   */
  public static auto(): IoThreads {
    return new IoThreads('auto');
  }

  /**
   * Uses this number of threads, at least 1. Each disk uses all of them.
   *
   * @param count number of threads
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   ioThreads: IoThreads.pool(4),
   * });
   */
  public static pool(count: number): IoThreads {
    return new IoThreads('supplementalPool', count);
  }

  private constructor(
    private readonly policy: 'shared' | 'auto' | 'supplementalPool',
    private readonly count?: number,
  ) {}

  /** @internal */
  public _render(): Pick<DomainSpec, 'ioThreads' | 'ioThreadsPolicy'> {
    return {
      ioThreadsPolicy: this.policy,
      ...(this.count === undefined ? {} : { ioThreads: { supplementalPoolThreadCount: this.count } }),
    };
  }
}
