/** Hardware of a guest, without disks and networks. Pure. */
import { equal, leaves } from '../difference';
import { call, type Expression, object, value } from '../expression';
import type { Surroundings } from './kind';
import {
  choice,
  each,
  type Fields,
  fieldsOf,
  flag,
  named,
  number,
  onlyKey,
  seconds,
  size,
  some,
  text,
  textMap,
  texts,
} from './values';

type Options = Readonly<Record<string, Expression | undefined>>;
interface Renders {
  _render(): unknown;
}
const render = (made: Renders): unknown => made._render();

/** First expression that renders this value, or the one that needs few changes. */
function firstClose(
  around: Surroundings,
  wanted: unknown,
  expressions: readonly (Expression | undefined)[],
): Expression | undefined {
  const most = leaves(wanted) / 4;
  let found: { expression: Expression; distance: number } | undefined;
  for (const expression of expressions) {
    const distance = expression ? around.distance<Renders>(expression, wanted, render) : Infinity;
    if (distance <= most && distance < (found?.distance ?? Infinity)) found = { expression: expression!, distance };
  }
  return found?.expression;
}

/** CPU of the guest. */
export function cpuOf(given: unknown, around: Surroundings): Expression | undefined {
  if (given === undefined) return undefined;
  const cpu = fieldsOf(given);
  const { cores, sockets, threads } = cpu;
  const options = cpuOptions(cpu, around);
  const model = text(cpu.model);
  const { model: _, ...others } = options;
  if (cores === undefined && sockets === undefined && threads === undefined) {
    return model && call('Cpu.ofModel', model, object(others));
  }
  const alone = (count: unknown, ...others: readonly unknown[]): count is number =>
    typeof count === 'number' && others.every((other) => other === undefined);
  if (alone(cores, sockets, threads)) return call('Cpu.cores', value(cores), object(options));
  if (alone(sockets, cores, threads)) return call('Cpu.sockets', value(sockets), object(options));
  const topology = object({ sockets: number(sockets), cores: number(cores), threads: number(threads) });
  return call('Cpu.topology', topology, object(options));
}

function cpuOptions(cpu: Fields, around: Surroundings): Options {
  const { realtime, numa } = cpu;
  return {
    model: text(cpu.model),
    features: cpuFeaturesOf(cpu.features, around),
    dedicated: flag(cpu.dedicatedCpuPlacement),
    isolateEmulatorThread: flag(cpu.isolateEmulatorThread),
    maxSockets: number(cpu.maxSockets),
    numaPassthrough: fieldsOf(numa).guestMappingPassthrough === undefined ? undefined : value(true),
    realtime: realtimeOf(realtime),
  };
}

/** CPU features to add or to hide. */
export const cpuFeaturesOf = (given: unknown, around: Surroundings): Expression | undefined =>
  each(given, ({ name, policy }) =>
    typeof name === 'string'
      ? object({ name: value(name), policy: choice(around, 'CpuFeaturePolicy', policy) })
      : undefined,
  );

/** Realtime scheduling of vCPUs. */
export const realtimeOf = (given: unknown): Expression | undefined =>
  given === undefined ? undefined : (some({ mask: text(fieldsOf(given).mask) }) ?? value({}));

/** Memory options without the size. */
export function memoryOptionsOf(given: unknown, around: Surroundings): Expression | undefined {
  const { guest, maxGuest, hugepages, reservedOverhead } = fieldsOf(given);
  const { addedOverhead, memLock } = fieldsOf(reservedOverhead);
  return some({
    quantity: size(guest) ? undefined : text(guest),
    maxGuest: size(maxGuest),
    hugepages: choice(around, 'HugepageSize', fieldsOf(hugepages).pageSize),
    addedOverhead: size(addedOverhead),
    locked: memLock === 'Required' ? value(true) : memLock === 'NotRequired' ? value(false) : undefined,
  });
}

/** Firmware and boot options. */
export function firmwareOf(given: unknown, around: Surroundings): Expression | undefined {
  if (given === undefined) return undefined;
  const { bootloader, uuid, serial, kernelBoot } = fieldsOf(given);
  const { bios, efi } = fieldsOf(bootloader);
  const { container, kernelArgs } = fieldsOf(kernelBoot);
  const { image, kernelPath, initrdPath, imagePullPolicy, imagePullSecret } = fieldsOf(container);
  const kernelOptions = object({
    kernelPath: text(kernelPath),
    initrdPath: text(initrdPath),
    args: text(kernelArgs),
    pullPolicy: choice(around, 'PullPolicy', imagePullPolicy),
    pullSecret: named(around, 'Secret', imagePullSecret),
  });
  const kernel = text(image) && call('KernelBoot.container', text(image), kernelOptions);
  const common = { uuid: text(uuid), serial: text(serial), kernelBoot: kernel };
  const { secureBoot, persistent } = fieldsOf(efi);
  const efiOptions = { secureBoot: secureBoot === false ? value(false) : undefined, persistent: flag(persistent) };
  const { acpi: _, ...withoutTables } = fieldsOf(given);
  return firstClose(around, withoutTables, [
    bios === undefined
      ? undefined
      : call('Firmware.bios', object({ useSerial: flag(fieldsOf(bios).useSerial), ...common })),
    efi === undefined ? undefined : call('Firmware.efi', object({ ...efiOptions, ...common })),
    call('Firmware.platform', object(common)),
  ]);
}

/** Clock and timers. */
export function clockOf(given: unknown, around: Surroundings): Expression | undefined {
  if (given === undefined) return undefined;
  const { utc, timezone, timer } = fieldsOf(given);
  const { hpet, hyperv, kvm, pit, rtc } = fieldsOf(timer);
  const timers = some({
    hpet: timerOf(hpet, around),
    hyperv: flag(fieldsOf(hyperv).present),
    kvm: flag(fieldsOf(kvm).present),
    pit: timerOf(pit, around),
    rtc: timerOf(rtc, around),
  });
  const offset = object({ offsetSeconds: number(fieldsOf(utc).offsetSeconds), timers });
  return firstClose(around, given, [
    call('Clock.windows', text(timezone)),
    typeof timezone === 'string' ? call('Clock.timezone', value(timezone), object({ timers })) : undefined,
    call('Clock.utc', offset),
  ]);
}

function timerOf(given: unknown, around: Surroundings): Expression | undefined {
  if (given === undefined) return undefined;
  const { present, tickPolicy, track } = fieldsOf(given);
  const entries = {
    present: flag(present),
    tickPolicy: choice(around, 'TickPolicy', tickPolicy),
    track: choice(around, 'RtcTrack', track),
  };
  return some(entries) ?? value({});
}

/** Features of the machine, without Hyper-V. */
export function featuresOf(given: unknown, secureBoot: boolean): Expression | undefined {
  const { acpi, apic, kvm, pvspinlock, smm } = fieldsOf(given);
  const isUsualSmm = secureBoot && equal(smm, { enabled: true });
  return some({
    acpi: flag(fieldsOf(acpi).enabled),
    apic: flag(fieldsOf(apic).enabled),
    apicEndOfInterrupt: flag(fieldsOf(apic).endOfInterrupt),
    kvmHidden: flag(fieldsOf(kvm).hidden),
    pvSpinlock: flag(fieldsOf(pvspinlock).enabled),
    smm: isUsualSmm ? undefined : flag(fieldsOf(smm).enabled),
  });
}

/** Hyper-V features of the guest. */
export function hypervOf(given: unknown, around: Surroundings): Expression | undefined {
  const { hyperv, hypervPassthrough } = fieldsOf(given);
  if (hypervPassthrough !== undefined && hyperv === undefined) {
    return around.exact<Renders>(call('HyperV.passthrough'), { hypervPassthrough }, render);
  }
  if (hyperv === undefined) return undefined;
  const fields = fieldsOf(hyperv);
  const on = (name: string): Expression | undefined => flag(fieldsOf(fields[name]).enabled);
  const { synictimer, tlbflush, spinlocks, vendorid } = fields;
  const options = object({
    evmcs: on('evmcs'),
    frequencies: on('frequencies'),
    ipi: on('ipi'),
    reenlightenment: on('reenlightenment'),
    relaxed: on('relaxed'),
    reset: on('reset'),
    runtime: on('runtime'),
    spinlocks: number(fieldsOf(spinlocks).spinlocks),
    synic: on('synic'),
    synicTimer: on('synictimer'),
    synicTimerDirect: flag(fieldsOf(fieldsOf(synictimer).direct).enabled),
    tlbFlush: on('tlbflush'),
    tlbFlushDirect: flag(fieldsOf(fieldsOf(tlbflush).direct).enabled),
    tlbFlushExtended: flag(fieldsOf(fieldsOf(tlbflush).extended).enabled),
    vapic: on('vapic'),
    vendorId: text(fieldsOf(vendorid).vendorid),
    vpIndex: on('vpindex'),
  });
  return firstClose(around, { hyperv }, [call('HyperV.windows'), call('HyperV.of', options)]);
}

/** Memory encryption. */
export function launchSecurityOf(given: unknown, around: Surroundings): Expression | undefined {
  if (given === undefined) return undefined;
  const { sev } = fieldsOf(given);
  const { policy, attestation, dhCert, session } = fieldsOf(sev);
  const options = object({
    encryptedState: flag(fieldsOf(policy).encryptedState),
    attestation: attestation === undefined ? undefined : value(true),
    dhCert: text(dhCert),
    session: text(session),
  });
  return firstClose(around, given, [
    call('LaunchSecurity.snp'),
    call('LaunchSecurity.tdx'),
    call('LaunchSecurity.secureExecution'),
    call('LaunchSecurity.sev', options),
  ]);
}

/** I/O threads. */
export function ioThreadsOf({ ioThreadsPolicy, ioThreads }: Fields, around: Surroundings): Expression | undefined {
  if (ioThreadsPolicy === undefined) return undefined;
  const count = number(fieldsOf(ioThreads).supplementalPoolThreadCount);
  const wanted = { ioThreadsPolicy, ...(ioThreads === undefined ? {} : { ioThreads }) };
  return firstClose(around, wanted, [
    call('IoThreads.shared'),
    call('IoThreads.auto'),
    count && call('IoThreads.pool', count),
  ]);
}

/** Claims of dynamic resource allocation that only one device uses, by name. */
export type Claims = ReadonlyMap<string, Expression>;

/** Devices without disks and networks. */
export function devicesOf(given: unknown, around: Surroundings, claims: Claims = new Map()): Expression | undefined {
  const devices = fieldsOf(given);
  const isThere = (name: string): Expression | undefined => (equal(devices[name], {}) ? value(true) : undefined);
  return some({
    gpus: each(devices.gpus, (gpu, i) => hostDevice('Gpu', `gpu${i}`, gpu, i, around, claims)),
    hostDevices: each(devices.hostDevices, (device, i) =>
      hostDevice('HostDevice', `device${i}`, device, i, around, claims),
    ),
    inputs: each(devices.inputs, (input, i) => inputOf(input, i, around)),
    panicDevices: each(devices.panicDevices, ({ model }) => choice(around, 'PanicModel', model)),
    rng: isThere('rng'),
    watchdog: watchdogOf(devices.watchdog, around),
    tpm: devices.tpm === undefined ? undefined : firstClose(around, devices.tpm, TPMS),
    sound: choice(around, 'SoundModel', fieldsOf(devices.sound).model),
    video: choice(around, 'VideoModel', fieldsOf(devices.video).type),
    graphics: flag(devices.autoattachGraphicsDevice),
    serialConsole: flag(devices.autoattachSerialConsole),
    logSerialConsole: flag(devices.logSerialConsole),
    memBalloon: flag(devices.autoattachMemBalloon),
    inputDevice: flag(devices.autoattachInputDevice),
    podInterface: flag(devices.autoattachPodInterface),
    vsock: flag(devices.autoattachVSOCK),
    clientPassthrough: isThere('clientPassthrough'),
    downwardMetrics: isThere('downwardMetrics'),
    blockMultiQueue: flag(devices.blockMultiQueue),
    networkMultiQueue: flag(devices.networkInterfaceMultiqueue),
    disableHotplug: flag(devices.disableHotplug),
    virtioTransitional: flag(devices.useVirtioTransitional),
  });
}

const TPMS = ['EMULATED', 'PERSISTENT', 'NONE'].map((name): Expression => ({
  type: 'exported',
  library: 'virt8s',
  path: ['Tpm', name],
}));

function hostDevice(
  construct: 'Gpu' | 'HostDevice',
  usual: string,
  given: Fields,
  index: number,
  around: Surroundings,
  claims: Claims,
): Expression | undefined {
  const { name, deviceName, claimName, requestName, tag, virtualGPUOptions } = given;
  const { display } = fieldsOf(virtualGPUOptions);
  const { enabled, ramFB } = fieldsOf(display);
  const virtualGpu =
    virtualGPUOptions === undefined
      ? undefined
      : (some({ display: flag(enabled), ramFb: flag(fieldsOf(ramFB).enabled) }) ?? value({}));
  const options = object({ name: name === usual ? undefined : text(name), tag: text(tag), virtualGpu });
  const claim = typeof claimName === 'string' ? claims.get(claimName) : undefined;
  const made = claim
    ? call(`${construct}.fromClaim`, claim, text(requestName), options)
    : text(deviceName) && call(`${construct}.device`, text(deviceName), options);
  return made && around.exact<{ _render(index: number): unknown }>(made, given, (each) => each._render(index));
}

function inputOf(given: Fields, index: number, around: Surroundings): Expression | undefined {
  const { name, type, bus } = given;
  const options = object({
    name: name === `input${index}` ? undefined : text(name),
    bus: choice(around, 'InputBus', bus),
  });
  const made =
    type === 'tablet'
      ? call('InputDevice.tablet', options)
      : call('InputDevice.of', choice(around, 'InputType', type), options);
  return around.exact<{ _render(index: number): unknown }>(made, given, (each) => each._render(index));
}

function watchdogOf(given: unknown, around: Surroundings): Expression | undefined {
  const { name: _, ...models } = fieldsOf(given);
  const model = onlyKey(models);
  if (model !== 'i6300esb' && model !== 'diag288') return undefined;
  const { action } = fieldsOf(models[model]);
  return call(`Watchdog.${model}`, action === 'reset' ? undefined : choice(around, 'WatchdogAction', action));
}

/** Probe of the guest. */
export function probeOf(given: unknown, around: Surroundings): Expression | undefined {
  if (given === undefined) return undefined;
  const probe = fieldsOf(given);
  const common = {
    initialDelay: seconds(probe.initialDelaySeconds),
    period: seconds(probe.periodSeconds),
    timeout: seconds(probe.timeoutSeconds),
    failureThreshold: number(probe.failureThreshold),
    successThreshold: number(probe.successThreshold),
  };
  const { path, port, scheme, host, httpHeaders } = fieldsOf(probe.httpGet);
  const headers = Array.isArray(httpHeaders)
    ? textMap(Object.fromEntries(httpHeaders.map((header) => [fieldsOf(header).name, fieldsOf(header).value])))
    : undefined;
  const http = {
    port: port === 80 ? undefined : number(port),
    scheme: choice(around, 'ProbeScheme', scheme),
    host: text(host),
    headers,
  };
  const tcp = fieldsOf(probe.tcpSocket);
  const command = texts(fieldsOf(probe.exec).command);
  return firstClose(around, given, [
    typeof path === 'string' ? call('VmProbe.fromHttpGet', value(path), object({ ...http, ...common })) : undefined,
    number(tcp.port) && call('VmProbe.fromTcpSocket', number(tcp.port), object({ host: text(tcp.host), ...common })),
    command && call('VmProbe.fromCommand', command, object(common)),
    call('VmProbe.fromGuestAgent', object(common)),
  ]);
}

/** Keys and passwords of Secrets. */
export function credentialsOf(given: unknown, around: Surroundings): Expression | undefined {
  return each(given, (credential) => {
    const { sshPublicKey, userPassword } = fieldsOf(credential);
    const { source, propagationMethod } = fieldsOf(sshPublicKey ?? userPassword);
    const name = fieldsOf(fieldsOf(source).secret).secretName;
    if (typeof name !== 'string') return undefined;
    const secret = around.reference('Secret', name);
    const users = texts(fieldsOf(fieldsOf(propagationMethod).qemuGuestAgent).users);
    return firstClose(around, credential, [
      users && call('AccessCredential.sshKeysByAgent', secret, users),
      call('AccessCredential.sshKeysByNoCloud', secret),
      call('AccessCredential.sshKeysByConfigDrive', secret),
      call('AccessCredential.passwordsByAgent', secret),
    ]);
  });
}
