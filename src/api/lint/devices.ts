/** Host devices that guests request and the platform permits. */
import { mistake, nearest } from '../admission/rule';
import type { ClusterConfig } from '../cluster-config';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { guestsIn } from './network-guests';
import { listAt, textAt } from './read';
import type { World } from './world';

/** Reports a device that the configuration's list does not permit. Such a VM would wait, and its VMI would report why. */
export function devicesArePermitted(object: KubeObject, _: World, config: ClusterConfig): Finding[] {
  const permitted = config.raw.permittedHostDevices;
  const guests = permitted && guestsIn(object);
  if (!guests) return [];
  const allowed = [
    ...(permitted.pciHostDevices ?? []),
    ...(permitted.mediatedDevices ?? []),
    ...(permitted.usb ?? []),
  ].map(({ resourceName }) => resourceName);
  return (['gpus', 'hostDevices'] as const).flatMap((list) =>
    listAt(guests.spec, 'domain', 'devices', list).flatMap((device, i) => {
      const got = textAt(device, 'deviceName');
      if (got === undefined || allowed.includes(got)) return [];
      const path = guests.at.at('domain', 'devices', list, i, 'deviceName');
      const message = `"${got}" is not among the permitted host devices of the KubeVirt object`;
      return mistake('device-permitted', path, message, nearest(got, allowed), { value: got, allowed });
    }),
  );
}
