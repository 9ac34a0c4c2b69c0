/** Gathers the domain's facts from the launcher's Pod. */
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import type { VirtualMachineOptions } from '../../protocol';
import { lookUp } from '../disks/files';
import type { DeviceFacts, DiskSource, DomainFacts, InterfaceSource, UefiImages } from '../domain/facts';
import type { LauncherPaths } from '../paths';
import { Refusal } from './refusal';

/** libvirt name of a VMI's domain. */
export function domainNameOf(vmi: VirtualMachineInstance): string {
  return `${vmi.metadata.namespace}_${vmi.metadata.name}`;
}

/** The Pod has /dev/kvm only if the device plugin provided it, which runs a vCPU first. */
async function kvmGranted(): Promise<boolean> {
  return access('/dev/kvm', constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
}

function interfacesOf(options: VirtualMachineOptions): InterfaceSource[] {
  return (options.podInterfaces ?? []).map((nic) => {
    if (!nic.network || !nic.tap || !nic.mac)
      throw new Refusal('NetworkMissing', `virt-handler sent no tap or MAC for "${nic.network}"`);
    return { name: nic.network, tap: nic.tap, mac: nic.mac, mtu: nic.mtu || undefined };
  });
}

/** Kernel and initrd that virt-handler or an image volume provides. */
async function kernelBootOf(vmi: VirtualMachineInstance, paths: LauncherPaths): Promise<DomainFacts['kernelBoot']> {
  const container = vmi.spec.domain.firmware?.kernelBoot?.container;
  if (!container) return undefined;
  const find = async (path: string | undefined): Promise<string | undefined> => {
    if (!path) return undefined;
    const name = path.split('/').at(-1)!;
    for (const [root, file] of [
      [join(paths.containerDisks, 'kernel-boot'), name],
      [paths.kernelBoot, path],
    ] as const) {
      const found = await lookUp(root, file);
      if ('at' in found && (await lstat(found.at)).isFile()) return found.at;
    }
    throw new Refusal(
      'KernelMissing',
      `firmware.kernelBoot: the image has no ${path}; correct kernelPath or initrdPath`,
    );
  };
  return { kernel: await find(container.kernelPath), initrd: await find(container.initrdPath) };
}

/** Limit of QEMU's cache of translated code, MiB. Its default is 1 GiB per guest, which no Pod's memory includes. */
const TRANSLATION_CACHE = {
  fixed: 128,
  // QEMU aborts if a vCPU is hotplugged while the cache is small
  growing: 256,
};

function uefiOf({ ovmf }: LauncherPaths): UefiImages {
  const at = (file: string): string => join(ovmf, file);
  return {
    code: at('OVMF_CODE.fd'),
    vars: at('OVMF_VARS.fd'),
    secureBootCode: at('OVMF_CODE.secboot.fd'),
    secureBootVars: at('OVMF_VARS.secboot.fd'),
  };
}

/** Facts of hotplugged devices. */
function deviceFacts(
  vmi: VirtualMachineInstance,
  options: VirtualMachineOptions,
  disks: readonly DiskSource[],
  paths: LauncherPaths,
): DeviceFacts {
  const cluster = options.clusterConfig;
  return {
    runtimeDir: paths.runtime(vmi.metadata.uid!),
    virtiofsDir: join(paths.share, 'virtiofs-containers'),
    reservationSocket: join(paths.share, 'daemons/pr/pr-helper.sock'),
    metricsSocket: join(paths.private, 'downwardmetrics-channel/downwardmetrics.sock'),
    disks,
    interfaces: interfacesOf(options),
    hostDevices: [],
    hasVhostNet: false,
    balloonStatsPeriod: options.MemBalloonStatsPeriod ?? 10,
    freePageReporting: !cluster?.FreePageReportingDisabled,
    bochsForEfi: cluster?.BochsDisplayForEFIGuests ?? true,
    logSerialConsole: !cluster?.SerialConsoleLogDisabled,
  };
}

/** Facts of the domain, with the given disks. */
export async function gatherFacts(
  vmi: VirtualMachineInstance,
  options: VirtualMachineOptions,
  disks: readonly DiskSource[],
  paths: LauncherPaths,
): Promise<DomainFacts> {
  const smbios = options.VirtualMachineSMBios;
  const hasKvm = await kvmGranted();
  return {
    ...deviceFacts(vmi, options, disks, paths),
    domainName: domainNameOf(vmi),
    uid: vmi.metadata.uid,
    hypervisor: hasKvm ? 'kvm' : 'qemu',
    architecture: 'amd64',
    emulator: '/usr/bin/qemu-system-x86_64',
    emulation: hasKvm ? undefined : { translationCache: TRANSLATION_CACHE },
    cpuSet: [],
    spareRootPorts: vmi.spec.domain.devices.disableHotplug ? false : hasKvm || 'few',
    uefi: uefiOf(paths),
    nvramDir: paths.nvram,
    smbios: {
      manufacturer: smbios?.manufacturer || undefined,
      product: smbios?.product || undefined,
      version: smbios?.version || undefined,
      sku: smbios?.sku || undefined,
      family: smbios?.family || undefined,
    },
    kernelBoot: await kernelBootOf(vmi, paths),
    secretDir: join(paths.private, 'secret'),
  };
}
