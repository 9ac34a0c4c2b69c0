import { bestBus, type DiskDeviceName } from '../../api/disk-buses';
import type { Disk as DiskSpec } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import { DiskDevice } from './disk-device';
import type { DiskOptions } from './disk-options';

/** The disk as the guest sees it. Pure. */
export function renderDisk(name: string, options: DiskOptions, hotpluggable: boolean, leavesBus = false): DiskSpec {
  const { device = DiskDevice.DISK, readOnly } = options;
  // what can be plugged needs a bus on which it can
  const bus =
    options.bus?.value ??
    (leavesBus && !hotpluggable ? undefined : bestBus(device.value as DiskDeviceName, hotpluggable));
  return defined({
    name,
    [device.value]: {
      ...(bus ? { bus } : {}),
      ...(readOnly === undefined ? {} : { readonly: readOnly }),
      ...device._fields(),
    },
    bootOrder: options.bootOrder,
    serial: options.serial,
    cache: options.cache?.value as DiskSpec['cache'],
    io: options.io?.value as DiskSpec['io'],
    dedicatedIOThread: options.dedicatedIoThread,
    errorPolicy: options.errorPolicy?.value as DiskSpec['errorPolicy'],
    shareable: options.shareable,
    tag: options.tag,
    blockSize: options.blockSize?._render(),
    changedBlockTracking: options.changedBlockTracking,
  });
}
