/** Instance types and preferences. Pure. */
import { equal } from '../difference';
import { call, type Expression, value } from '../expression';
import type { Mapping, Surroundings } from './kind';
import {
  clockOf,
  cpuFeaturesOf,
  devicesOf,
  featuresOf,
  hypervOf,
  ioThreadsOf,
  launchSecurityOf,
  realtimeOf,
} from './machine';
import { blockSize } from './disk';
import { choice, type Fields, fieldsOf, flag, number, seconds, size, some, text, textMap } from './values';

export const instancetype: Mapping = ({ kind, spec }, around) => {
  const fields = fieldsOf(spec);
  const cpu = fieldsOf(fields.cpu);
  const memory = fieldsOf(fields.memory);
  const cpus = number(cpu.guest);
  const guest = size(memory.guest);
  if (!cpus || !guest) return undefined;
  const devices = devicesOf({ gpus: fields.gpus, hostDevices: fields.hostDevices }, around);
  const given = devices?.type === 'object' ? Object.fromEntries(devices.entries) : {};
  return {
    construct: kind.includes('Cluster') ? 'ClusterInstancetype' : 'Instancetype',
    props: {
      cpus,
      memory: guest,
      maxSockets: number(cpu.maxSockets),
      cpuModel: text(cpu.model),
      dedicatedCpus: flag(cpu.dedicatedCPUPlacement),
      isolateEmulatorThread: flag(cpu.isolateEmulatorThread),
      numaPassthrough: equal(cpu.numa, { guestMappingPassthrough: {} }) ? value(true) : undefined,
      realtime: realtimeOf(cpu.realtime),
      maxMemory: size(memory.maxGuest),
      hugepages: choice(around, 'HugepageSize', fieldsOf(memory.hugepages).pageSize),
      memoryOvercommitPercent: number(memory.overcommitPercent),
      gpus: given.gpus,
      hostDevices: given.hostDevices,
      ioThreads: ioThreadsOf(fields, around),
      launchSecurity: launchSecurityOf(fields.launchSecurity, around),
      nodeSelector: textMap(fields.nodeSelector),
      schedulerName: text(fields.schedulerName),
      annotations: textMap(fields.annotations),
    },
  };
};

export const preference: Mapping = ({ kind, spec }, around) => {
  const fields = fieldsOf(spec);
  const { cpu, clock, features, firmware, machine, requirements, volumes } = fields;
  const { preferredAcpi, preferredApic, preferredHyperv, preferredKvm, preferredPvspinlock, preferredSmm } =
    fieldsOf(features);
  const { preferredClockOffset, preferredTimer } = fieldsOf(clock);
  const needed = fieldsOf(requirements);
  const own = { acpi: preferredAcpi, apic: preferredApic, kvm: preferredKvm };
  return {
    construct: kind.includes('Cluster') ? 'ClusterPreference' : 'Preference',
    props: {
      topology: topology(fieldsOf(cpu), around),
      socketToCoreRatio: number(fields.preferSpreadSocketToCoreRatio),
      cpuFeatures: cpuFeaturesOf(fieldsOf(cpu).preferredCPUFeatures, around),
      clock:
        preferredClockOffset === undefined
          ? undefined
          : clockOf(clockFields(preferredClockOffset, preferredTimer), around),
      devices: preferredDevices(fieldsOf(fields.devices), around),
      features: featuresOf({ ...own, pvspinlock: preferredPvspinlock, smm: preferredSmm }, false),
      hyperv: preferredHyperv === undefined ? undefined : hypervOf({ hyperv: preferredHyperv }, around),
      firmware: preferredFirmware(fieldsOf(firmware)),
      machineType: text(fieldsOf(machine).preferredMachineType),
      architecture: choice(around, 'Architecture', fields.preferredArchitecture),
      launchSecurity: launchSecurityOf(fields.preferredLaunchSecurity, around),
      subdomain: text(fields.preferredSubdomain),
      terminationGracePeriod: seconds(fields.preferredTerminationGracePeriodSeconds),
      storageClass: text(fieldsOf(volumes).preferredStorageClassName),
      requirements: some({
        cpus: number(fieldsOf(needed.cpu).guest),
        memory: size(fieldsOf(needed.memory).guest),
        architecture: choice(around, 'Architecture', needed.architecture),
      }),
      annotations: textMap(fields.annotations),
    },
  };
};

const clockFields = (offset: unknown, timer: unknown): Fields => ({
  ...fieldsOf(offset),
  ...(timer === undefined ? {} : { timer }),
});

function topology({ preferredCPUTopology, spreadOptions }: Fields, around: Surroundings): Expression | undefined {
  const { across, ratio } = fieldsOf(spreadOptions);
  if (preferredCPUTopology !== 'spread') return choice(around, 'PreferredTopology', preferredCPUTopology);
  const over = choice(around, 'SpreadAcross', across) ?? (ratio === undefined ? undefined : value(undefined));
  return call('PreferredTopology.spread', over, number(ratio));
}

function preferredFirmware({ preferredEfi, preferredUseBios, preferredUseBiosSerial }: Fields): Expression | undefined {
  const { secureBoot, persistent } = fieldsOf(preferredEfi);
  const efi = preferredEfi !== undefined ? value(true) : preferredUseBios === true ? value(false) : undefined;
  return some({
    efi,
    secureBoot: secureBoot === false ? value(false) : undefined,
    persistent: flag(persistent),
    useSerial: flag(preferredUseBiosSerial),
  });
}

function preferredDevices(given: Fields, around: Surroundings): Expression | undefined {
  const preferred = (name: string): unknown => given[`preferred${name}`];
  const isThere = (name: string): Expression | undefined => (equal(preferred(name), {}) ? value(true) : undefined);
  const { enabled, ramFB } = fieldsOf(fieldsOf(preferred('VirtualGPUOptions')).display);
  return some({
    diskBus: choice(around, 'DiskBus', preferred('DiskBus')),
    cdromBus: choice(around, 'DiskBus', preferred('CdromBus')),
    lunBus: choice(around, 'DiskBus', preferred('LunBus')),
    diskCache: choice(around, 'DiskCache', preferred('DiskCache')),
    diskIo: choice(around, 'DiskIo', preferred('DiskIO')),
    diskBlockSize: blockSize(preferred('DiskBlockSize'), around),
    diskDedicatedIoThread: flag(preferred('DiskDedicatedIoThread')),
    interfaceModel: choice(around, 'NicModel', preferred('InterfaceModel')),
    interfaceMasquerade: isThere('InterfaceMasquerade'),
    inputBus: choice(around, 'InputBus', preferred('InputBus')),
    inputType: choice(around, 'InputType', preferred('InputType')),
    panicModel: choice(around, 'PanicModel', preferred('PanicDeviceModel')),
    soundModel: choice(around, 'SoundModel', preferred('SoundModel')),
    video: choice(around, 'VideoModel', preferred('VideoType')),
    tpm: tpm(preferred('TPM'), around),
    rng: isThere('Rng'),
    virtualGpu: some({ display: flag(enabled), ramFb: flag(fieldsOf(ramFB).enabled) }),
    graphics: flag(preferred('AutoattachGraphicsDevice')),
    inputDevice: flag(preferred('AutoattachInputDevice')),
    memBalloon: flag(preferred('AutoattachMemBalloon')),
    podInterface: flag(preferred('AutoattachPodInterface')),
    serialConsole: flag(preferred('AutoattachSerialConsole')),
    blockMultiQueue: flag(preferred('BlockMultiQueue')),
    networkMultiQueue: flag(preferred('NetworkInterfaceMultiQueue')),
    disableHotplug: flag(preferred('DisableHotplug')),
    virtioTransitional: flag(preferred('UseVirtioTransitional')),
  });
}

function tpm(given: unknown, around: Surroundings): Expression | undefined {
  const devices = devicesOf({ tpm: given }, around);
  return devices?.type === 'object' ? devices.entries[0]?.[1] : undefined;
}
