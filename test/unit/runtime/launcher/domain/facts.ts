/** Facts for the golden cases: every volume prepared, every NIC with a tap. */
import type { VirtualMachineInstance } from '../../../../../src/api';
import type { DiskSource, DomainFacts } from '../../../../../src/runtime/launcher/domain/facts';

const ephemeral = '/var/run/kubevirt-ephemeral-disks';

/** What disks/prepare answers, without touching a file. */
function sourceOf(vmi: VirtualMachineInstance, index: number): DiskSource {
  const volume = vmi.spec.volumes![index]!;
  const { name } = volume;
  const raw = { name, type: 'file', format: 'raw', readonly: false } as const;
  if (volume.containerDisk) {
    return {
      ...raw,
      path: `${ephemeral}/disk-data/${name}/disk.qcow2`,
      format: 'qcow2',
      backing: { path: `/var/run/kubevirt/container-disks/disk_${index}.img`, format: 'qcow2' },
      cache: 'unsafe',
      discard: true,
    };
  }
  if (volume.emptyDisk) {
    const path = `/var/run/libvirt/empty-disks/${name}.qcow2`;
    return { ...raw, path, format: 'qcow2', cache: 'unsafe', discard: true };
  }
  if (volume.persistentVolumeClaim || volume.dataVolume) {
    const claim = { ...raw, cache: 'none', discard: true, blockSize: { logical: 512, physical: 4096 } } as const;
    if (name.startsWith('block')) return { ...claim, type: 'block', path: `/dev/${name}` };
    return { ...claim, path: `/var/run/kubevirt-private/vmi-disks/${name}/disk.img` };
  }
  return { ...raw, path: `${ephemeral}/cloud-init-data/default/${vmi.metadata.name}/noCloud.iso`, discard: false };
}

export function factsOf(vmi: VirtualMachineInstance, change: Partial<DomainFacts> = {}): DomainFacts {
  const ovmf = '/usr/share/OVMF';
  return {
    domainName: `${vmi.metadata.namespace}_${vmi.metadata.name}`,
    kvm: false,
    ovmf: {
      code: `${ovmf}/OVMF_CODE.fd`,
      vars: `${ovmf}/OVMF_VARS.fd`,
      secureBootCode: `${ovmf}/OVMF_CODE.secboot.fd`,
      secureBootVars: `${ovmf}/OVMF_VARS.secboot.fd`,
    },
    runtimeDir: `/var/run/kubevirt-private/${vmi.metadata.uid}`,
    nvramDir: '/var/run/kubevirt-private/libvirt/qemu/nvram',
    disks: (vmi.spec.volumes ?? []).map((_, i) => sourceOf(vmi, i)),
    interfaces: (vmi.spec.domain.devices.interfaces ?? []).map(({ name, macAddress }, i) => ({
      name,
      tap: `tap${i}`,
      mac: macAddress ?? `02:00:00:00:00:0${i}`,
      mtu: 1480,
    })),
    smbios: {},
    kernelBoot: vmi.spec.domain.firmware?.kernelBoot && {
      kernel: '/var/run/kubevirt/container-disks/kernel-boot/vmlinuz',
      initrd: '/var/run/kubevirt/container-disks/kernel-boot/initrd',
    },
    balloonStatsPeriod: 10,
    freePageReporting: true,
    bochsForEfi: true,
    logSerialConsole: true,
    ...change,
  };
}
