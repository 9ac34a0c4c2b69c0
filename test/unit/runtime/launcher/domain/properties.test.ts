import type { DomainSpec } from '../../../../../src/api';
import { DomainError } from '../../../../../src/runtime/launcher/domain/error';
import { pinsOf } from '../../../../../src/runtime/launcher/domain/pinning';
import { renderDomainXml } from '../../../../../src/runtime/launcher/domain/render';
import fc, { runs } from '../../../../support/fast-check';
import { type Fixture, vmiOf } from './fixture';
import { factsOf } from './facts';

const count = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined });
const flag = fc.option(fc.boolean(), { nil: undefined });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const cpu = fc.record({
  cores: count(8),
  sockets: count(4),
  threads: count(4),
  maxSockets: count(8),
  dedicatedCpuPlacement: flag,
  isolateEmulatorThread: flag,
  numa: maybe(fc.constant({ guestMappingPassthrough: {} })),
  realtime: maybe(fc.constant({})),
  model: maybe(fc.constantFrom('host-model', 'host-passthrough', 'Haswell')),
});
const bus = fc.constantFrom('virtio', 'scsi', 'sata', 'usb');
const disk = fc.record({ disk: fc.record({ bus: maybe(bus) }), dedicatedIOThread: flag });

const fixture: fc.Arbitrary<Fixture> = fc
  .record({
    architecture: fc.constantFrom('amd64', 'arm64', 's390x'),
    cpu: maybe(cpu),
    guest: fc.constantFrom('64Mi', '1Gi', '1.5Gi', '3000000000'),
    maxGuest: maybe(fc.constantFrom('4Gi', '1Gi')),
    hugepages: maybe(fc.constantFrom('2Mi', '1Gi')),
    ioThreadsPolicy: maybe(fc.constantFrom('shared', 'auto')),
    disks: fc.array(disk, { maxLength: 6 }),
    onRootComplex: fc.boolean(),
    spareRootPorts: fc.boolean(),
    text: fc.string(),
  })
  .map((given) => ({
    architecture: given.architecture,
    annotations: { 'kubevirt.io/placePCIDevicesOnRootComplex': String(given.onRootComplex) },
    facts: { spareRootPorts: given.spareRootPorts },
    domain: {
      cpu: given.cpu,
      memory: {
        guest: given.guest,
        maxGuest: given.maxGuest,
        hugepages: given.hugepages === undefined ? undefined : { pageSize: given.hugepages },
      },
      ioThreadsPolicy: given.ioThreadsPolicy,
      chassis: { serial: given.text },
    } as Partial<DomainSpec>,
    devices: { disks: given.disks.map((each, i) => ({ ...each, name: `d${i}` })) },
    volumes: given.disks.map((_, i) => ({ name: `d${i}`, emptyDisk: { capacity: '1Gi' } })),
  }));

/** XML of a fixture, or the reason why it cannot be rendered. */
function attempt(given: Fixture): string {
  const vmi = vmiOf(given);
  try {
    return renderDomainXml(vmi, factsOf(vmi, given));
  } catch (error) {
    if (error instanceof DomainError || /control character/.test((error as Error).message)) return String(error);
    throw error;
  }
}

test('any domain is rendered deterministically, or rejected with its path', () => {
  fc.assert(
    fc.property(fixture, (given) => {
      const xml = attempt(given);
      expect(attempt(given)).toBe(xml);
      expect(xml).not.toMatch(/undefined|NaN|\[object/);
    }),
    { numRuns: runs(400) },
  );
});

test('no CPU has two users: vCPUs, the emulator, or threads of a pool', () => {
  fc.assert(
    fc.property(cpu, fc.integer({ min: 0, max: 4 }), (of, threads) => {
      const vmi = vmiOf({
        domain: {
          cpu: { ...of, dedicatedCpuPlacement: true, numa: undefined },
          ...(threads > 0 && {
            ioThreadsPolicy: 'supplementalPool' as const,
            ioThreads: { supplementalPoolThreadCount: threads },
          }),
        },
      });
      let pins;
      try {
        pins = pinsOf(vmi, factsOf(vmi))!;
      } catch (error) {
        return void expect(error).toBeInstanceOf(DomainError);
      }
      const all = [...pins.vcpus, ...(pins.emulator ?? []), ...pins.iothreads.flat()];
      expect(new Set(all).size).toBe(all.length);
    }),
    { numRuns: runs(400) },
  );
});
