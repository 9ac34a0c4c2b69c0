/** Maps CPU, firmware, features and clock of a domain to fields of an instance. Pure. */
import type { Remarks } from './notes';
import { bytesOf, integer, isOn, quantityOf, some } from './units';
import type { Xml } from './xml';

type Part = Record<string, unknown> | undefined;

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  i686: 'amd64',
  aarch64: 'arm64',
  s390x: 's390x',
};

/** Maps to `spec.architecture` and `domain.machine`. */
export function machineOf(domain: Xml, { remark }: Remarks): { architecture?: string; machine?: Part } {
  const type = domain.child('os', 'type');
  const arch = type?.attribute('arch');
  const machine = type?.attribute('machine') ?? '';
  type?.text();
  const architecture = arch === undefined ? undefined : ARCHITECTURES[arch];
  if (arch !== undefined && !architecture) remark(`the architecture ${arch} is not supported; amd64 is used`);
  if (/i440fx|^pc$/.test(machine)) {
    remark(`the machine type ${machine} has no counterpart: the guest gets a q35 board with other devices`);
  }
  const type_ = architecture === 'arm64' ? 'virt' : architecture === 's390x' ? 's390-ccw-virtio' : 'q35';
  return {
    ...(architecture && architecture !== 'amd64' ? { architecture } : {}),
    machine: machine ? { type: type_ } : undefined,
  };
}

/** `domain.cpu`. */
export function cpuOf(domain: Xml, { remark }: Remarks): Part {
  const vcpu = domain.child('vcpu');
  const count = integer(vcpu?.text()) ?? 1;
  const current = integer(vcpu?.attribute('current'));
  const cpu = domain.child('cpu');
  const topology = cpu?.child('topology');
  const [sockets, dies, clusters, cores, threads] = ['sockets', 'dies', 'clusters', 'cores', 'threads'].map(
    (name) => integer(topology?.attribute(name)) ?? 1,
  ) as [number, number, number, number, number];
  if (dies * clusters > 1)
    remark(`dies and clusters of the CPU have no counterpart: each socket gets their ${cores * dies * clusters} cores`);
  const all = sockets * dies * clusters * cores * threads;
  if (topology && all !== count) remark(`the topology has ${all} vCPUs and <vcpu> has ${count}: the topology is used`);
  if (current !== undefined && current !== count)
    remark(`of ${count} vCPUs ${current} are plugged in: the guest gets all of them`);
  const dedicated = domain.child('cputune')?.children('vcpupin') ?? [];
  const emulator = domain.child('cputune')?.child('emulatorpin');
  if (dedicated.length > 0) {
    for (const pin of dedicated) pin.settled();
    emulator?.settled();
    remark('vCPUs are pinned to CPUs that the node assigns');
  }
  const size = topology ? { sockets, cores: cores * dies * clusters, threads } : { cores: count };
  return some({
    ...size,
    model: modelOf(cpu),
    features: featuresOfCpu(cpu),
    dedicatedCpuPlacement: dedicated.length > 0 ? true : undefined,
    isolateEmulatorThread: dedicated.length > 0 && emulator ? true : undefined,
  });
}

function modelOf(cpu: Xml | undefined): string | undefined {
  const mode = cpu?.attribute('mode');
  const name = cpu?.child('model')?.text();
  if (mode === 'host-passthrough' || mode === 'host-model') return mode;
  if (mode === 'maximum') return 'host-passthrough';
  return name === '' ? undefined : name;
}

function featuresOfCpu(cpu: Xml | undefined): unknown[] | undefined {
  const features = (cpu?.children('feature') ?? []).map((feature) =>
    some({ name: feature.attribute('name'), policy: feature.attribute('policy') }),
  );
  return features.length > 0 ? features : undefined;
}

/** `domain.memory`. */
export function memoryOf(domain: Xml, { remark }: Remarks): Part {
  const bytes = bytesOf(domain.child('memory'));
  const most = domain.child('maxMemory');
  const maxGuest = bytesOf(most);
  const slots = most?.attribute('slots');
  if (slots !== undefined) remark('memory slots have no counterpart: memory can grow up to maxGuest');
  const backing = domain.child('memoryBacking');
  const pages = backing?.child('hugepages');
  const page = bytesOf(sizeAttribute(pages?.child('page')));
  return some({
    guest: bytes === undefined ? undefined : quantityOf(bytes),
    maxGuest: maxGuest === undefined ? undefined : quantityOf(maxGuest),
    hugepages: pages ? { pageSize: page === undefined ? '2Mi' : quantityOf(page) } : undefined,
    reservedOverhead: backing?.child('locked') ? { memLock: 'Required' } : undefined,
  });
}

/** Bytes of `<page size='1' unit='GiB'/>`. */
function sizeAttribute(page: Xml | undefined): Xml | undefined {
  if (!page) return undefined;
  const size = page.attribute('size') ?? '';
  page.attribute('nodeset');
  return { attribute: (name: string) => page.attribute(name), text: () => size } as unknown as Xml;
}

/** `domain.firmware`. */
export function firmwareOf(domain: Xml, { remark }: Remarks): Part {
  const os = domain.child('os');
  const loader = os?.child('loader');
  const features = os?.child('firmware')?.children('feature') ?? [];
  const wanted = features.find((feature) => feature.attribute('name') === 'secure-boot');
  for (const feature of features) feature.settled();
  const isEfi = os?.attribute('firmware') === 'efi' || loader?.attribute('type') === 'pflash';
  const secureBoot = isOn(loader?.attribute('secure')) ?? isOn(wanted?.attribute('enabled')) ?? false;
  loader?.settled();
  if (os?.child('nvram')?.settled()) {
    remark(
      'UEFI variables are reset; Firmware.efi({ persistent: true }) keeps them if the platform has a storage class for them',
    );
  }
  const kernel = ['kernel', 'initrd', 'cmdline'].flatMap((name) => os?.child(name)?.settled() ?? []);
  if (kernel.length > 0) {
    remark('a kernel file of the host cannot be booted: put it into an image and use KernelBoot.container');
  }
  const system = domain.child('sysinfo', 'system')?.children('entry') ?? [];
  const serial = system.find((entry) => entry.attribute('name') === 'serial')?.text();
  for (const entry of system) if (entry.attribute('name') === 'uuid') entry.settled();
  os?.child('smbios')?.settled();
  domain.child('sysinfo')?.attribute('type');
  const uuid = domain.child('uuid')?.text();
  return some({
    uuid: uuid === '' ? undefined : uuid,
    serial,
    bootloader: isEfi ? { efi: { secureBoot } } : undefined,
  });
}

/** `domain.chassis`. */
export function chassisOf(domain: Xml): Part {
  const entries = domain.child('sysinfo', 'chassis')?.children('entry') ?? [];
  const known = ['manufacturer', 'version', 'serial', 'asset', 'sku'];
  const found = entries.flatMap((entry): [string, string][] => {
    const name = entry.attribute('name') ?? '';
    return known.includes(name) ? [[name, entry.text()]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** `domain.features`. */
export function featuresOf(domain: Xml, secureBoot: boolean): Part {
  const features = domain.child('features');
  const apic = features?.child('apic');
  const smm = features?.child('smm');
  const eoi = isOn(apic?.attribute('eoi'));
  const kvm = features?.child('kvm')?.child('hidden');
  const smmState = smm ? (isOn(smm.attribute('state')) ?? true) : undefined;
  const hasSmm = secureBoot || smmState === false ? { enabled: secureBoot || smmState !== false } : undefined;
  return some({
    acpi: features && !features.child('acpi') ? { enabled: false } : undefined,
    apic: eoi === undefined ? undefined : { endOfInterrupt: eoi },
    kvm: kvm ? { hidden: isOn(kvm.attribute('state')) ?? true } : undefined,
    pvspinlock: switched(features?.child('pvspinlock')),
    smm: hasSmm,
    ...hypervOf(features?.child('hyperv')),
  });
}

const switched = (element: Xml | undefined): Part =>
  element ? { enabled: isOn(element.attribute('state')) ?? true } : undefined;

function hypervOf(hyperv: Xml | undefined): Record<string, unknown> {
  if (!hyperv) return {};
  if (hyperv.attribute('mode') === 'passthrough') return { hypervPassthrough: { enabled: true } };
  const nested = (element: Xml | undefined, ...parts: readonly string[]): Part =>
    element && {
      ...switched(element),
      ...some(Object.fromEntries(parts.map((part) => [part, switched(element.child(part))]))),
    };
  const plain = [
    'evmcs',
    'frequencies',
    'ipi',
    'reenlightenment',
    'relaxed',
    'reset',
    'runtime',
    'synic',
    'vapic',
    'vpindex',
  ];
  const spinlocks = hyperv.child('spinlocks');
  const vendor = hyperv.child('vendor_id');
  const made = some({
    ...Object.fromEntries(plain.map((name) => [name, switched(hyperv.child(name))])),
    spinlocks: spinlocks && some({ ...switched(spinlocks), spinlocks: integer(spinlocks.attribute('retries')) }),
    synictimer: nested(hyperv.child('stimer'), 'direct'),
    tlbflush: nested(hyperv.child('tlbflush'), 'direct', 'extended'),
    vendorid: vendor && some({ ...switched(vendor), vendorid: vendor.attribute('value') }),
  });
  return made ? { hyperv: made } : {};
}

/** `domain.clock`. */
export function clockOf(domain: Xml, { remark }: Remarks): Part {
  const clock = domain.child('clock');
  if (!clock) return undefined;
  const offset = clock.attribute('offset') ?? 'utc';
  const timezone = clock.attribute('timezone');
  const adjustment = integer(clock.attribute('adjustment'));
  clock.attribute('basis');
  if (offset === 'localtime')
    remark("the clock shows UTC instead of the host's time zone; set one with Clock.timezone");
  const named = offset === 'timezone' && timezone !== undefined;
  const utc = adjustment ? { offsetSeconds: adjustment } : {};
  return { ...(named ? { timezone } : { utc }), ...some({ timer: timersOf(clock) }) };
}

function timersOf(clock: Xml): Part {
  const timers: Readonly<Record<string, string>> = {
    hpet: 'hpet',
    pit: 'pit',
    rtc: 'rtc',
    kvmclock: 'kvm',
    hypervclock: 'hyperv',
  };
  return some(
    Object.fromEntries(
      clock.children('timer').flatMap((timer) => {
        const name = timers[timer.attribute('name') ?? ''];
        if (name === undefined) return [];
        const present = isOn(timer.attribute('present'));
        const policy = name === 'kvm' || name === 'hyperv' ? undefined : timer.attribute('tickpolicy');
        const track = name === 'rtc' ? timer.attribute('track') : undefined;
        return [[name, some({ present, tickPolicy: policy, track }) ?? { present: true }]];
      }),
    ),
  );
}
