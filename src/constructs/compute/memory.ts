import type { Size } from 'cdk8s';
import type { Memory } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { quantityOfSize } from '../storage/size';
import { defined, definedOrNone } from '../defined';

/** Size of huge pages. The node must have reserved such pages. */
export class HugepageSize extends Choice {
  /** 2 MiB. */
  public static readonly TWO_MEBIBYTES = HugepageSize.of('2Mi');
  /** 1 GiB. */
  public static readonly ONE_GIBIBYTE = HugepageSize.of('1Gi');

  /**
   * Uses another page size that the nodes offer, as a quantity.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): HugepageSize {
    return new HugepageSize(value);
  }
}

/** Options of a guest's memory beyond its size. */
export interface MemoryOptions {
  /**
   * Memory that the guest sees, as a quantity that `Size` cannot express, such as `1024M` (1,024,000,000 bytes).
   * Overrides `memory`.
   * @default - the value of `memory`
   */
  readonly quantity?: string;
  /**
   * Maximum memory, including memory plugged in while the guest runs.
   * @default - four times the memory, from 1 GiB on amd64
   */
  readonly maxGuest?: Size;
  /**
   * Size of the huge pages that back the guest's memory. The memory must be a multiple of this size.
   * @default - no huge pages
   */
  readonly hugepages?: HugepageSize;
  /**
   * Memory that the Pod requests in addition to the overhead that the platform computes.
   * @default - none
   */
  readonly addedOverhead?: Size;
  /**
   * Whether all memory is locked in RAM, as some devices require.
   * @default - true if the platform knows that a device requires it
   */
  readonly locked?: boolean;
}

/** Renders the guest's memory as the API writes it. Returns undefined if no property sets it. */
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
