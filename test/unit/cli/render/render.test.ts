import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runRender, type RenderFlags } from '../../../../src/cli/render/run';
import { good } from '../manifests/malformed';

let folder: string;
const printed: { out: string; err: string } = { out: '', err: '' };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-render-'));
  printed.out = '';
  printed.err = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.out += String(text);
    return true;
  });
  jest.spyOn(console, 'error').mockImplementation((text: string) => {
    printed.err += `${text}\n`;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const render = (names: string[], flags: Partial<RenderFlags> = {}): Promise<number> =>
  runRender(names, { to: 'vmi', fixed: true, launcherImage: 'launcher', ...flags });

const bad = good.replace('bus: virtio', 'bus: virtioo');
const hook = `hooks.kubevirt.io/hookSidecars: '[{"image": "example.org/hook:1"}]'`;
const replicaSet = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstanceReplicaSet
metadata: {name: set}
spec:
  replicas: 2
  selector: {matchLabels: {app: set}}
  template:
    metadata: {labels: {app: set}}
    spec: {domain: {devices: {}, memory: {guest: 1Gi}}}
`;
const pool = `apiVersion: pool.kubevirt.io/v1beta1
kind: VirtualMachinePool
metadata: {name: pool}
spec:
  replicas: 2
  selector: {matchLabels: {app: pool}}
  virtualMachineTemplate:
    metadata: {labels: {app: pool}}
    spec:
      runStrategy: Always
      template:
        metadata: {labels: {app: pool}}
        spec: {domain: {devices: {}, memory: {guest: 1Gi}}}
`;

test('a machine becomes the instance that its controller would create, with every default', async () => {
  expect(await render([file('vm.yaml', good)], { output: 'json' })).toBe(0);
  expect(JSON.parse(printed.out)).toMatchObject({
    kind: 'VirtualMachineInstance',
    metadata: { name: 'web', namespace: 'default', ownerReferences: [{ kind: 'VirtualMachine', name: 'web' }] },
    spec: { architecture: 'amd64', domain: { cpu: { cores: 2 }, machine: { type: 'q35' } } },
    status: { phase: 'Pending' },
  });
});

test.each([
  ['a replica set', replicaSet, 'setxxxxx'],
  ['a pool', pool, 'pool-0'],
])('%s becomes its first instance', async (_, text, name) => {
  expect(await render([file('set.yaml', text)], { output: 'json' })).toBe(0);
  expect(JSON.parse(printed.out)).toMatchObject({ kind: 'VirtualMachineInstance', metadata: { name } });
});

test('the same file gives the same bytes with --fixed', async () => {
  const vm = file('vm.yaml', good);
  for (const to of ['vmi', 'pod', 'domain'] as const) {
    await render([vm], { to });
    const first = printed.out;
    printed.out = '';
    await render([vm], { to });
    expect(printed.out).toBe(first);
    printed.out = '';
  }
});

test('a verdict has its causes, and the exit code reports the rejection', async () => {
  expect(await render([file('vm.yaml', bad)], { to: 'verdict', output: 'json' })).toBe(1);
  expect(JSON.parse(printed.out)).toMatchObject({
    allowed: false,
    causes: [{ field: 'spec.template.spec.domain.devices.disks[0].disk.bus' }],
    warnings: expect.any(Array),
  });
});

test('a rejected machine is reported with the reason, and rendered as far as possible', async () => {
  const gated = good.replace('  template:\n    metadata:', `  template:\n    metadata:\n      annotations: {${hook}}`);
  expect(await render([file('vm.yaml', gated)], { to: 'pod' })).toBe(1);
  expect(printed.err).toContain('Sidecar');
  expect(printed.out).toContain('kind: Pod');
  printed.out = '';
  expect(await render([file('shape.yaml', good.replace('cores: 2', 'cores: two'))], { to: 'pod' })).toBe(1);
  expect(printed.out).toBe('');
});

test('--out writes a file per document, named after its input', async () => {
  const two = file('two.yaml', `${good}---\n${good.replace(/name: web/, 'name: db')}`);
  const out = join(folder, 'out');
  expect(await render([two, file('one.yaml', good)], { to: 'pod', out })).toBe(0);
  expect(await render([two], { to: 'domain', out })).toBe(0);
  expect(readdirSync(out).sort()).toEqual(['one.json', 'two-2.json', 'two-2.xml', 'two.json', 'two.xml']);
  expect(readFileSync(join(out, 'two-2.xml'), 'utf8')).toContain('<name>default_db</name>');
  expect(JSON.parse(readFileSync(join(out, 'two.json'), 'utf8'))).toMatchObject({ kind: 'Pod' });
});

test('one broken file does not stop the others, and the exit code is 2', async () => {
  const out = join(folder, 'out');
  const names = [file('a.yaml', 'kind: ['), join(folder, 'missing.yaml'), file('b.yaml', bad), file('c.yaml', good)];
  expect(await render(names, { out })).toBe(2);
  expect(readdirSync(out)).toEqual(['b.json', 'c.json']);
  expect(printed.err).toContain('a.yaml:1:8: ');
  expect(printed.err).toContain('missing.yaml: the file does not exist');
});

test('a folder stands for its manifests', async () => {
  const dir = join(folder, 'dir');
  mkdirSync(dir);
  writeFileSync(join(dir, 'b.yaml'), good);
  writeFileSync(join(dir, 'notes.txt'), 'x');
  expect(await render([dir], { output: 'json' })).toBe(0);
});

test('other kinds are skipped, and misspelt ones rejected', async () => {
  expect(await render([file('s.yaml', 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\n')])).toBe(0);
  expect(printed.err).toContain('skipped');
  const misspelt = good.replace('kind: VirtualMachine', 'kind: VirtualMaschine');
  expect(await render([file('m.yaml', misspelt)])).toBe(1);
  expect(printed.err).toContain('did you mean "VirtualMachine"?');
});

test('--emulation and --config decide as the cluster would', async () => {
  const vm = file('vm.yaml', good);
  await render([vm], { to: 'domain' });
  expect(printed.out).toMatch(/<domain type=["']kvm["']/);
  printed.out = '';
  await render([vm], { to: 'domain', emulation: true });
  expect(printed.out).toMatch(/<domain type=["']qemu["']/);
  printed.out = '';
  const config = file(
    'kv.yaml',
    'apiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: kubevirt}\nspec: {configuration: {machineType: pc-q35-9.0}}\n',
  );
  await render([vm], { config, output: 'json' });
  expect(JSON.parse(printed.out).spec.domain.machine.type).toBe('pc-q35-9.0');
});

test('--with adds objects that the cluster would contain', async () => {
  const sized = good
    .replace('        cpu:\n          cores: 2\n        memory:\n          guest: 1Gi\n', '')
    .replace('  runStrategy: Always', '  runStrategy: Always\n  instancetype: {name: small}');
  const vm = file('vm.yaml', sized);
  expect(await render([vm])).toBe(1);
  const small = `apiVersion: instancetype.kubevirt.io/v1beta1
kind: VirtualMachineClusterInstancetype
metadata: {name: small}
spec: {cpu: {guest: 3}, memory: {guest: 2Gi}}
`;
  expect(await render([vm], { with: [file('small.yaml', small)], output: 'json' })).toBe(0);
  expect(JSON.parse(printed.out).spec.domain).toMatchObject({ cpu: { sockets: 3 }, memory: { guest: '2Gi' } });
});

test.each([
  [{ to: 'domain', output: 'json' }, 'use -o xml'],
  [{ to: 'pod', output: 'xml' }, 'json or yaml'],
] as const)('%j is rejected with what to do', async (flags, remedy) => {
  await expect(render([], flags)).rejects.toThrow(remedy);
});
