import type { DomainSpec } from '../../api/generated/kubevirt-v1';

/** Threads of QEMU that serve disks. */
export class IoThreads {
  /** One for all disks but those that ask for one of their own. */
  public static shared(): IoThreads {
    return new IoThreads('shared');
  }

  /** As many as vCPUs allow; disks take turns. */
  public static auto(): IoThreads {
    return new IoThreads('auto');
  }

  /** This many, from 1; each disk uses all of them. */
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
