import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeNode } from '../../../../src/local/engine/node-capabilities';
import type { Machine } from '../../../../src/local/engine/node-capabilities';
import { parseCapabilities } from '../../../../src/runtime/handler/node/capabilities';
import { guestLabels } from '../../../../src/runtime/handler/node/guest-labels';
import { render } from '../../runtime/controller/pod/fixtures';

const machine: Machine = { image: 'sha256:a', kernel: '6.12', cpu: 'EPYC', kvm: '' };
const answer = JSON.stringify({
  machines: ['q35'],
  architectures: ['amd64'],
  qemu: { models: { Westmere: 'Westmere-v1' }, features: ['aes'], hyperv: [], security: [] },
});

let dir: string;
let asked: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-describe-'));
  asked = 0;
});
afterEach(() => rmSync(dir, { recursive: true }));

const describeOn = (more: Partial<Machine> = {}, ask: () => Promise<string> = () => Promise.resolve(answer)) =>
  describeNode({
    machine: { ...machine, ...more },
    cache: join(dir, 'cache'),
    file: join(dir, 'node.json'),
    ask: () => {
      asked++;
      return ask();
    },
  });
const written = (): string => readFileSync(join(dir, 'node.json'), 'utf8');

test('a VM with a CPU model is scheduled to a node of the engine that emulates it', async () => {
  await describeOn();
  const known = parseCapabilities(written());
  if (!('capabilities' in known)) throw new Error(known.unknown);
  const labels = guestLabels({
    ...known,
    kernel: { realtime: false, ksm: false },
    usesKvm: false,
    machines: [],
  });
  const { nodeSelector = {} } = render((v) => (v.spec.domain.cpu = { model: 'Westmere' })).spec;
  expect(nodeSelector).toHaveProperty(['cpu-model.node.kubevirt.io/Westmere'], 'true');
  // the kubelet and the heartbeat set the other two
  const node = { ...labels, 'kubevirt.io/schedulable': 'true', 'kubernetes.io/arch': 'amd64' };
  expect(node).toMatchObject(nodeSelector);
});

test('libvirt is asked once for each image and machine', async () => {
  await describeOn();
  rmSync(join(dir, 'node.json'));
  await describeOn();
  expect(asked).toBe(1);
  expect(JSON.parse(written())).toEqual(JSON.parse(answer));
  for (const more of [{ image: 'sha256:b' }, { kernel: '6.13' }, { cpu: 'Xeon' }, { kvm: '2792' }])
    await describeOn(more);
  expect(asked).toBe(5);
});

test('a failure is reported to virt-handler, and libvirt is asked again by the next engine', async () => {
  await describeOn({}, () => Promise.reject(new Error('no image')));
  expect(parseCapabilities(written())).toEqual({ unknown: 'libvirt could not describe the node: no image' });
  await describeOn({}, () => Promise.resolve('not JSON'));
  expect(parseCapabilities(written())).toMatchObject({ unknown: expect.stringContaining('not JSON') });
  await describeOn();
  expect(JSON.parse(written())).toEqual(JSON.parse(answer));
});

test('an answer that was damaged is replaced', async () => {
  await describeOn();
  const [name] = readdirSync(join(dir, 'cache'));
  writeFileSync(join(dir, 'cache', name!), '{');
  await describeOn();
  expect([asked, JSON.parse(written())]).toEqual([2, JSON.parse(answer)]);
});
