import { namedVcpus } from '../defaulting/cpu';
import { type Finding, named, text } from '../findings';
import { amountOf, milliOf, formatAmount, unitsOf } from './amounts';
import { negative } from './memory';
import { InstanceRule, mistake, notOneOf } from './rule';
import { mistakesOf } from '../mistakes';

export const cpuAmounts: InstanceRule = (spec, at) => {
  const request = amountOf(spec, 'requests', 'cpu');
  const limit = amountOf(spec, 'limits', 'cpu');
  if (request === undefined && limit === undefined) return [];
  const requestPath = at.at('domain', 'resources', 'requests', 'cpu');
  const limitPath = at.at('domain', 'resources', 'limits', 'cpu');
  const errors: Finding[] = [];
  if (request !== undefined && milliOf(request) < 0n) {
    errors.push(...negative('cpu-request-positive', requestPath, request));
  }
  if (limit !== undefined && milliOf(limit) < 0n) errors.push(...negative('cpu-limit-positive', limitPath, limit));
  if (milliOf(limit) > 0n && milliOf(request) > milliOf(limit)) {
    errors.push(
      ...mistake(
        'request-within-limit',
        requestPath,
        text`${requestPath} '${formatAmount(request)}' is greater than ${limitPath} '${formatAmount(limit)}'`,
        'raise the limit or lower the request',
        { value: request },
      ),
    );
  }
  return errors;
};

/** Limit of QEMU's q35, which has the most vCPUs of all machine types. */
const MOST_VCPUS = 4096;

/** Reports more vCPUs than any machine type has. KubeVirt accepts them, and its launcher lists each one. */
export const vcpusFit: InstanceRule = (spec, at) => {
  const { cores, sockets, threads, maxSockets } = spec.domain.cpu ?? {};
  const vcpus = (cores || 1) * Math.max(sockets || 1, maxSockets || 1) * (threads || 1);
  if (vcpus <= MOST_VCPUS) return [];
  const path = at.at('domain', 'cpu');
  const message = `${path}: ${vcpus} vCPUs, but no machine type has more than ${MOST_VCPUS}`;
  return mistake('cpu-most', path, message, 'lower sockets, maxSockets, cores or threads', { value: vcpus });
};

export const socketsWithinMax: InstanceRule = (spec, at) => {
  const { sockets, maxSockets } = spec.domain.cpu ?? {};
  if (!maxSockets || !sockets || sockets <= maxSockets) return [];
  return mistake(
    'cpu-max-sockets',
    at.at('domain', 'cpu', 'sockets'),
    'Number of sockets in CPU topology is greater than the maximum sockets allowed',
    `use at most ${maxSockets} sockets or raise maxSockets`,
    { value: sockets },
  );
};

const policies = ['force', 'require', 'optional', 'disable', 'forbid'];

export const cpuFeaturePolicies: InstanceRule = (spec, at) =>
  mistakesOf(spec.domain.cpu?.features ?? [], ({ name, policy }, i) =>
    notOneOf(
      'cpu-feature-policy',
      at.at('domain', 'cpu', 'features', i, 'policy'),
      policy,
      policies,
      `CPU feature ${name} uses policy ${policy} that is not supported.`,
    ),
  );

export const isolatedEmulator: InstanceRule = (spec, at) => {
  const { cpu } = spec.domain;
  if (!cpu?.isolateEmulatorThread || cpu.dedicatedCpuPlacement) return [];
  return mistake(
    'isolate-emulator-thread',
    at.at('domain', 'cpu', 'isolateEmulatorThread'),
    'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement',
    text`set ${named(at.at('domain', 'cpu', 'dedicatedCpuPlacement'), 1)}: true too`,
  );
};

/** Validates pinned vCPUs: they require whole CPUs, as many as the guest has, and a Pod with guaranteed memory. */
export const dedicatedCpus: InstanceRule = (spec, at, config) => {
  const { cpu, memory, resources } = spec.domain;
  if (!cpu?.dedicatedCpuPlacement) return [];
  const requested = at.at('domain', 'resources', 'requests');
  const limited = at.at('domain', 'resources', 'limits');
  const cores = at.at('domain', 'cpu', 'cores');
  const placement = at.at('domain', 'cpu', 'dedicatedCpuPlacement');
  const { requests, limits } = resources ?? {};
  const errors: Finding[] = [];
  if (
    unitsOf(limits?.memory) === 0n &&
    unitsOf(requests?.memory) === 0n &&
    !memory?.hugepages &&
    unitsOf(memory?.guest) === 0n
  ) {
    const places = text`${requested}.memory, ${limited}.memory, ${at.at('domain', 'memory', 'hugepages')}`;
    const message = text`${places} or ${at.at('domain', 'memory', 'guest')} should be provided`;
    errors.push(...mistake('dedicated-memory', limited.at('memory'), message, 'set memory.guest'));
  }
  for (const [group, amount] of [
    ['requests', requests?.cpu],
    ['limits', limits?.cpu],
  ] as const) {
    if (unitsOf(amount) <= 0n || unitsOf(amount) * 1000n === milliOf(amount)) continue;
    const path = at.at('domain', 'resources', group, 'cpu');
    const message = `provided resources CPU ${group} must be an interger`;
    errors.push(...mistake('dedicated-cpu-whole', path, message, 'use whole CPUs', { value: amount }));
  }
  const [requestedMemory, limitedMemory] = [unitsOf(requests?.memory), unitsOf(limits?.memory)];
  if (requestedMemory > 0n && limitedMemory > 0n && requestedMemory !== limitedMemory) {
    const path = requested.at('memory');
    const message = text`${path} must be equal to ${limited.at('memory')}`;
    errors.push(...mistake('dedicated-memory-equal', path, message, 'make both the same', { value: requests?.memory }));
  }
  const [request, limit, vcpus] = [unitsOf(requests?.cpu), unitsOf(limits?.cpu), BigInt(namedVcpus(cpu))];
  if (request === 0n && limit === 0n && vcpus === 0n) {
    const message = text`either ${requested}.cpu or ${limited}.cpu or ${cores} must be provided when DedicatedCPUPlacement is true `;
    errors.push(...mistake('dedicated-cpu-count', placement, message, 'set cpu.cores'));
  }
  if (request > 0n && limit > 0n && request !== limit) {
    const message = text`${requested}.cpu or ${limited}.cpu must be equal when DedicatedCPUPlacement is true `;
    errors.push(...mistake('dedicated-cpu-equal', placement, message, 'make both the same'));
  }
  if ((request > 0n || limit > 0n) && vcpus > 0n && request !== vcpus && limit !== vcpus) {
    const message = text`${requested}.cpu or ${limited}.cpu must not be provided at the same time with ${cores} when DedicatedCPUPlacement is true `;
    const [path, value] = limit > 0n ? [limited, limits?.cpu] : [requested, requests?.cpu];
    const remedy = `request ${vcpus} CPUs, or leave the requests and limits out`;
    const extra = { value, field: `${placement}` };
    errors.push(...mistake('dedicated-cpu-count', path.at('cpu'), message, remedy, extra));
  }
  const { threads = 0 } = cpu;
  if (threads > 1 && (spec.architecture || config.defaultArchitecture) === 'arm64') {
    const architecture = at.at('architecture');
    const message = text`threads must not be greater than 1 at ${at.at('domain', 'cpu', 'threads')} (got ${threads}) when ${architecture} is arm64`;
    errors.push(
      ...mistake('dedicated-threads', at.at('domain', 'cpu', 'threads'), message, 'use more cores', {
        value: threads,
        field: `${architecture}`,
      }),
    );
  }
  if (threads > 2) {
    const message = text`Not more than two threads must be provided at ${at.at('domain', 'cpu', 'threads')} (got ${threads}) when DedicatedCPUPlacement is true`;
    errors.push(...mistake('dedicated-threads', placement, message, 'use 1 or 2', { value: threads }));
  }
  return errors;
};

/** NUMA passthrough requires pinned CPUs and huge pages. */
export const numaPassthrough: InstanceRule = (spec, at) => {
  const { cpu, memory } = spec.domain;
  if (!cpu?.numa?.guestMappingPassthrough) return [];
  const path = at.at('domain', 'cpu', 'numa', 'guestMappingPassthrough');
  const errors: Finding[] = [];
  if (!cpu.dedicatedCpuPlacement) {
    const needed = at.at('domain', 'cpu', 'dedicatedCpuPlacement');
    const message = text`${needed} must be set to true when NUMA topology strategy is set in ${path}`;
    errors.push(...mistake('numa-dedicated', path, message, 'set cpu.dedicatedCpuPlacement: true'));
  }
  if (!memory?.hugepages) {
    const needed = at.at('domain', 'memory', 'hugepages');
    const message = text`${needed} must be requested when NUMA topology strategy is set in ${path}`;
    errors.push(...mistake('numa-hugepages', path, message, 'set memory.hugepages.pageSize'));
  }
  return errors;
};

/** Realtime vCPUs must be pinned, with their memory in their own NUMA cell. */
export const realtime: InstanceRule = (spec, at) => {
  const { cpu } = spec.domain;
  if (!cpu?.realtime) return [];
  const path = at.at('domain', 'cpu', 'realtime');
  const errors: Finding[] = [];
  const required = { type: 'FieldValueRequired' } as const;
  if (!cpu.dedicatedCpuPlacement) {
    const needed = at.at('domain', 'cpu', 'dedicatedCpuPlacement');
    const message = text`${needed} must be set to true when ${path} is used`;
    errors.push(...mistake('realtime-dedicated', needed, message, 'set cpu.dedicatedCpuPlacement: true', required));
  }
  if (!cpu.numa?.guestMappingPassthrough) {
    const needed = at.at('domain', 'cpu', 'numa', 'guestMappingPassthrough');
    const message = text`${needed} must be defined when ${path} is used`;
    errors.push(...mistake('realtime-numa', needed, message, 'set cpu.numa.guestMappingPassthrough: {}', required));
  }
  return errors;
};
