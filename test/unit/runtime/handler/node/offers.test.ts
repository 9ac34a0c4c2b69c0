import {
  allocation,
  endpointOf,
  listed,
  maxDevices,
  sharedOffer,
} from '../../../../../src/runtime/handler/node/offers';
import type { Offer } from '../../../../../src/runtime/handler/node/offers';

const gpus: Offer = {
  resource: 'nvidia.com/T4',
  variable: 'PCI_RESOURCE_NVIDIA_COM_T4',
  devices: [
    { id: '0000:81:00.0', address: '0000:81:00.0', nodes: ['/dev/vfio/vfio', '/dev/vfio/7'], numaNode: 1 },
    { id: '0000:82:00.0', address: '0000:82:00.0', nodes: ['/dev/vfio/vfio', '/dev/vfio/8'] },
  ],
};

test('a shared device is listed as often as containers may use it, and gives each of them its node', () => {
  const offer = sharedOffer('tun', '/dev/net/tun', 2);
  expect(listed(offer)).toEqual([
    { ID: 'tun0', health: 'Healthy' },
    { ID: 'tun1', health: 'Healthy' },
  ]);
  expect(allocation(offer, ['tun1'])).toEqual({
    devices: [{ hostPath: '/dev/net/tun', containerPath: '/dev/net/tun', permissions: 'mrw' }],
  });
  expect(listed(sharedOffer('kvm', '/dev/kvm', 0))).toEqual([]);
});

test('devices of the host are listed with their place, and the container gets their addresses', () => {
  expect(listed(gpus)[0]).toEqual({ ID: '0000:81:00.0', health: 'Healthy', topology: { nodes: [{ ID: 1 }] } });
  const { devices, envs } = allocation(gpus, ['0000:82:00.0', '0000:81:00.0']);
  expect(devices!.map(({ hostPath }) => hostPath)).toEqual(['/dev/vfio/vfio', '/dev/vfio/8', '/dev/vfio/7']);
  expect(envs).toEqual({ PCI_RESOURCE_NVIDIA_COM_T4: '0000:82:00.0,0000:81:00.0' });
});

test('a device that has gone is not given', () => {
  expect(() => allocation(gpus, ['0000:99:00.0'])).toThrow('nvidia.com/T4 has no device "0000:99:00.0" any more');
});

test.each([
  ['devices.kubevirt.io/kvm', 'kubevirt-kvm.sock'],
  ['nvidia.com/T4', 'kubevirt-nvidia.com_T4.sock'],
  ['amd.com/T4', 'kubevirt-amd.com_T4.sock'],
])('the socket of %s is %s', (resource, name) => expect(endpointOf(resource)).toBe(name));

test.each(['0', '-1', '1.5', 'x', '', '10001'])('rejects %j devices', (text) => {
  expect(() => maxDevices(text)).toThrow(`--max-devices: "${text}" is not a valid number (allowed: 1 to 10000)`);
});
test('accepts the numbers of devices that a kubelet can list', () => {
  expect(['1', '1000', '10000'].map(maxDevices)).toEqual([1, 1_000, 10_000]);
});
