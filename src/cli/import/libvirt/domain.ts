/** Maps a libvirt domain to a VirtualMachine, with notes about the differences. Pure. */
import type { Manifest } from '../kinds/kind';
import { devicesOf } from './devices';
import { type Disks, disksOf, type SizeOf } from './disks';
import { chassisOf, clockOf, cpuOf, featuresOf, firmwareOf, machineOf, memoryOf } from './machine';
import { networksOf } from './networks';
import { withoutCounterpart } from './notes';
import { dnsName, integer, some } from './units';
import { Xml, XmlProblem } from './xml';

export interface ImportedDomain {
  readonly name: string;
  /** Networks of the VM, then the VM. */
  readonly objects: readonly Manifest[];
  /** Differences and manual steps. */
  readonly remarks: readonly string[];
  /** Elements without a counterpart. */
  readonly left: readonly string[];
}

/** @throws XmlProblem if it is not a domain of a supported type */
export function importDomain(text: string, sizeOf: SizeOf = () => undefined): ImportedDomain {
  const domain = Xml.parse(text);
  if (domain.name !== 'domain') {
    throw new XmlProblem(`this is a <${domain.name}>, not a <domain>; print a domain with: virsh dumpxml NAME`);
  }
  const type = domain.attribute('type') ?? 'kvm';
  if (!/^(kvm|qemu|hvf|xen)$/.test(type))
    throw new XmlProblem(`domains of the type ${type} are not supported (allowed: kvm, qemu, hvf, xen)`);
  const remarks: string[] = [];
  const collector = { remark: (line: string): void => void remarks.push(line) };
  const name = domain.child('name')?.text() ?? '';
  const vm = dnsName(name, 'vm');
  if (vm !== name) remarks.push(`the name ${JSON.stringify(name)} becomes ${vm}: names must be DNS labels`);

  const devices = domain.child('devices');
  const disks = disksOf(devices, vm, sizeOf, collector);
  const networks = networksOf(devices, collector);
  orderBoot(domain, disks, networks.interfaces);
  const { architecture, machine } = machineOf(domain, collector);
  const firmware = firmwareOf(domain, collector);
  const efi = (firmware?.bootloader as { efi?: { secureBoot?: boolean } } | undefined)?.efi;
  const threads = integer(domain.child('iothreads')?.text());
  const reboot = domain.child('on_reboot')?.text();
  const spec = {
    ...some({ architecture }),
    domain: {
      ...some({
        cpu: cpuOf(domain, collector),
        memory: memoryOf(domain, collector),
        machine,
        firmware,
        chassis: chassisOf(domain),
        clock: clockOf(domain, collector),
        features: featuresOf(domain, efi?.secureBoot === true),
        ioThreadsPolicy: threads ? 'supplementalPool' : undefined,
        ioThreads: threads ? { supplementalPoolThreadCount: threads } : undefined,
        rebootPolicy: reboot === 'destroy' ? 'Terminate' : undefined,
        launchSecurity: launchSecurityOf(domain),
      }),
      devices: {
        ...some({
          disks: disks.disks.length > 0 ? disks.disks : undefined,
          interfaces: networks.interfaces.length > 0 ? networks.interfaces : undefined,
          autoattachPodInterface: networks.interfaces.length > 0 ? undefined : false,
          networkInterfaceMultiqueue: networks.multiQueue ? true : undefined,
        }),
        ...devicesOf(devices, collector),
      },
    },
    ...some({
      networks: networks.networks.length > 0 ? networks.networks : undefined,
      volumes: disks.volumes.length > 0 ? disks.volumes : undefined,
    }),
  };
  const description = [domain.child('title')?.text(), domain.child('description')?.text()].filter(Boolean).join(': ');
  const machineObject: Manifest = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: vm, ...(description === '' ? {} : { annotations: { description } }) },
    spec: {
      runStrategy: runStrategyOf(domain),
      ...(disks.templates.length > 0 ? { dataVolumeTemplates: disks.templates } : {}),
      template: { spec },
    },
  };
  const attachments = [...networks.attachments].map(([attachment, config]): Manifest => ({
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: attachment },
    spec: { config: JSON.stringify(config) },
  }));
  const left = domain.rest().flatMap((each) => withoutCounterpart(each) ?? []);
  return { name, objects: [...attachments, machineObject], remarks, left };
}

/** Run strategy with libvirt's behaviour: a guest that shuts down is not restarted. */
const runStrategyOf = (domain: Xml): string =>
  domain.child('on_poweroff')?.text() === 'restart' ? 'Always' : 'RerunOnFailure';

/** Boot order of `<boot dev='cdrom'/>`: the first device of this type. */
function orderBoot(domain: Xml, { bootOrders }: Disks, interfaces: readonly Record<string, unknown>[]): void {
  const wanted = (domain.child('os')?.children('boot') ?? []).map((boot) => boot.attribute('dev'));
  domain.child('os')?.child('bootmenu')?.settled();
  domain.child('os')?.child('bios')?.attribute('useserial');
  const found = wanted
    .map((type) => (type === 'network' ? interfaces[0] : bootOrders.find((each) => each.type === type)?.disk))
    .filter((device) => device !== undefined);
  const isUsual = found.length === 1 && bootOrders[0]?.disk === found[0];
  if (isUsual) return;
  found.forEach((device, i) => (device.bootOrder ??= i + 1));
}

function launchSecurityOf(domain: Xml): Record<string, unknown> | undefined {
  const security = domain.child('launchSecurity');
  switch (security?.attribute('type')) {
    case 'sev': {
      const policy = Number(security.child('policy')?.text() ?? 0);
      security.settled();
      return { sev: policy & 4 ? { policy: { encryptedState: true } } : {} };
    }
    case 'sev-snp':
      security.settled();
      return { snp: {} };
    case 'tdx':
      security.settled();
      return { tdx: {} };
    default:
      return undefined;
  }
}
