import { clusterConfig, defaultInstanceSpec } from '../../../../src/api';
import { memoryHotplugObstacle } from '../../../../src/api/defaulting/memory';
import { configured, type Loose } from '../fixtures';

const of = (memory: Loose, domain: Loose = {}, architecture = 'amd64'): Loose => ({
  architecture,
  domain: { devices: {}, memory, ...domain },
});

// KubeVirt's causes, in its order
test.each<[string, Loose, string, string | undefined]>([
  ['a guest of 1Gi', of({ guest: '1Gi' }), '4Gi', undefined],
  ['a guest that has its maximum', of({ guest: '4Gi' }), '4Gi', undefined],
  ['a realtime guest', of({ guest: '1Gi' }, { cpu: { realtime: {} } }), '4Gi', 'not compatible with realtime VMs'],
  [
    'a guest on the nodes’ NUMA cells',
    of({ guest: '1Gi' }, { cpu: { numa: { guestMappingPassthrough: {} } } }),
    '4Gi',
    'not compatible with guest mapping passthrough',
  ],
  [
    'an encrypted guest',
    of({ guest: '1Gi' }, { launchSecurity: { sev: {} } }),
    '4Gi',
    'not compatible with encrypted VMs',
  ],
  ['a guest without memory', of({}), '4Gi', 'Guest memory must be configured'],
  ['a guest above its maximum', of({ guest: '4Gi' }), '4094Mi', 'Guest memory is greater than the configured maxGuest'],
  ['a guest of an odd number of Mi', of({ guest: '1025Mi' }), '4Gi', 'Guest memory must be 2Mi aligned'],
  ['a guest with an odd maximum', of({ guest: '1Gi' }), '4095Mi', 'MaxGuest must be 2Mi aligned'],
  [
    'a guest of 1Gi pages that does not fill them',
    of({ guest: '1026Mi', hugepages: { pageSize: '1Gi' } }),
    '4Gi',
    'Guest memory must be 1Gi aligned',
  ],
  [
    'a guest of 1Gi pages whose maximum does not fill them',
    of({ guest: '1Gi', hugepages: { pageSize: '1Gi' } }),
    '1026Mi',
    'MaxGuest must be 1Gi aligned',
  ],
  ['a guest of 2Mi pages', of({ guest: '1026Mi', hugepages: { pageSize: '2Mi' } }), '4Gi', undefined],
  ['a guest of another architecture', of({ guest: '1Gi' }, {}, 'arm64'), '4Gi', 'only available for x86_64 VMs'],
  ['a guest that is 2Mi too small', of({ guest: '1022Mi' }), '4Gi', 'with at least 1Gi of guest memory'],
])('%s: memory can be plugged unless there is an obstacle', (_, spec, max, want) => {
  if (want === undefined) expect(memoryHotplugObstacle(spec, max)).toBeUndefined();
  else expect(memoryHotplugObstacle(spec, max)).toContain(want);
});

test.each<[string, Loose, Loose, string | undefined]>([
  ['its request', {}, { requests: { memory: '256Mi' }, limits: { memory: '1Gi' } }, '256Mi'],
  ['its limit without a request', {}, { limits: { memory: '1Gi' } }, '1Gi'],
  ['a page without either', { hugepages: { pageSize: '2Mi' } }, {}, '2Mi'],
  ['its own amount before all', { guest: '128Mi' }, { requests: { memory: '256Mi' } }, '128Mi'],
  ['not known without any', {}, {}, undefined],
  ['not known of what is not an amount', {}, { requests: { memory: 'much' } }, undefined],
])('the memory of a guest is %s', (_, memory, resources, want) => {
  const spec = of(memory, { resources });
  expect(defaultInstanceSpec(spec, clusterConfig(), 'x').domain.memory?.guest).toBe(want);
});

test.each([
  ['2Gi', '1Gi', '2Gi'],
  ['2048Mi', '1Gi', '2Gi'],
  ['2Gi', '3Gi', undefined],
])('a configured maximum of %s makes that of %s: %s', (maxGuest, guest, want) => {
  const config = configured({ liveUpdateConfiguration: { maxGuest } });
  expect(defaultInstanceSpec(of({ guest }), config, 'x').domain.memory?.maxGuest).toBe(want);
});
