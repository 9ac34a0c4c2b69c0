/** Facts of a model node, with which the command line and tests render domains without a cluster. */
import type { Architecture, ClusterConfig, VirtualMachineInstance } from '../../../api';
import type { ModelClaims } from './disks';
import type { DomainFacts, NodeTopology, UefiImages } from '../../../runtime/launcher/domain/facts';
import { modelDeviceFacts } from './devices';
import { checkNode, type ModelNode } from './node';

export interface ModelOptions {
  readonly config: ClusterConfig;
  /** Claims of the VMI's namespace by name; others are Filesystem. */
  readonly claims?: ModelClaims;
  /** Overrides of the model node. */
  readonly node?: Partial<ModelNode>;
  /** Whether the node has no KVM. Default: the configuration's setting. */
  readonly emulation?: boolean;
}

const CPUS = 64;

const topology: NodeTopology = {
  cells: [
    {
      id: 0,
      cpus: Array.from({ length: CPUS }, (_, id) => ({ id, siblings: [id - (id % 2), id - (id % 2) + 1] })),
      distances: [{ id: 0, value: 10 }],
    },
  ],
};

const EMULATORS: Record<Architecture, string> = {
  amd64: '/usr/bin/qemu-system-x86_64',
  arm64: '/usr/bin/qemu-system-aarch64',
  s390x: '/usr/bin/qemu-system-s390x',
};

/** Directories of the images in upstream's launcher. */
const UEFI_DIRECTORIES = { amd64: '/usr/share/edk2/ovmf', arm64: '/usr/share/AAVMF', s390x: '' };

function uefiOf({ raw }: ClusterConfig, architecture: Architecture): UefiImages {
  const configured = raw.ovmfPath || raw.architectureConfiguration?.[architecture]?.ovmfPath;
  const directory = configured || UEFI_DIRECTORIES[architecture];
  const at = (file: string): string => (directory ? `${directory}/${file}` : file);
  if (architecture === 'arm64') return { code: at('AAVMF_CODE.fd'), vars: at('AAVMF_VARS.fd') };
  const [code, vars] = [at('OVMF_CODE.secboot.fd'), at('OVMF_VARS.fd')];
  return {
    // supports secure boot, with a variable store in which it is disabled
    ...{ code, vars, secureBootCode: code, secureBootVars: at('OVMF_VARS.secboot.fd') },
    ...{ sevCode: at('OVMF_CODE.cc.fd'), sevVars: vars, snpCode: at('OVMF.amdsev.fd') },
    ...{ tdxCode: at('OVMF.inteltdx.fd'), tdxSecureBootCode: at('OVMF.inteltdx.secboot.fd') },
  };
}

function kernelBootOf({ spec }: VirtualMachineInstance): DomainFacts['kernelBoot'] {
  const container = spec.domain.firmware?.kernelBoot?.container;
  const at = (path: string | undefined): string | undefined =>
    path && `/var/run/kubevirt/container-disks/kernel-boot/${path.split('/').filter(Boolean).at(-1)}`;
  return container && { kernel: at(container.kernelPath), initrd: at(container.initrdPath) };
}

/** Above this verbosity, the firmware writes its log. */
const DEBUG_VERBOSITY = 5;

function verbosityOf({ metadata }: VirtualMachineInstance, config: ClusterConfig): number {
  const own = metadata.labels?.logVerbosity;
  return own === undefined ? config.logVerbosity.virtLauncher : Number(own);
}

function hypervisorOf({ config, emulation = config.useEmulation }: ModelOptions): DomainFacts['hypervisor'] {
  if (emulation) return 'qemu';
  const configured = config.hasGate('ConfigurableHypervisor') ? config.raw.hypervisors?.[0]?.name : undefined;
  return configured === 'hyperv-direct' ? 'hyperv' : 'kvm';
}

/** Facts of a VMI on the model node. */
export function modelFacts(vmi: VirtualMachineInstance, options: ModelOptions): DomainFacts {
  const { config, node = {} } = options;
  checkNode(node);
  const { deviceCells = {} } = node;
  const devices = modelDeviceFacts(vmi, options);
  const { name, namespace } = vmi.metadata;
  const wanted = (vmi.spec.architecture as Architecture | undefined) ?? 'amd64';
  const host = node.architecture ?? wanted;
  const isForeign = host !== wanted && config.hasGate('CrossArchitectureVirtualization');
  const architecture = isForeign ? wanted : host;
  const { cells } = node.topology ?? topology;
  const privateDir = '/var/run/kubevirt-private';
  return {
    ...devices,
    hostDevices: devices.hostDevices.map((device) => ({ ...device, numaCell: deviceCells[device.address] })),
    domainName: `${namespace}_${name}`,
    hypervisor: isForeign ? 'qemu' : hypervisorOf(options),
    architecture,
    isForeignArchitecture: isForeign,
    emulator: isForeign ? EMULATORS[architecture] : undefined,
    cpuSet: node.cpuSet ?? cells.flatMap(({ cpus }) => cpus.map(({ id }) => id)),
    topology: { cells },
    uefi: node.uefi ?? uefiOf(config, architecture),
    chooseUefiByFeature: config.hasGate('FirmwareAutoSelection'),
    nvramDir: config.hasGate('Root') ? '/var/lib/libvirt/qemu/nvram' : `${privateDir}/libvirt/qemu/nvram`,
    smbios: config.raw.smbios ?? {},
    kernelBoot: kernelBootOf(vmi),
    secretDir: `${privateDir}/secret`,
    ignitionFile: `/var/run/kubevirt-ephemeral-disks/ignition-data/${namespace}/${name}/data.ign`,
    firmwareLog: verbosityOf(vmi, config) > DEBUG_VERBOSITY ? `${privateDir}/QEMUSeaBiosDebugPipe` : undefined,
    hasIommufd: node.hasIommufd,
    alignPciWithNuma: config.hasGate('PCINUMAAwareTopology'),
  };
}
