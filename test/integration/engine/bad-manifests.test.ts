/** @needs guest */
import { request } from 'node:https';
import { tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a manifest is bent out of shape on purpose
type Manifest = any;
const template = 'spec.template.spec';

/** A mistake of a user, and the field that the answer must name. */
const mistakes: [string, (vm: Manifest, spec: Manifest) => void, string][] = [
  ['an unknown run strategy', (vm) => (vm.spec.runStrategy = 'Allways'), 'spec.runStrategy'],
  ['running beside a run strategy', (vm) => (vm.spec.running = true), 'spec.running'],
  ['neither running nor a run strategy', (vm) => delete vm.spec.runStrategy, 'spec.running'],
  ['no template', (vm) => delete vm.spec.template, 'spec.template'],
  ['no domain', (_, spec) => delete spec.domain, `${template}.domain`],
  ['a name that is not a DNS label', (vm) => (vm.metadata.name = 'Bad_Name'), 'metadata.name'],
  ['a misspelt field', (_, spec) => (spec.domain.memroy = { guest: '1Gi' }), `${template}.domain.memroy`],
  ['an invalid quantity', (_, spec) => (spec.domain.memory.guest = '1 GB'), `${template}.domain.memory.guest`],
  ['negative memory', (_, spec) => (spec.domain.memory.guest = '-1Gi'), `${template}.domain.memory.guest`],
  ['negative cores', (_, spec) => (spec.domain.cpu = { cores: -1 }), `${template}.domain.cpu.cores`],
  ['cores as text', (_, spec) => (spec.domain.cpu = { cores: 'two' }), `${template}.domain.cpu.cores`],
  [
    'an unknown bus',
    (_, spec) => (spec.domain.devices.disks[0].disk.bus = 'ide2'),
    `${template}.domain.devices.disks[0].disk.bus`,
  ],
  [
    'two disks of one name',
    (_, spec) => spec.domain.devices.disks.push(spec.domain.devices.disks[0]),
    `${template}.domain.devices.disks[1].name`,
  ],
  [
    'a disk without a volume',
    (_, spec) => (spec.domain.devices.disks[0].name = 'roott'),
    `${template}.domain.devices.disks[0].name`,
  ],
  ['two volumes of one name', (_, spec) => spec.volumes.push(spec.volumes[0]), `${template}.volumes[1].name`],
  [
    'a volume with two sources',
    (_, spec) => (spec.volumes[0].emptyDisk = { capacity: '1Gi' }),
    `${template}.volumes[0]`,
  ],
  ['a volume without a source', (_, spec) => (spec.volumes[0] = { name: 'root' }), `${template}.volumes[0]`],
  [
    'one boot order for two disks',
    (_, spec) => {
      spec.domain.devices.disks[0].bootOrder = 1;
      spec.domain.devices.disks.push({ name: 'second', disk: {}, bootOrder: 1 });
      spec.volumes.push({ name: 'second', emptyDisk: { capacity: '1Gi' } });
    },
    `${template}.domain.devices.disks[1].bootOrder`,
  ],
  [
    'boot order zero',
    (_, spec) => (spec.domain.devices.disks[0].bootOrder = 0),
    `${template}.domain.devices.disks[0].bootOrder`,
  ],
  [
    'a serial with spaces',
    (_, spec) => (spec.domain.devices.disks[0].serial = 'no good'),
    `${template}.domain.devices.disks[0].serial`,
  ],
  [
    'an interface without a network',
    (_, spec) => (spec.domain.devices.interfaces[0].name = 'other'),
    `${template}.domain.devices.interfaces[0].name`,
  ],
  [
    'a network without an interface',
    (_, spec) => spec.networks.push({ name: 'more', multus: { networkName: 'x' } }),
    `${template}.networks[1].name`,
  ],
  [
    'an interface with two bindings',
    (_, spec) => (spec.domain.devices.interfaces[0].bridge = {}),
    `${template}.domain.devices.interfaces[0]`,
  ],
  [
    'an invalid MAC address',
    (_, spec) => (spec.domain.devices.interfaces[0].macAddress = 'zz:zz'),
    `${template}.domain.devices.interfaces[0].macAddress`,
  ],
  [
    'an unknown interface model',
    (_, spec) => (spec.domain.devices.interfaces[0].model = 'ne3k'),
    `${template}.domain.devices.interfaces[0].model`,
  ],
  [
    'a port above 65535',
    (_, spec) => (spec.domain.devices.interfaces[0].ports = [{ port: 70000 }]),
    `${template}.domain.devices.interfaces[0].ports[0]`,
  ],
  ['a network of two kinds', (_, spec) => (spec.networks[0].multus = { networkName: 'x' }), `${template}.networks[0]`],
  [
    'a negative grace period',
    (_, spec) => (spec.terminationGracePeriodSeconds = -5),
    `${template}.terminationGracePeriodSeconds`,
  ],
  [
    'a request above its limit',
    (_, spec) => (spec.domain.resources = { requests: { cpu: '2' }, limits: { cpu: '1' } }),
    `${template}.domain.resources.requests.cpu`,
  ],
  [
    'cloud-init without data',
    (_, spec) => spec.volumes.push({ name: 'ci', cloudInitNoCloud: {} }),
    `${template}.volumes[1].cloudInitNoCloud`,
  ],
  [
    'user data over the limit',
    (_, spec) => spec.volumes.push({ name: 'ci', cloudInitNoCloud: { userData: 'x'.repeat(2049) } }),
    `${template}.volumes[1].cloudInitNoCloud`,
  ],
  ['an unknown eviction strategy', (_, spec) => (spec.evictionStrategy = 'Later'), `${template}.evictionStrategy`],
];

/** Mistakes that KubeVirt accepts, although nobody can intend them. */
const doubts: typeof mistakes = [
  ['no memory at all', (_, spec) => (spec.domain.memory.guest = '0'), `${template}.domain.memory.guest`],
  [
    'an image without a name',
    (_, spec) => (spec.volumes[0].containerDisk.image = ''),
    `${template}.volumes[0].containerDisk`,
  ],
];

describe('a bad manifest', () => {
  let engine: SuiteEngine;
  beforeAll(async () => void (engine = await SuiteEngine.begin()));
  afterAll(async () => expect(await engine.end()).toEqual([]));

  test('is validated for the API server only: an anonymous caller of the webhooks gets 401', async () => {
    const [slice] = await engine.list('endpointslices', '-n', 'kubevirt', '-l', 'kubernetes.io/service-name=virt-api');
    const host = slice.endpoints[0].addresses[0] as string;
    const code = await new Promise((done, reject) => {
      const options = { host, port: slice.ports[0].port as number, path: '/pod-eviction-validate', method: 'POST' };
      const sent = request({ ...options, rejectUnauthorized: false, agent: false }, (response) => {
        response.resume();
        done(response.statusCode);
      });
      sent.once('error', reject);
      sent.end('{}');
    });
    expect(code).toBe(401);
  });

  test('is rejected for its mistake only: the unchanged manifest is accepted', async () => {
    await engine.mustApply(tinyVm('good', { runStrategy: 'Halted' }));
    await engine.kubectl('delete', 'vm', 'good');
  });

  test.each(mistakes)('with %s is rejected by one error that names the field', async (_, bend, field) => {
    const vm: Manifest = JSON.parse(JSON.stringify(tinyVm('bad', { runStrategy: 'Halted' })));
    bend(vm, vm.spec.template.spec);
    const { code, stderr } = await engine.apply(vm);
    expect(code).not.toBe(0);
    expect(stderr.replaceAll('"', '')).toContain(field);
    expect(stderr).not.toMatch(/panic|undefined|\[object|at .*\.ts:/);
    expect(await engine.list('vm')).toEqual([]);
  });

  test.each(doubts)('with %s is accepted with a warning that names the field', async (_, bend, field) => {
    const vm: Manifest = JSON.parse(JSON.stringify(tinyVm('doubtful', { runStrategy: 'Halted' })));
    bend(vm, vm.spec.template.spec);
    const { code, stderr } = await engine.apply(vm);
    expect(code).toBe(0);
    expect(stderr).toContain('Warning: ');
    expect(stderr).toContain(field);
    await engine.kubectl('delete', 'vm', 'doubtful');
  });
});
