import type { Size } from 'cdk8s';
import type { Memory } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { quantityOfSize } from '../storage/size';
import { defined, definedOrNone } from '../defined';

/** Size of the pages that back a guest's memory. The node must have them set aside. */
export class HugepageSize extends Choice {
  /** 2 MiB. */
  public static readonly TWO_MEBIBYTES = HugepageSize.of('2Mi');
  /** 1 GiB. */
  public static readonly ONE_GIBIBYTE = HugepageSize.of('1Gi');

  /**
   * Another one that the nodes have, as a quantity.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): HugepageSize {
    return new HugepageSize(value);
  }
}

/** What a guest's memory has beyond its size. */
export interface MemoryOptions {
  /**
   * Memory that the guest sees, as a quantity that no Size writes, such as `1024M` (1,024,000,000 bytes). It counts instead
   * of `memory`.
   * @default - `memory`
   */
  readonly quantity?: string;
  /**
   * Most memory that can be plugged in while the guest runs.
   * @default - four times the memory, from 1 GiB on amd64
   */
  readonly maxGuest?: Size;
  /**
   * Huge pages back the guest; they must divide its memory.
   * @default - pages of the usual size
   */
  readonly hugepages?: HugepageSize;
  /**
   * Memory of the Pod beyond what the platform computes for what runs beside the guest.
   * @default - none
   */
  readonly addedOverhead?: Size;
  /**
   * All memory stays in RAM, as some devices need it.
   * @default - where the platform knows of such a device
   */
  readonly locked?: boolean;
}

/** The guest's memory as the API writes it; nothing when no property speaks of it. */
export function renderMemory(guest: Size | undefined, options: MemoryOptions = {}): Memory | undefined {
  const { quantity, maxGuest, hugepages, addedOverhead, locked } = options;
  return definedOrNone({
    guest: quantity ?? (guest && quantityOfSize(guest)),
    maxGuest: maxGuest && quantityOfSize(maxGuest),
    hugepages: hugepages && { pageSize: hugepages.value },
    reservedOverhead:
      addedOverhead === undefined && locked === undefined
        ? undefined
        : defined({
            addedOverhead: addedOverhead && quantityOfSize(addedOverhead),
            memLock: locked === undefined ? undefined : locked ? ('Required' as const) : ('NotRequired' as const),
          }),
  });
}
