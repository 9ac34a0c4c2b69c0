import { wholeUnits } from '../../../../../src/runtime/controller/pod/amounts';
import { memoryOverhead } from '../../../../../src/runtime/controller/pod/memory-overhead';
import { configured, render, stored } from './fixtures';
import type { Change } from './fixtures';

const MiB = 1048576n;
const overhead = (change: Change, configuration: object = {}): bigint =>
  wholeUnits(memoryOverhead(stored(change), configured(configuration)));
const guaranteed: Change = (v) =>
  (v.spec.domain.resources = { requests: { cpu: '1' }, limits: { cpu: '1000m', memory: '1Gi' } });

test.each<[string, Change, bigint]>([
  ['one vCPU with graphics', () => {}, 288n],
  ['without graphics', (v) => (v.spec.domain.devices.autoattachGraphicsDevice = false), 256n],
  ['four vCPUs', (v) => (v.spec.domain.cpu = { cores: 2, sockets: 2 }), 312n],
  [
    'no topology: the CPUs that are limited',
    (v) => {
      delete v.spec.domain.cpu;
      v.spec.domain.resources = { requests: { cpu: '1' }, limits: { cpu: '2500m' } };
    },
    304n,
  ],
  [
    'no topology: the CPUs that are requested',
    (v) => {
      delete v.spec.domain.cpu;
      v.spec.domain.resources = { requests: { cpu: '2' } };
    },
    296n,
  ],
  ['a TPM', (v) => (v.spec.domain.devices.tpm = {}), 341n],
  ['a TPM that is off', (v) => (v.spec.domain.devices.tpm = { enabled: false }), 288n],
  ['an SR-IOV NIC', (v) => (v.spec.domain.devices.interfaces = [{ name: 'a', sriov: {} }]), 1312n],
  [
    'a GPU and a host device',
    (v) => {
      v.spec.domain.devices.gpus = [{ name: 'a', deviceName: 'x.com/g' }];
      v.spec.domain.devices.hostDevices = [{ name: 'b', deviceName: 'x.com/h' }];
    },
    1312n,
  ],
  ['an exec probe', (v) => (v.spec.readinessProbe = { exec: { command: ['x'] } }), 398n],
  [
    'two exec probes',
    (v) => {
      v.spec.readinessProbe = { exec: { command: ['x'] } };
      v.spec.livenessProbe = { exec: { command: ['x'] } };
    },
    408n,
  ],
  ['a probe of the agent', (v) => (v.spec.readinessProbe = { guestAgentPing: {} }), 288n],
  ['an arm64 guest', (v) => (v.spec.architecture = 'arm64'), 416n],
  ['SEV', (v) => (v.spec.domain.launchSecurity = { sev: {} }), 544n],
  ['SEV-SNP', (v) => (v.spec.domain.launchSecurity = { snp: {} }), 544n],
  ['TDX', (v) => (v.spec.domain.launchSecurity = { tdx: {} }), 288n],
  ['a disk of metrics', (v) => v.spec.volumes!.push({ name: 'm', downwardMetrics: {} }), 289n],
  ['a channel of metrics', (v) => (v.spec.domain.devices.downwardMetrics = {}), 288n],
  ['dedicated CPUs', (v) => (v.spec.domain.cpu = { cores: 1, dedicatedCpuPlacement: true }), 388n],
  ['equal requests and limits', guaranteed, 388n],
  ['passt', (v) => (v.spec.domain.devices.interfaces = [{ name: 'a', passtBinding: {} }]), 538n],
  [
    'reserved on top',
    (v) => (v.spec.domain.memory = { guest: '1Gi', reservedOverhead: { addedOverhead: '12Mi' } }),
    300n,
  ],
])('%s', (_, change, mebibytes) => expect(overhead(change)).toBe(mebibytes * MiB));

test('page tables are a 512th of the requested memory, in whole kilobytes', () => {
  const requesting =
    (memory: string): Change =>
    (v) =>
      (v.spec.domain.resources = { requests: { memory } });
  expect(overhead(requesting('1Gi')) - 288n * MiB).toBe(2097152n);
  expect(overhead(requesting('129Mi')) - 288n * MiB).toBe(264193n);
});

test.each([
  ['1.5', 452984888n],
  ['1', 301989888n],
  ['0.5', 150994888n],
  ['much', 301989888n],
  ['', 301989888n],
])('the cluster may multiply it by %j', (additionalGuestMemoryOverheadRatio, bytes) =>
  expect(overhead(() => {}, { additionalGuestMemoryOverheadRatio })).toBe(bytes),
);

test('a binding plugin counts once, after the ratio', () => {
  const change: Change = (v) =>
    (v.spec.domain.devices.interfaces = ['a', 'b'].map((name) => ({ name, binding: { name: 'p' } })));
  const binding = { p: { computeResourceOverhead: { requests: { memory: '100Mi' } } } };
  expect(overhead(change, { network: { binding } })).toBe(388n * MiB);
  expect(overhead(change, { network: { binding }, additionalGuestMemoryOverheadRatio: '2' })).toBe(
    301989888n + 301990000n + 100n * MiB,
  );
});

test('the Pod reports its overhead', () => {
  expect(render().metadata.annotations).toHaveProperty(['kubevirt.io/memory-overhead-bytes'], '301989888');
});
