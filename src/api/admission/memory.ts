import { memoryHotplugObstacle } from '../defaulting/memory';
import { type Finding, Path, root, type RuleId, text } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { tryParseQuantity } from '../quantity';
import { amountOf, formatAmount, unitsOf } from './amounts';
import { gateOff, InstanceRule, mistake } from './rule';

const MEGABYTE = 1_000_000n;

/** The memory request must not be negative, nor so small that a unit is probably missing. */
export const memoryRequest: InstanceRule = (spec, at) => {
  const requested = amountOf(spec, 'requests', 'memory');
  if (requested === undefined) return [];
  const bytes = unitsOf(requested);
  const path = at.at('domain', 'resources', 'requests', 'memory');
  if (bytes < 0n) return negative('memory-request-positive', path, requested);
  if (bytes === 0n || bytes >= MEGABYTE) return [];
  return mistake(
    'memory-request-tiny',
    path,
    `${path} '${requested}': must be greater than or equal to 1M.`,
    'add a unit: 512Mi',
    { value: requested },
  );
};

/** Reports an amount below zero. */
export function negative(rule: RuleId, path: Path, got: string | number): Finding[] {
  return mistake(rule, path, `${path} '${got}': must be greater than or equal to 0.`, 'use 0 or more', { value: got });
}

export const memoryLimit: InstanceRule = (spec, at) => {
  const limit = amountOf(spec, 'limits', 'memory');
  if (limit === undefined) return [];
  const bytes = unitsOf(limit);
  const path = at.at('domain', 'resources', 'limits', 'memory');
  if (bytes < 0n) return negative('memory-limit-positive', path, limit);
  const requested = amountOf(spec, 'requests', 'memory');
  if (bytes === 0n || unitsOf(requested) <= bytes) return [];
  const request = at.at('domain', 'resources', 'requests', 'memory');
  const message = text`${request} '${requested}' is greater than ${path} '${limit}'`;
  return mistake('request-within-limit', request, message, 'raise the limit or lower the request', {
    value: requested,
  });
};

/** Reports negative guest memory. KubeVirt accepts it, and the guest never starts. */
export const guestIsNotNegative: InstanceRule = (spec, at) => {
  const guest = spec.domain.memory?.guest;
  if (guest === undefined || unitsOf(guest) >= 0n) return [];
  return negative('guest-memory-positive', at.at('domain', 'memory', 'guest'), guest);
};

/** Guest memory must be a multiple of its huge page size. */
export const hugepages: InstanceRule = (spec, at) => {
  const { memory } = spec.domain;
  if (!memory?.hugepages) return [];
  const pageSize = memory.hugepages.pageSize ?? '';
  const page = at.at('domain', 'memory', 'hugepages', 'pageSize');
  const parsed = tryParseQuantity(pageSize);
  if (!parsed || parsed.nanos === 0n) {
    const message =
      `${page} '${pageSize}': quantities must match the regular expression ` +
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    return mistake('hugepages-size', page, message, 'use 2Mi or 1Gi', { value: pageSize });
  }
  const size = unitsOf(pageSize);
  const requested = amountOf(spec, 'requests', 'memory');
  const bytes = unitsOf(requested) || unitsOf(memory.guest) || unitsOf(amountOf(spec, 'limits', 'memory'));
  const requests = at.at('domain', 'resources', 'requests', 'memory');
  // KubeVirt's message names the request even when the guest's memory is wrong
  const isOfGuest = unitsOf(requested) === 0n && unitsOf(memory.guest) !== 0n;
  const path = isOfGuest ? at.at('domain', 'memory', 'guest') : requests;
  const got = isOfGuest ? memory.guest : requested;
  const extra = { value: got, field: `${requests}` };
  if (bytes !== 0n && bytes < size) {
    return mistake(
      'hugepages-fit',
      path,
      text`${requests} '${formatAmount(requested)}' must be equal to or larger than page size ${page} '${pageSize}'`,
      'give the guest at least one page, or use smaller pages',
      extra,
    );
  }
  if (bytes % size === 0n) return [];
  return mistake(
    'hugepages-divide',
    path,
    text`${requests} '${formatAmount(requested)}' is not a multiple of the page size ${page} '${pageSize}'`,
    `use a multiple of ${pageSize}${isOfGuest ? `: the guest has ${formatAmount(got)}` : ''}`,
    extra,
  );
};

/** Where guests cannot be resized, their memory must not exceed the limit. */
export const guestWithinLimit: InstanceRule = (spec, at, config) => {
  if (config.vmRolloutStrategy === 'LiveUpdate') return [];
  const guest = spec.domain.memory?.guest;
  if (guest === undefined) return [];
  const limit = amountOf(spec, 'limits', 'memory');
  const bytes = unitsOf(limit);
  if (bytes === 0n || unitsOf(guest) <= bytes) return [];
  const path = at.at('domain', 'memory', 'guest');
  const limitPath = at.at('domain', 'resources', 'limits', 'memory');
  const message = text`${path} '${guest}' must be equal to or less than the memory limit ${limitPath} '${limit}'`;
  return mistake('guest-memory-limit', path, message, 'raise the limit or lower the guest memory', { value: guest });
};

export const reservedOverhead: InstanceRule = (spec, at, config) => {
  if (!spec.domain.memory?.reservedOverhead || config.hasGate('ReservedOverheadMemlock')) return [];
  return gateOff(
    'gate-reserved-overhead',
    at.at('domain', 'memory', 'reservedOverhead'),
    'Reserved overhead memlock feature gate is not enabled in kubevirt-config',
    'ReservedOverheadMemlock',
  );
};

/** A VMI must have memory; a VM may still get it from an instance type. */
export function memoryIsNamed(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const { memory } = spec.domain;
  if (unitsOf(amountOf(spec, 'requests', 'memory')) !== 0n) return [];
  if (memory && (memory.guest !== undefined || memory.hugepages)) return [];
  const path = at.at('domain', 'memory', 'guest');
  const message = text`no memory requested, at least one of '${path}', '${at.at('domain', 'memory', 'hugepages', 'pageSize')}' or '${at.at('domain', 'resources', 'requests', 'memory')}' must be set`;
  return mistake('memory-required', path, message, 'set memory.guest, for example to 1Gi', {
    type: 'FieldValueRequired',
    field: `${root}`,
  });
}

/** `maxGuest` requires a guest whose memory can grow. */
export function memoryMayGrow(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const { memory } = spec.domain;
  if (memory?.maxGuest === undefined) return [];
  const obstacle = memoryHotplugObstacle(spec, memory.maxGuest);
  if (obstacle === undefined) return [];
  return mistake('max-guest', at.at('domain', 'memory', 'guest'), obstacle, 'change the guest, or remove maxGuest', {
    value: memory.guest,
  });
}
