import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutateVirtualMachineInstance, validateVirtualMachineInstanceCreate } from '../../../src/api';
import { likelyMistakesOfSpec } from '../../../src/api/admission/likely-mistakes';
import { hotplugDisk } from '../../../src/api/admission/volume-requests';
import {
  acceptedBuses,
  arm64Buses,
  attachedBuses,
  bestBus,
  defaultBus,
  deviceOf,
  DISK_BUSES,
  DISK_DEVICES,
  diskBuses,
  factsOfBus,
  pluggableBuses,
} from '../../../src/api/disk-buses';
import { root } from '../../../src/api/findings';
import { importDomain } from '../../../src/cli/import/libvirt/domain';
import { DiskBus, DiskDevice } from '../../../src/constructs';
import { renderDisk } from '../../../src/constructs/storage/render-disk';
import { disks } from '../../../src/runtime/launcher/domain/disks';
import { targets } from '../../../src/runtime/launcher/domain/disks/names';
import { rendered } from '../runtime/launcher/domain/fixture';
import { configured, type Loose, validVmi } from './fixtures';

const schemaOf = (file: string): Loose =>
  JSON.parse(readFileSync(join(__dirname, `../../../api/schema/${file}.json`), 'utf8')).definitions;
const kubevirt = schemaOf('kubevirt.io_v1');
const DEFINITIONS = { disk: 'DiskTarget', lun: 'LunTarget', cdrom: 'CDRomTarget' } as const;

/** A VMI whose second disk is on a claim. */
function vmiWith(device: string, bus: string | undefined, architecture = 'amd64'): Loose {
  const vmi: Loose = validVmi();
  vmi.spec.architecture = architecture;
  for (const disk of vmi.spec.domain.devices.disks) if (disk.disk) disk.disk.bus = 'virtio';
  vmi.spec.volumes[1] = { name: 'scratch', persistentVolumeClaim: { claimName: 'x' } };
  vmi.spec.domain.devices.disks[1] = { name: 'scratch', [device]: bus === undefined ? {} : { bus } };
  return vmi;
}

const pairs = DISK_DEVICES.flatMap((device) => DISK_BUSES.map((bus) => [device, bus] as const));

describe.each(pairs)('a %s on %s', (device, bus) => {
  const accepted = acceptedBuses(device).includes(bus);
  const attached = attachedBuses(device).includes(bus);

  test('is in the enum of the schema when the webhook accepts it', () =>
    expect(kubevirt[DEFINITIONS[device]].properties.bus['x-enum'].includes(bus)).toBe(accepted));

  test('is accepted by the webhook, of arm64 by what its guests have', () => {
    const rulesOf = (architecture: string): string[] =>
      validateVirtualMachineInstanceCreate(vmiWith(device, bus, architecture), configured({}))
        .map(({ rule }) => rule)
        .filter((rule) => /bus/.test(rule));
    expect(rulesOf('amd64')).toEqual(accepted ? [] : ['cdrom-bus']);
    expect(rulesOf('arm64').includes('arm64-disk-bus')).toBe(!arm64Buses().includes(bus));
  });

  test('is a likely mistake when it is accepted and libvirt does not attach it', () => {
    const found = likelyMistakesOfSpec(vmiWith(device, bus).spec, root.at('spec'), configured({}));
    expect(found.map(({ rule }) => rule)).toEqual(accepted && !attached ? ['lun-bus'] : []);
  });

  test('is in the domain when libvirt attaches it', () => {
    const volumes = [{ name: 'a', persistentVolumeClaim: { claimName: 'claim' } }];
    const render = (): string =>
      rendered(disks, {
        volumes,
        claims: { claim: { volumeMode: 'Block' } },
        devices: { disks: [{ name: 'a', [device]: { bus } }] },
      });
    if (attached) expect(render()).toContain(`<target bus='${bus}' dev='${diskBuses[bus].prefix}a'`);
    else
      expect(render).toThrow(
        `libvirt attaches no ${device} to ${bus}; set it to ${attachedBuses(device).join(' or ')}`,
      );
  });

  test('is plugged while the guest runs where the table allows it', () =>
    expect(hotplugDisk({ name: 'a', [device]: { bus } }, 'a', 'AddVolume request') === undefined).toBe(
      pluggableBuses(device).includes(bus),
    ));
});

test('constructs offer each bus once', () => {
  const offered = Object.values(DiskBus).filter((each): each is DiskBus => each instanceof DiskBus);
  expect(offered.map(({ value }) => value).sort()).toEqual([...DISK_BUSES].sort());
  for (const { value } of [DiskDevice.DISK, DiskDevice.LUN, DiskDevice.CDROM]) expect(DISK_DEVICES).toContain(value);
});

test('preferences choose among all buses', () => {
  const { properties } = schemaOf('instancetype.kubevirt.io_v1beta1').DevicePreferences;
  for (const field of ['preferredDiskBus', 'preferredLunBus', 'preferredCdromBus']) {
    expect(properties[field]['x-enum']).toEqual(DISK_BUSES);
  }
});

test.each(DISK_DEVICES.flatMap((device) => [false, true].map((plugged) => [device, plugged] as const)))(
  'constructs put a %s, plugged: %s, on a bus on which the guest starts',
  (device, plugged) => {
    const bus = bestBus(device, plugged);
    const kind = { disk: DiskDevice.DISK, lun: DiskDevice.LUN, cdrom: DiskDevice.CDROM }[device];
    expect(
      renderDisk({ options: { device: kind, hotpluggable: plugged }, presentedAs: 'device' }, 0, false),
    ).toMatchObject({ [device]: { bus } });
    expect(attachedBuses(device)).toContain(bus);
    if (plugged && device !== 'cdrom') expect(pluggableBuses(device)).toContain(bus);
  },
);

test.each(DISK_DEVICES.flatMap((device) => ['amd64', 'arm64', 's390x'].map((arch) => [device, arch] as const)))(
  'the webhook writes the default bus of a %s on %s, and accepts it',
  (device, architecture) => {
    const stored: Loose = mutateVirtualMachineInstance(vmiWith(device, undefined, architecture), configured({}));
    const bus = defaultBus(device, architecture);
    expect(stored.spec.domain.devices.disks[1]).toMatchObject({ [device]: { bus } });
    expect(acceptedBuses(device)).toContain(bus);
  },
);

test('a LUN without a bus is a likely mistake where the default bus attaches none', () => {
  const found = (architecture: string, preferred = false): string[] =>
    likelyMistakesOfSpec(vmiWith('lun', undefined, architecture).spec, root.at('spec'), configured({}), preferred).map(
      ({ rule, path }) => `${rule} ${path}`,
    );
  expect(found('amd64')).toEqual(['lun-bus spec.domain.devices.disks[1].lun.bus']);
  expect(found('arm64')).toEqual([]);
  expect(found('amd64', true)).toEqual([]);
});

test('the importer of libvirt domains keeps each bus, and replaces IDE', () => {
  const domain = (bus: string): string =>
    `<domain><name>vm</name><memory unit='GiB'>1</memory><os><type>hvm</type></os><devices><disk type='file' device='disk'>` +
    `<source file='/a.img'/><target dev='a' bus='${bus}'/></disk></devices></domain>`;
  const busOf = (bus: string): string | undefined =>
    /bus"?: ?"(\w+)"/.exec(JSON.stringify(importDomain(domain(bus))))?.[1];
  for (const bus of DISK_BUSES) expect([bus, busOf(bus)]).toEqual([bus, bus]);
  expect(busOf('ide')).toBe('sata');
});

test('the guide to disks names each bus', () => {
  const guide = readFileSync(join(__dirname, '../../../docs/guides/disks.md'), 'utf8');
  for (const bus of DISK_BUSES) expect(guide).toContain(`\`${bus.toUpperCase()}\``);
});

test('names of disks on unknown buses and devices are not changed', () => {
  expect(factsOfBus('ide')).toBeUndefined();
  expect(factsOfBus('constructor')).toBeUndefined();
  expect(deviceOf({ lun: {}, cdrom: {} })).toBe('lun');
  expect(deviceOf({})).toBeUndefined();
  const vmi = { spec: { domain: { devices: { disks: [{ name: 'a', disk: { bus: 'scsi' } }] } } } } as never;
  expect(targets(vmi)).toEqual({ a: 'sda' });
});
