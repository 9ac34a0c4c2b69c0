import { keys } from '../../../api/keys';
import { namedVcpus } from '../../../api/defaulting/cpu';
import { parseQuantity, tryParseQuantity } from '../../../api/quantity';
import type { ParsedQuantity } from '../../../api/quantity';
import type { VirtualMachineInstance } from '../../../api';
import { nothing, parsed, plus, units, wholeUnits, written } from './amounts';
import type { Amounts } from './amounts';
import { deviceClaims, deviceResources, nodeDevices } from './devices';
import { hasDedicatedCpus, isZero } from './input';
import type { RenderInput } from './input';
import { limitsCpu, limitsMemory, memoryLimitRatio } from './namespace-limits';
import type { ResourceRequirements } from './types';

/** Overlays, logs and the like, beside what the user asks for. */
const EPHEMERAL_STORAGE = parseQuantity('50M');

/** Limits and requests side by side. */
interface Budget {
  readonly limits: Amounts;
  readonly requests: Amounts;
}

/**
 * Resources of the compute container: what the user asked for, raised by what the Pod itself needs (`asked`), over what
 * only follows from the VM (`derived`).
 */
export function computeResources(input: RenderInput, overhead: ParsedQuantity): ResourceRequirements {
  const { vmi, config } = input;
  const given = vmi.spec.domain.resources ?? {};
  const asked: Budget = { limits: parsed(given.limits), requests: parsed(given.requests) };
  const derived: Budget = { limits: {}, requests: {} };

  addEphemeralStorage(asked);
  Object.assign(asked.limits, nodeDevices(input));
  // before the overhead: that is never overcommitted
  if (isZero(given.requests?.memory)) requestMemory(vmi, config.memoryOvercommit, asked);
  if (hasDedicatedCpus(vmi)) pinCpus(vmi, asked);
  else shareCpus(input, derived);
  if (vmi.spec.domain.memory?.hugepages) requestHugepages(vmi, overhead, asked, derived);
  else addOverhead(given.overcommitGuestOverhead === true, overhead, asked);
  if (limitsMemory(input)) derived.limits.memory = scaled(asked.requests.memory ?? nothing, memoryLimitRatio(input));

  for (const name of deviceResources(input)) {
    for (const kind of ['limits', 'requests'] as const) {
      derived[kind][name] = plus(asked[kind][name] ?? derived[kind][name] ?? nothing, units(1n, 'DecimalSI'));
    }
  }
  const claims = deviceClaims(input);
  const limits = written({ ...derived.limits, ...asked.limits });
  const requests = written({ ...derived.requests, ...asked.requests });
  return { ...(claims.length > 0 && { claims }), ...(limits && { limits }), ...(requests && { requests }) };
}

function addEphemeralStorage({ limits, requests }: Budget): void {
  const name = 'ephemeral-storage';
  requests[name] = plus(requests[name] ?? nothing, EPHEMERAL_STORAGE);
  if (limits[name]) limits[name] = plus(limits[name], EPHEMERAL_STORAGE);
}

/** Memory for the guest itself: the limit, else the guest's size over the overcommit. An explicit zero stays. */
function requestMemory(vmi: VirtualMachineInstance, overcommit: number, { limits, requests }: Budget): void {
  if (limits.memory && limits.memory.nanos !== 0n) requests.memory = limits.memory;
  if (requests.memory) return;
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  const size = tryParseQuantity(guest ?? hugepages?.pageSize);
  if (!size || size.nanos <= 0n) return;
  requests.memory =
    overcommit === 100 ? size : units((wholeUnits(size) * 100n) / BigInt(Math.trunc(overcommit)), size.format);
}

/** Whole CPUs, and the same limits as requests: the kubelet's static CPU manager wants both. */
function pinCpus(vmi: VirtualMachineInstance, { limits, requests }: Budget): void {
  const vcpus = namedVcpus(vmi.spec.domain.cpu);
  const extra = units(BigInt(ioThreads(vmi)), 'BinarySI');
  if (vcpus !== 0) {
    limits.cpu = requests.cpu = plus(units(BigInt(vcpus), 'BinarySI'), extra);
  } else {
    if (limits.cpu) limits.cpu = plus(limits.cpu, extra);
    if (requests.cpu) requests.cpu = plus(requests.cpu, extra);
  }
  if (vmi.spec.domain.cpu?.isolateEmulatorThread) {
    const emulator = units(emulatorCpus(vmi, limits.cpu ?? nothing), 'BinarySI');
    limits.cpu = plus(limits.cpu ?? nothing, emulator);
    if (requests.cpu) requests.cpu = plus(requests.cpu, emulator);
  }
  if (requests.memory) limits.memory = requests.memory;
}

/** One CPU for the emulator; two where the cluster wants an even number and one would make it odd. */
function emulatorCpus({ metadata, spec }: VirtualMachineInstance, cpus: ParsedQuantity): bigint {
  if (metadata.annotations?.[keys.emulatorEvenParity] === undefined) return 1n;
  const pool =
    spec.domain.ioThreadsPolicy === 'supplementalPool' ? (spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0) : 0;
  return (wholeUnits(cpus) + BigInt(pool)) % 2n === 0n ? 2n : 1n;
}

const ioThreads = (vmi: VirtualMachineInstance): number => vmi.spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0;

/** One CPU per `cpuAllocationRatio` vCPUs; a limit, where one is wanted, of one per vCPU. */
function shareCpus(input: RenderInput, { limits, requests }: Budget): void {
  const { vmi, config } = input;
  const total = (vmi.spec.domain.cpu ? namedVcpus(vmi.spec.domain.cpu) : 1) + ioThreads(vmi);
  if (total === 0) return;
  const share = total / config.cpuAllocationRatio;
  // a repeating fraction is cut where a float ends, as KubeVirt cuts it
  requests.cpu = parseQuantity(share < 1 ? `${share * 1000}m` : String(share));
  if (limitsCpu(input)) limits.cpu = units(BigInt(total), 'DecimalSI');
}

/** The guest lives in huge pages; ordinary memory is for the overhead and for what is asked for beyond the guest. */
function requestHugepages(vmi: VirtualMachineInstance, overhead: ParsedQuantity, asked: Budget, derived: Budget): void {
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  const kind = `hugepages-${hugepages?.pageSize ?? ''}`;
  const size = guest === undefined ? undefined : parseQuantity(guest);
  const isBeyond = (amount: ParsedQuantity): boolean => size !== undefined && wholeUnits(amount) > wholeUnits(size);
  const beyond = (amount: ParsedQuantity): ParsedQuantity =>
    plus(size && isBeyond(amount) ? { ...amount, nanos: amount.nanos - size.nanos } : nothing, overhead);
  const requested = asked.requests.memory ?? nothing;
  derived.requests[kind] = derived.limits[kind] = size && isBeyond(requested) ? size : requested;
  asked.requests.memory = beyond(requested);
  if (asked.limits.memory) asked.limits.memory = beyond(asked.limits.memory);
}

function addOverhead(isOvercommitted: boolean, overhead: ParsedQuantity, { limits, requests }: Budget): void {
  requests.memory = isOvercommitted ? (requests.memory ?? nothing) : plus(requests.memory ?? nothing, overhead);
  if (limits.memory) limits.memory = plus(limits.memory, overhead);
}

const scaled = (amount: ParsedQuantity, ratio: number): ParsedQuantity =>
  units(BigInt(Math.trunc(Number(wholeUnits(amount)) * ratio)), amount.format);
