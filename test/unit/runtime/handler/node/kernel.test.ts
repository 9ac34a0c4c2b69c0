import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  decideKsm,
  hasStaticCpus,
  isRealtime,
  readCpuManager,
  tuneKsm,
} from '../../../../../src/runtime/handler/node/kernel';
import type { KsmInput } from '../../../../../src/runtime/handler/node/kernel';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'virt8s-kernel-'))));
afterEach(() => rmSync(root, { recursive: true }));
const write = (path: string, text: string): string => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
};

test.each<[string, string | undefined, boolean]>([
  ['gives containers CPUs of their own', '{"policyName":"static","defaultCpuSet":"0-3"}', true],
  ['does not', '{"policyName":"none"}', false],
  ['writes its state at this moment', '{"policyN', false],
  ['has no state', undefined, false],
])('a kubelet that %s', (_, state, want) => {
  expect(hasStaticCpus(state)).toBe(want);
  if (state !== undefined) write('cpu_manager_state', state);
  expect(readCpuManager(root)).toBe(want);
});

test.each([
  ['-1\n', true],
  ['950000\n', false],
])('real-time threads may use all CPU time if the limit is %j: %s', (text, want) => {
  write('sys/kernel/sched_rt_runtime_us', text);
  expect(isRealtime(root)).toBe(want);
});

const everywhere = { nodeLabelSelector: {} };
const managed = { annotations: { 'kubevirt.io/ksm-handler-managed': 'true' } };
test.each<[string, KsmInput, object]>([
  ['a kernel without it', { setting: undefined, configuration: everywhere }, { enabled: false, managed: false }],
  ['no configuration', { setting: '0', configuration: undefined }, { enabled: false, managed: false }],
  ['someone else enabled it', { setting: '1', configuration: undefined }, { enabled: true, managed: false }],
  ['a selected node', { setting: '0', configuration: everywhere }, { write: '1', enabled: true, managed: true }],
  ['a node that has it', { setting: '1', configuration: everywhere, ...managed }, { enabled: true, managed: true }],
  [
    'another node is selected',
    { setting: '0', configuration: { nodeLabelSelector: { matchLabels: { ksm: 'on' } } }, labels: { ksm: 'off' } },
    { enabled: false, managed: false },
  ],
  [
    'a node that is no longer selected',
    { setting: '1', configuration: undefined, ...managed },
    { write: '0', enabled: false, managed: false },
  ],
  [
    'and was disabled by someone else',
    { setting: '0', configuration: undefined, ...managed },
    { enabled: false, managed: false },
  ],
  ['a configuration without a selector', { setting: '0', configuration: {} }, { enabled: false, managed: false }],
])('merging of equal pages: %s', (_, input, want) => expect(decideKsm(input)).toEqual(want));

test('the kernel gets the setting, and one that cannot be changed is reported as it is', () => {
  const file = write('kernel/mm/ksm/run', '0\n');
  expect(tuneKsm({ configuration: everywhere }, root)).toEqual({ ksm: true, managed: true });
  expect(readFileSync(file, 'utf8')).toBe('1\n');
  rmSync(file);
  expect(tuneKsm({ configuration: everywhere }, root)).toEqual({ ksm: false, managed: false });
});
