import type { DomainSpec } from '../../api/generated/kubevirt-v1';

/** Threads of QEMU that serve disks. */
export class IoThreads {
  /**
   * One for all disks but those that ask for one of their own.
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
   * As many as vCPUs allow; disks take turns.
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
   * This many, from 1; each disk uses all of them.
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
