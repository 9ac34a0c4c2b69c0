import { isPositive, memoryHotplugObstacle } from '../defaulting/memory';
import type { FieldError } from '../field-error';
import { compareQuantities, quantityHint, quantityValue, tryParseQuantity } from '../quantity';
import { InstanceRule, mistake } from './rule';

/** A guest needs memory from somewhere. */
export const memoryIsRequested: InstanceRule = (spec, at) => {
  const { memory, resources } = spec.domain;
  if (memory?.guest !== undefined || memory?.hugepages || isPositive(resources?.requests?.memory)) return [];
  const path = at.at('domain', 'memory', 'guest');
  const message =
    `no memory requested, at least one of '${path}', '${at.at('domain', 'memory', 'hugepages', 'size')}' or ` +
    `'${at.at('domain', 'resources', 'requests', 'memory')}' must be set`;
  return mistake('memory-required', path, message, 'set memory.guest, for example to 1Gi', {
    type: 'FieldValueRequired',
  });
};

/** Every amount is a quantity, and none is below zero. */
export const amountsAreQuantities: InstanceRule = (spec, at) => {
  const { memory, resources } = spec.domain;
  const amounts = [
    ...(['requests', 'limits'] as const).flatMap((group) =>
      Object.entries(resources?.[group] ?? {}).map(([name, amount]) => ({
        path: at.at('domain', 'resources', group, name),
        amount,
      })),
    ),
    ...(['guest', 'maxGuest'] as const).map((field) => ({
      path: at.at('domain', 'memory', field),
      amount: memory?.[field],
    })),
    { path: at.at('domain', 'memory', 'hugepages', 'pageSize'), amount: memory?.hugepages?.pageSize },
  ];
  return amounts.flatMap(({ path, amount }): FieldError[] => {
    if (amount === undefined) return [];
    const parsed = tryParseQuantity(amount);
    if (!parsed) {
      return mistake('quantity', path, `${path} '${amount}': is not a quantity`, `write ${quantityHint}`, {
        got: amount,
      });
    }
    if (parsed.nanos >= 0n) return [];
    return mistake(
      'amount-positive',
      path,
      `${path} '${amount}': must be greater than or equal to 0.`,
      'remove the minus sign',
      {
        got: amount,
      },
    );
  });
};

/** Guest memory fits its limits, and can be given to a guest at all. */
export const guestMemoryFits: InstanceRule = (spec, at) => {
  const { memory, resources } = spec.domain;
  const guest = memory?.guest;
  if (guest === undefined || !tryParseQuantity(guest)) return [];
  const path = at.at('domain', 'memory', 'guest');
  const errors: FieldError[] = [];
  if (quantityValue(guest) === 0n) {
    errors.push(
      ...mistake(
        'guest-memory-positive',
        path,
        `${path} '${guest}': must be greater than 0`,
        'give the guest memory, for example 1Gi',
        { got: guest },
      ),
    );
  }
  const limit = resources?.limits?.memory;
  if (isPositive(limit) && compareQuantities(guest, limit) > 0) {
    errors.push(
      ...mistake(
        'guest-memory-limit',
        path,
        `${path} '${guest}' must be equal to or less than the memory limit ${at.at('domain', 'resources', 'limits', 'memory')} '${limit}'`,
        'raise the limit or lower the guest memory',
        { got: guest },
      ),
    );
  }
  return errors;
};

/** A request must not exceed its limit. */
export const requestsWithinLimits: InstanceRule = (spec, at) => {
  const { requests = {}, limits = {} } = spec.domain.resources ?? {};
  return ['cpu', 'memory'].flatMap((name) => {
    const [request, limit] = [requests[name], limits[name]];
    if (!isPositive(limit) || !tryParseQuantity(request) || compareQuantities(request, limit) <= 0) return [];
    const path = at.at('domain', 'resources', 'requests', name);
    const message = `${path} '${request}' is greater than ${at.at('domain', 'resources', 'limits', name)} '${limit}'`;
    return mistake('request-within-limit', path, message, 'lower the request or raise the limit', { got: request });
  });
};

/** Huge pages divide the guest's memory. */
export const hugepagesDivideMemory: InstanceRule = (spec, at) => {
  const { memory, resources } = spec.domain;
  const size = memory?.hugepages?.pageSize;
  if (size === undefined || !tryParseQuantity(size)) return [];
  const page = quantityValue(size);
  const sizePath = at.at('domain', 'memory', 'hugepages', 'pageSize');
  if (page <= 0n)
    return mistake('hugepages-size', sizePath, `'${size}' is no page size`, 'use 2Mi or 1Gi', { got: size });
  const amounts = [
    { path: at.at('domain', 'memory', 'guest'), amount: memory?.guest },
    { path: at.at('domain', 'resources', 'requests', 'memory'), amount: resources?.requests?.memory },
  ];
  return amounts.flatMap(({ path, amount }) => {
    if (amount === undefined || !tryParseQuantity(amount)) return [];
    const bytes = quantityValue(amount);
    if (bytes < page) {
      const message = `${path} '${amount}' must be equal to or larger than page size ${sizePath} '${size}'`;
      return mistake('hugepages-fit', path, message, `use at least ${size}`, { got: amount });
    }
    if (bytes % page === 0n) return [];
    const message = `${path} '${amount}' is not a multiple of the page size ${sizePath} '${size}'`;
    return mistake('hugepages-divide', path, message, `use a multiple of ${size}`, { got: amount });
  });
};

/** A maximum that is asked for must be reachable. */
export const maxGuestIsReachable: InstanceRule = (spec, at) => {
  const { guest, maxGuest } = spec.domain.memory ?? {};
  if (maxGuest === undefined || !tryParseQuantity(maxGuest)) return [];
  const path = at.at('domain', 'memory', 'maxGuest');
  if (guest === undefined || !tryParseQuantity(guest)) {
    if (guest !== undefined) return [];
    return mistake(
      'max-guest',
      path,
      'Guest memory must be configured when memory hotplug is enabled',
      'set memory.guest too',
      {
        got: maxGuest,
      },
    );
  }
  const obstacle = memoryHotplugObstacle(spec, quantityValue(guest), quantityValue(maxGuest));
  return obstacle
    ? mistake('max-guest', path, obstacle, 'correct it, or remove maxGuest to do without memory hotplug', {
        got: maxGuest,
      })
    : [];
};
