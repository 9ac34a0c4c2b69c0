import type { AccessCredential, DomainSpec, Volume, VirtualMachineInstanceSpec } from '../../api/generated/kubevirt-v1';
import type { VmNetwork } from '../network/vm-network';
import type { INamedObject } from '../resource';
import { Disk, quantityOfSize } from '../storage/disk';
import { Cpu } from './cpu';
import type { VirtualMachineProps } from './virtual-machine';

/** Everything that makes up the spec of a VM's instance. */
export interface InstanceParts {
  readonly props: VirtualMachineProps;
  readonly disks: readonly Disk[];
  readonly networks: readonly VmNetwork[];
  readonly cloudInitSecret?: INamedObject;
  readonly scheduling: Pick<VirtualMachineInstanceSpec, 'nodeSelector' | 'tolerations'>;
  readonly machine: Pick<DomainSpec, 'firmware' | 'features' | 'machine'>;
}

/** Name of the disk that cloud-init reads. */
const CLOUD_INIT_DISK = 'cloudinit';

/** The instance's spec. Pure: rendering twice gives the same. */
export function renderInstanceSpec(parts: InstanceParts): VirtualMachineInstanceSpec {
  const { props, networks, scheduling } = parts;
  const volumes = renderVolumes(parts);
  const accessCredentials = renderCredentials(props);
  const spec: VirtualMachineInstanceSpec = {
    ...scheduling,
    domain: renderDomain(parts),
    ...(networks.length > 0 ? { networks: networks.map((network) => network._renderNetwork()) } : {}),
    ...(volumes.length > 0 ? { volumes } : {}),
    ...(accessCredentials.length > 0 ? { accessCredentials } : {}),
    ...(props.hostname === undefined ? {} : { hostname: props.hostname }),
    ...(props.startStrategy ? { startStrategy: props.startStrategy.value as 'Paused' } : {}),
    ...(props.evictionStrategy ? { evictionStrategy: props.evictionStrategy.value as 'None' } : {}),
    ...(props.terminationGracePeriod
      ? { terminationGracePeriodSeconds: props.terminationGracePeriod.toSeconds() }
      : {}),
  };
  return props.instanceSpec ? (mergeOver(spec, props.instanceSpec) as VirtualMachineInstanceSpec) : spec;
}

function renderDomain({ props, disks, networks, machine }: InstanceParts): DomainSpec {
  const { requests, limits } = props;
  return {
    cpu: (props.cpu ?? Cpu.cores(1))._render(),
    ...(props.memory ? { memory: { guest: quantityOfSize(props.memory) } } : {}),
    ...(requests || limits
      ? {
          resources: {
            ...(requests ? { requests: { ...requests } } : {}),
            ...(limits ? { limits: { ...limits } } : {}),
          },
        }
      : {}),
    ...machine,
    devices: {
      ...(disks.length > 0 || props.cloudInit
        ? {
            disks: [
              ...disks.map((disk, i) => disk._renderDisk(i)),
              ...(props.cloudInit ? [{ name: CLOUD_INIT_DISK, disk: { bus: 'virtio' as const } }] : []),
            ],
          }
        : {}),
      ...(networks.length > 0
        ? { interfaces: networks.map((network) => network._renderInterface()) }
        : { autoattachPodInterface: false }),
    },
  };
}

function renderVolumes({ props, disks, cloudInitSecret }: InstanceParts): Volume[] {
  return [
    ...disks.map((disk, i) => disk._renderVolume(i)),
    ...(props.cloudInit ? [props.cloudInit._renderVolume(CLOUD_INIT_DISK, cloudInitSecret)] : []),
  ];
}

/** Passwords that the guest agent sets. Users of one Secret share one entry: the Secret's keys are their names. */
function renderCredentials({ cloudInit }: VirtualMachineProps): AccessCredential[] {
  const secrets = new Set(
    (cloudInit?.users ?? []).flatMap(({ passwordFrom }) => (passwordFrom ? [passwordFrom.name] : [])),
  );
  return [...secrets].map((secretName) => ({
    userPassword: { source: { secret: { secretName } }, propagationMethod: { qemuGuestAgent: {} } },
  }));
}

/** Objects merge; lists and scalars replace. */
function mergeOver(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) merged[key] = key in base ? mergeOver(base[key], value) : value;
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
