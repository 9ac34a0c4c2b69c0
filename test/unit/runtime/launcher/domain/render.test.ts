import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { renderDomainXml } from '../../../../../src/runtime/launcher/domain/render';
import { el, toXml } from '../../../../../src/runtime/launcher/domain/xml';
import { cases } from './cases';
import { factsOf } from './facts';

// Update with: UPDATE_GOLDENS=1 npx jest test/unit/runtime/launcher/domain
test.each(cases)('$name is rendered as its golden', ({ golden, render }) => {
  const xml = render();
  expect(render()).toBe(xml); // same input, same bytes
  if (process.env.UPDATE_GOLDENS || !existsSync(golden)) writeFileSync(golden, xml);
  expect(xml).toBe(readFileSync(golden, 'utf8'));
});

function valid(): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default', uid: 'u' },
    spec: {
      domain: {
        memory: { guest: '64Mi' },
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
      volumes: [{ name: 'root', emptyDisk: { capacity: '1Gi' } }],
    },
  };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- fields that the types forbid are the point
type Domain = Record<string, any>;

test.each<[string, (domain: Domain, vmi: Domain) => void, RegExp]>([
  ['an unknown field of the domain', (d) => (d.quantum = {}), /^spec.domain.quantum: virt-launcher does not support/],
  ['an unknown device', (d) => (d.devices.teleporter = {}), /^spec.domain.devices.teleporter: /],
  ['an unknown field of a disk', (d) => (d.devices.disks[0].spin = 1), /^spec.domain.devices.disks\[0\].spin: /],
  [
    'an unknown field of a NIC',
    (d) => (d.devices.interfaces[0].slirp = {}),
    /^spec.domain.devices.interfaces\[0\].slirp: /,
  ],
  ['an unknown CPU field', (d) => (d.cpu = { turbo: true }), /^spec.domain.cpu.turbo: /],
  ['dedicated CPUs', (d) => (d.cpu = { dedicatedCpuPlacement: true }), /dedicatedCpuPlacement: .*not support/],
  [
    'an unknown hyperv feature',
    (d) => (d.features = { hyperv: { magic: {} } }),
    /^spec.domain.features.hyperv.magic: /,
  ],
  ['launch security', (d) => (d.launchSecurity = { sev: {} }), /^spec.domain.launchSecurity: /],
  ['a GPU', (d) => (d.devices.gpus = [{ name: 'gpu' }]), /^spec.domain.devices.gpus: /],
  ['a disk without volume', (d) => (d.devices.disks[0].name = 'lost'), /disk "lost" has no volume/],
  [
    'a NIC that phase 1 did not make',
    (d) => (d.devices.interfaces[0].name = 'lost'),
    /interface "lost" was not prepared/,
  ],
  [
    'io native with a cache',
    (d) => Object.assign(d.devices.disks[0], { io: 'native' }),
    /io native needs a cache mode of none/,
  ],
  [
    'secure boot without SMM',
    (d) => (d.firmware = { bootloader: { efi: {} } }),
    /needs system management mode; set features.smm/,
  ],
  ['another architecture', (_, vmi) => (vmi.spec.architecture = 'arm64'), /^spec.architecture: .*amd64/],
  ['no memory', (d) => (d.memory = {}), /memory.guest: the VM has no memory size/],
  ['memory that is no quantity', (d) => (d.memory.guest = 'lots'), /"lots" is not a quantity/],
  ['memory that no page fits', (d) => (d.memory.hugepages = { pageSize: '1Gi' }), /not a multiple of 1Gi/],
  ['too many vCPUs', (d) => (d.cpu = { sockets: 600 }), /600 vCPUs are too many/],
  ['a PCI address that is none', (d) => (d.devices.interfaces[0].pciAddress = '1:2'), /"1:2" is not a PCI address/],
])('%s is refused with its path', (_, change, message) => {
  const vmi = valid();
  const names = factsOf(vmi);
  change(vmi.spec.domain as Domain, vmi);
  const render = () => renderDomainXml(vmi, { ...names, disks: names.disks.map((d) => ({ ...d })), kvm: true });
  expect(render).toThrow(message);
});

test('text cannot break out of its place', () => {
  expect(toXml(el('a', { b: `'"<&>` }, `</a>`))).toBe(
    "<a b='&apos;&quot;&lt;&amp;&gt;'>&lt;/a&gt;</a>\n".replace('<a b', '<a b'),
  );
  expect(() => toXml(el('a', {}, 'bell\u0007'))).toThrow('control character');
});
