import type { Loose } from '../fixtures';
import { object, together, words } from './worlds';

const uefi = '<WillWipeDisk>true</WillWipeDisk><Type>EFI</Type>';
const bios = '<WillWipeDisk>true</WillWipeDisk><Type>Primary</Type>';
const answers = (text: string): Loose => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'answers' },
  data: { 'autounattend.xml': text },
});
const secret = (fields: Loose): Loose => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'answers' },
  ...fields,
});
const windows = (bootloader: Loose, sysprep: Loose = { configMap: { name: 'answers' } }, spec: Loose = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'w', {
    ...spec,
    template: {
      spec: {
        domain: { devices: {}, firmware: { bootloader } },
        volumes: [
          { name: 'answers', sysprep },
          { name: 'setup', persistentVolumeClaim: { claimName: 'setup' } },
        ],
      },
    },
  });
const fromSecret = { secret: { name: 'answers' } };
const reported = ['sysprep-firmware spec.template.spec.volumes[0].sysprep'];

test.each<[string, Loose[], string[]]>([
  ["for the guest's UEFI is right", [answers(uefi), windows({ efi: {} })], []],
  ['for UEFI in a guest with BIOS is reported', [answers(uefi), windows({ bios: {} })], reported],
  ['for UEFI in a guest that says nothing is reported', [answers(uefi), windows({})], reported],
  ['for BIOS in a guest with UEFI is reported', [answers(bios), windows({ efi: {} })], reported],
  [
    'in a Secret is read, too',
    [secret({ stringData: { 'autounattend.xml': bios } }), windows({ efi: {} }, fromSecret)],
    reported,
  ],
  [
    'that is encoded is accepted',
    [secret({ data: { 'autounattend.xml': bios } }), windows({ efi: {} }, fromSecret)],
    [],
  ],
  ['that wipes no disk is accepted', [answers('<Type>EFI</Type>'), windows({ bios: {} })], []],
  ['of a guest whose preference decides is accepted', [answers(uefi), windows({}, undefined, { preference: {} })], []],
  ['that is not declared is accepted', [windows({ bios: {} })], []],
])('a disk layout %s', (_, objects, want) => expect(together(...objects)).toEqual(want));

test('it is reported with the two ways out', () => {
  expect(words(answers(uefi), windows({ bios: {} }))).toEqual([
    'the answer file partitions the disk for UEFI, but the guest boots by BIOS; use WindowsDisk.bios(), or Firmware.efi()',
  ]);
});
