import type { FieldError } from '../field-error';
import { quantityMilliValue, tryParseQuantity } from '../quantity';
import { InstanceRule, mistake, notOneOf } from './rule';

/** Cores, sockets and threads count from one. */
export const topologyIsPositive: InstanceRule = (spec, at) => {
  const { cpu } = spec.domain;
  return (['cores', 'sockets', 'threads', 'maxSockets'] as const).flatMap((field) => {
    const got = cpu?.[field];
    if (got === undefined || got > 0) return [];
    const path = at.at('domain', 'cpu', field);
    return mistake('cpu-positive', path, `${path} '${got}': must be greater than 0`, 'use 1 or more, or leave it out', {
      got,
    });
  });
};

export const socketsWithinMax: InstanceRule = (spec, at) => {
  const { sockets, maxSockets } = spec.domain.cpu ?? {};
  if (!maxSockets || !sockets || sockets <= maxSockets) return [];
  return mistake(
    'cpu-max-sockets',
    at.at('domain', 'cpu', 'sockets'),
    'Number of sockets in CPU topology is greater than the maximum sockets allowed',
    `use at most ${maxSockets} sockets or raise maxSockets`,
    { got: sockets },
  );
};

const policies = ['force', 'require', 'optional', 'disable', 'forbid'];

export const cpuFeaturePolicies: InstanceRule = (spec, at) =>
  (spec.domain.cpu?.features ?? []).flatMap(({ name, policy }, i) =>
    notOneOf(
      'cpu-feature-policy',
      at.at('domain', 'cpu', 'features', i, 'policy'),
      policy,
      policies,
      `CPU feature ${name} uses policy ${policy} that is not supported.`,
    ),
  );

/** Pinned vCPUs need whole CPUs, as many as the guest has. */
export const dedicatedCpus: InstanceRule = (spec, at) => {
  const { cpu, resources } = spec.domain;
  const errors: FieldError[] = [];
  if (cpu?.isolateEmulatorThread && !cpu.dedicatedCpuPlacement) {
    errors.push(
      ...mistake(
        'isolate-emulator-thread',
        at.at('domain', 'cpu', 'isolateEmulatorThread'),
        'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement',
        'set dedicatedCpuPlacement: true too',
      ),
    );
  }
  if (!cpu?.dedicatedCpuPlacement) return errors;
  const vcpus = (cpu.cores ?? 0) * (cpu.sockets || 1) * (cpu.threads || 1);
  for (const group of ['requests', 'limits'] as const) {
    const amount = resources?.[group]?.cpu;
    if (amount === undefined || !tryParseQuantity(amount)) continue;
    const milli = quantityMilliValue(amount);
    const path = at.at('domain', 'resources', group, 'cpu');
    if (milli % 1000n !== 0n) {
      errors.push(
        ...mistake(
          'dedicated-cpu-whole',
          path,
          'provided resources CPU quantity must be an integer',
          'use whole CPUs',
          {
            got: amount,
          },
        ),
      );
    } else if (vcpus > 0 && milli / 1000n !== BigInt(vcpus)) {
      const message = `${path} '${amount}' must equal the ${vcpus} vCPUs of the guest when CPUs are dedicated`;
      errors.push(...mistake('dedicated-cpu-count', path, message, `use ${vcpus}, or leave it out`, { got: amount }));
    }
  }
  const { requests, limits } = resources ?? {};
  if (limits?.memory !== undefined && requests?.memory !== undefined && limits.memory !== requests.memory) {
    const path = at.at('domain', 'resources', 'requests', 'memory');
    errors.push(
      ...mistake('dedicated-memory', path, `${path} must be equal to limits.memory`, 'make both the same', {
        got: requests.memory,
      }),
    );
  }
  return errors;
};

/** NUMA passthrough and realtime stand on pinned CPUs and huge pages. */
export const numaAndRealtime: InstanceRule = (spec, at) => {
  const { cpu, memory } = spec.domain;
  const errors: FieldError[] = [];
  const need = (on: unknown, rule: string, path: string[], message: string, remedy: string): void => {
    if (!on) errors.push(...mistake(rule, at.at(...path), message, remedy));
  };
  if (cpu?.numa?.guestMappingPassthrough) {
    const path = ['domain', 'cpu', 'numa', 'guestMappingPassthrough'];
    need(
      cpu.dedicatedCpuPlacement,
      'numa-dedicated',
      path,
      `${at.at(...path)} must request dedicated CPUs`,
      'set cpu.dedicatedCpuPlacement: true',
    );
    need(
      memory?.hugepages,
      'numa-hugepages',
      path,
      `${at.at(...path)} requires hugepages`,
      'set memory.hugepages.pageSize',
    );
  }
  if (cpu?.realtime) {
    const path = ['domain', 'cpu', 'realtime'];
    need(
      cpu.dedicatedCpuPlacement,
      'realtime-dedicated',
      path,
      `${at.at(...path)} requires dedicated CPUs`,
      'set cpu.dedicatedCpuPlacement: true',
    );
    need(
      cpu.numa?.guestMappingPassthrough,
      'realtime-numa',
      path,
      `${at.at(...path)} requires guestMappingPassthrough to be set`,
      'set cpu.numa.guestMappingPassthrough: {}',
    );
    need(
      memory?.hugepages,
      'realtime-hugepages',
      path,
      `${at.at(...path)} requires hugepages`,
      'set memory.hugepages.pageSize',
    );
  }
  return errors;
};
