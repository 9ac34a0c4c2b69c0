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

/** Ephemeral storage for overlays, logs and the like, in addition to the user's request. */
const EPHEMERAL_STORAGE = parseQuantity('50M');

/** Limits and requests side by side. */
interface Budget {
  readonly limits: Amounts;
  readonly requests: Amounts;
}

/**
 * Resources of the compute container: the user's request plus what the Pod itself needs (`demand`), merged over values that
 * are derived from the VM (`derived`).
 */
export function computeResources(input: RenderInput, overhead: ParsedQuantity): ResourceRequirements {
  const { vmi, config } = input;
  const given = vmi.spec.domain.resources ?? {};
  const demand: Budget = { limits: parsed(given.limits), requests: parsed(given.requests) };
  const derived: Budget = { limits: {}, requests: {} };

  addEphemeralStorage(demand);
  Object.assign(demand.limits, nodeDevices(input));
  // before the overhead is added, which is never overcommitted
  if (isZero(given.requests?.memory)) requestMemory(vmi, config.memoryOvercommit, demand);
  if (hasDedicatedCpus(vmi)) pinCpus(vmi, demand);
  else shareCpus(input, derived);
  if (vmi.spec.domain.memory?.hugepages) requestHugepages(vmi, overhead, demand, derived);
  else addOverhead(given.overcommitGuestOverhead === true, overhead, demand);
  if (limitsMemory(input)) derived.limits.memory = scaled(demand.requests.memory ?? nothing, memoryLimitRatio(input));

  for (const name of deviceResources(input)) {
    for (const kind of ['limits', 'requests'] as const) {
      derived[kind][name] = plus(demand[kind][name] ?? derived[kind][name] ?? nothing, units(1n, 'DecimalSI'));
    }
  }
  const claims = deviceClaims(input);
  const limits = written({ ...derived.limits, ...demand.limits });
  const requests = written({ ...derived.requests, ...demand.requests });
  return { ...(claims.length > 0 && { claims }), ...(limits && { limits }), ...(requests && { requests }) };
}

function addEphemeralStorage({ limits, requests }: Budget): void {
  const name = 'ephemeral-storage';
  requests[name] = plus(requests[name] ?? nothing, EPHEMERAL_STORAGE);
  if (limits[name]) limits[name] = plus(limits[name], EPHEMERAL_STORAGE);
}

/** Memory for the guest: the limit, else the guest's size divided by the overcommit. An explicit zero is kept. */
function requestMemory(vmi: VirtualMachineInstance, overcommit: number, { limits, requests }: Budget): void {
  if (limits.memory && limits.memory.nanos !== 0n) requests.memory = limits.memory;
  if (requests.memory) return;
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  const size = tryParseQuantity(guest ?? hugepages?.pageSize);
  if (!size || size.nanos <= 0n) return;
  requests.memory =
    overcommit === 100 ? size : units((wholeUnits(size) * 100n) / BigInt(Math.trunc(overcommit)), size.format);
}

/** Whole CPUs, with limits equal to requests: the kubelet's static CPU manager requires both. */
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

/** CPUs for the emulator: one, or two if the cluster requires an even number and one would make it odd. */
function emulatorCpus({ metadata, spec }: VirtualMachineInstance, cpus: ParsedQuantity): bigint {
  if (metadata.annotations?.[keys.emulatorEvenParity] === undefined) return 1n;
  const pool =
    spec.domain.ioThreadsPolicy === 'supplementalPool' ? (spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0) : 0;
  return (wholeUnits(cpus) + BigInt(pool)) % 2n === 0n ? 2n : 1n;
}

const ioThreads = (vmi: VirtualMachineInstance): number => vmi.spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0;

/** One CPU per `cpuAllocationRatio` vCPUs; if a limit is required, one per vCPU. */
function shareCpus(input: RenderInput, { limits, requests }: Budget): void {
  const { vmi, config } = input;
  const total = (vmi.spec.domain.cpu ? namedVcpus(vmi.spec.domain.cpu) : 1) + ioThreads(vmi);
  if (total === 0) return;
  const share = total / config.cpuAllocationRatio;
  // a repeating fraction is cut at the precision of a float, as in KubeVirt
  requests.cpu = parseQuantity(share < 1 ? `${share * 1000}m` : String(share));
  if (limitsCpu(input)) limits.cpu = units(BigInt(total), 'DecimalSI');
}

/** The guest uses huge pages; ordinary memory is for the overhead and for requests that exceed the guest's size. */
function requestHugepages(
  vmi: VirtualMachineInstance,
  overhead: ParsedQuantity,
  demand: Budget,
  derived: Budget,
): void {
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  const kind = `hugepages-${hugepages?.pageSize ?? ''}`;
  const size = guest === undefined ? undefined : parseQuantity(guest);
  const isBeyond = (amount: ParsedQuantity): boolean => size !== undefined && wholeUnits(amount) > wholeUnits(size);
  const beyond = (amount: ParsedQuantity): ParsedQuantity =>
    plus(size && isBeyond(amount) ? { ...amount, nanos: amount.nanos - size.nanos } : nothing, overhead);
  const requested = demand.requests.memory ?? nothing;
  derived.requests[kind] = derived.limits[kind] = size && isBeyond(requested) ? size : requested;
  demand.requests.memory = beyond(requested);
  if (demand.limits.memory) demand.limits.memory = beyond(demand.limits.memory);
}

function addOverhead(isOvercommitted: boolean, overhead: ParsedQuantity, { limits, requests }: Budget): void {
  requests.memory = isOvercommitted ? (requests.memory ?? nothing) : plus(requests.memory ?? nothing, overhead);
  if (limits.memory) limits.memory = plus(limits.memory, overhead);
}

const scaled = (amount: ParsedQuantity, ratio: number): ParsedQuantity =>
  units(BigInt(Math.trunc(Number(wholeUnits(amount)) * ratio)), amount.format);
