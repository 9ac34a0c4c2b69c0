import { FieldError, root } from '../field-error';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { isPortName } from '../names';
import { duplicates, mistake } from './rule';

/** A port of a Service that leads to a VM. */
export interface ExposedPort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number;
  readonly protocol: string;
}

/**
 * A Service over the Pod network reaches the guest only through an interface there, and only on the ports that it
 * forwards. Kubernetes accepts such a Service; its clients would wait in vain.
 */
export function validateExposure(ports: readonly ExposedPort[], vm: VirtualMachineInstanceSpec): FieldError[] {
  const at = root.at('spec', 'ports');
  if (ports.length === 0) {
    return mistake('service-ports', at, 'a Service needs at least one port', 'name a port, for example VmPort.SSH', {
      type: 'FieldValueRequired',
    });
  }
  return [
    ...ports.flatMap(({ name, port, targetPort }, i) => [
      ...(isPortName(name)
        ? []
        : mistake(
            'port-name',
            at.at(i, 'name'),
            `"${name}" is no name of a port`,
            'use up to 15 lower case letters, digits and dashes, with a letter',
            { got: name },
          )),
      ...number(port, i, 'port'),
      ...number(targetPort, i, 'targetPort'),
    ]),
    ...duplicates(ports, ({ name }) => name).flatMap(({ key, index }) =>
      mistake('port-name-unique', at.at(index, 'name'), `Duplicate name of the port: ${key}`, 'rename one of them', {
        got: key,
        type: 'FieldValueDuplicate',
      }),
    ),
    ...reachable(ports, vm),
  ];
}

function number(port: number, i: number, field: string): FieldError[] {
  if (Number.isInteger(port) && port > 0 && port < 65536) return [];
  return mistake('port-range', root.at('spec', 'ports', i, field), `${port} is no port`, 'use 1 to 65535', {
    got: port,
  });
}

function reachable(ports: readonly ExposedPort[], vm: VirtualMachineInstanceSpec): FieldError[] {
  const { interfaces = [], autoattachPodInterface } = vm.domain.devices;
  const network = vm.networks?.find(({ pod }) => pod);
  const iface = interfaces.find(({ name }) => name === network?.name);
  if (!iface) {
    if (autoattachPodInterface !== false && interfaces.length === 0 && !vm.networks?.length) return [];
    return mistake(
      'service-network',
      root.at('spec'),
      'the VM is not on the Pod network, so no Service reaches it',
      'add VmNetwork.masquerade() to its networks',
    );
  }
  const open = iface.ports;
  if (!open?.length) return [];
  return ports.flatMap(({ targetPort, protocol }, i) =>
    open.some((each) => each.port === targetPort && (each.protocol ?? 'TCP') === protocol)
      ? []
      : mistake(
          'service-port-open',
          root.at('spec', 'ports', i, 'targetPort'),
          `the VM does not open ${protocol} ${targetPort}`,
          `add it to the ports of its network "${iface.name}", or expose one that is there`,
          {
            got: targetPort,
            allowed: open.map((each) => `${each.protocol ?? 'TCP'} ${each.port}`),
          },
        ),
  );
}
