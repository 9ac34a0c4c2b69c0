import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The README's commands that need no cluster, on the manifests of its reader. */
const folder = mkdtempSync(join(tmpdir(), 'virt8s-manifests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const vm = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: web}
spec:
  runStrategy: Always
  template:
    spec:
      domain:
        memory: {guest: 1Gi}
        devices:
          disks: [{name: data, disk: {bus: virtio}}]
          interfaces: [{name: default, masquerade: {}}]
      networks: [{name: default, pod: {}}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
`;
const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {volumeMode: Block, accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}}
`;
const kubevirt = `apiVersion: kubevirt.io/v1
kind: KubeVirt
metadata: {name: kubevirt, namespace: kubevirt}
spec: {configuration: {machineType: pc-q35-9.0}}
`;

beforeAll(() => {
  mkdirSync(join(folder, 'manifests'));
  for (const [name, text] of Object.entries({
    'vm.yaml': vm,
    'manifests/vm.yaml': vm,
    'manifests/bad.yaml': vm.replace('virtio', 'virtioo'),
    'claims.yaml': claim,
    'kubevirt.yaml': kubevirt,
  })) {
    writeFileSync(join(folder, name), text);
  }
});

function virt8s(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(resolve('bin/virt8s'), args, { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

test('validate names the line of a mistake and what to write instead', () => {
  const { code, out, err } = virt8s('validate', 'manifests/');
  expect(code).toBe(1);
  expect(err).toMatch(/^manifests\/bad\.yaml:\d+:\d+: spec\.template\.spec\.domain\.devices\.disks\[0\]\.disk\.bus: /);
  expect(err).toContain('did you mean "virtio"?');
  expect(out).toBe('2 files: 1 valid, 1 refused\n');
});

test('explain describes a field, and lists the defaults of a file', () => {
  expect(virt8s('explain', 'vm.spec.template.spec.domain.cpu').out).toMatch(
    /^VirtualMachine .*<CPU>[^]*cores <integer>/,
  );
  expect(virt8s('explain', 'vm.yaml').out).toContain('spec.domain.machine.type: "q35"');
});

test.each([
  ['vmi', [], /kind: VirtualMachineInstance[^]*phase: Pending/],
  ['verdict', [], /^allowed: true$/m],
  ['pod', ['--config', 'kubevirt.yaml', '--with', 'claims.yaml'], /devicePath: \/dev\/data/],
  ['domain', ['--emulation'], /^<domain type='qemu'/],
])('render --to %s shows that step', (stage, flags, expected) => {
  const { code, out } = virt8s('render', 'vm.yaml', '--to', stage, ...flags);
  expect(out).toMatch(expected);
  expect(code).toBe(0);
});
