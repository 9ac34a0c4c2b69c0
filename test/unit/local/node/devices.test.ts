import { isExtended, compareAllocation } from '../../../../src/local/node/devices/allocation';
import type { PluginState } from '../../../../src/local/node/devices/allocation';

const TUN = 'devices.kubevirt.io/tun';
const plugin = (connected: boolean, ...ids: string[]): PluginState => ({
  connected,
  healthy: new Set(ids),
  unhealthy: new Set(),
});
const held = { other: { main: { [TUN]: ['a'] } } };

test.each([
  ['is not registered, soon after the start, waits', undefined, 1, true, { do: 'wait' }],
  ['has registered but not reported its devices waits', plugin(false), 1, true, { do: 'wait' }],
  ['is not registered later is rejected', undefined, 1, false, { do: 'refuse', available: 0 }],
  ['is gone later is rejected', plugin(false, 'a', 'b'), 1, false, { do: 'refuse', available: 0 }],
  ['is there takes what nobody holds', plugin(true, 'a', 'b'), 1, true, { do: 'take', ids: ['b'] }],
  ['has too few is rejected at once', plugin(true, 'a', 'b'), 2, true, { do: 'refuse', available: 1 }],
])('a Pod whose device plugin %s', (_, state, count, mayWait, want) => {
  expect(compareAllocation(state, held, TUN, count, mayWait)).toEqual(want);
});

test('only resource names with their own domain belong to device plugins', () => {
  const names = [TUN, 'nvidia.com/gpu', 'cpu', 'hugepages-2Mi', 'batch.kubernetes.io/x', 'requests.nvidia.com/gpu'];
  expect(names.filter(isExtended)).toEqual([TUN, 'nvidia.com/gpu']);
});
