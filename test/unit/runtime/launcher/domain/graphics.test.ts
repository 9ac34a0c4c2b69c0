import { graphics, inputs, video } from '../../../../../src/runtime/launcher/domain/graphics';
import { type Fixture, rendered } from './fixture';

const VGA = "<model type='vga' heads='1' vram='16384'/>";
const uefi = { firmware: { bootloader: { efi: {} } } };

test.each<[string, Fixture, string]>([
  ['amd64 with BIOS has VGA', {}, VGA],
  ['amd64 with UEFI has bochs', { domain: uefi }, "<model type='bochs' heads='1'/>"],
  ['unless the cluster configures VGA', { domain: uefi, facts: { bochsForEfi: false } }, VGA],
  ['arm64 has virtio', { architecture: 'arm64' }, "<model type='virtio' heads='1'/>"],
  ['s390x has virtio', { architecture: 's390x' }, "<model type='virtio' heads='1'/>"],
  ['a VMI may choose', { devices: { video: { type: 'ramfb' } } }, "<model type='ramfb' heads='1' vram='16384'/>"],
])('%s', (_, fixture, want) => {
  expect(rendered(video, fixture)).toBe(`<video>${want}</video>`);
});

test('VNC is on a socket of the Pod', () => {
  expect(rendered(graphics, {})).toBe(
    "<graphics type='vnc'><listen type='socket' socket='/var/run/kubevirt-private/u/virt-vnc'/></graphics>",
  );
});

test.each<[string, Fixture]>([
  ['it is switched off', { devices: { autoattachGraphicsDevice: false } }],
  ['the emulator has no card', { facts: { isForeignArchitecture: true } }],
])('there is no display when %s', (_, fixture) => {
  expect(rendered(graphics, fixture) + rendered(video, fixture)).toBe('');
});

const pen = { name: 'pen', type: 'tablet' } as const;

test.each<[string, Fixture, string]>([
  [
    'an input is on USB',
    { devices: { inputs: [pen] } },
    "<input type='tablet' bus='usb'><alias name='ua-pen'/></input>",
  ],
  [
    'or on virtio',
    { devices: { inputs: [{ ...pen, bus: 'virtio' }] } },
    "<input type='tablet' bus='virtio' model='virtio'><alias name='ua-pen'/></input>",
  ],
  ['amd64 has its own keyboard', {}, ''],
  ['arm64 gets both', { architecture: 'arm64' }, "<input type='tablet' bus='usb'/><input type='keyboard' bus='usb'/>"],
  [
    'arm64 with a tablet gets a keyboard',
    { architecture: 'arm64', devices: { inputs: [pen] } },
    "<input type='tablet' bus='usb'><alias name='ua-pen'/></input><input type='keyboard' bus='usb'/>",
  ],
  ['s390x gets a keyboard', { architecture: 's390x' }, "<input type='keyboard' bus='virtio'/>"],
  ['without a screen nobody types', { architecture: 's390x', devices: { autoattachGraphicsDevice: false } }, ''],
])('%s', (_, fixture, want) => {
  expect(rendered(inputs, fixture)).toBe(want);
});
