/** A domain of libvirt -> a VirtualMachine, and what must be said about the difference. Pure. */
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
  /** The networks that the VM needs, and the VM at the end. */
  readonly objects: readonly Manifest[];
  /** What differs, and what is to be done. */
  readonly remarks: readonly string[];
  /** Elements that have no counterpart. */
  readonly left: readonly string[];
}

/** @throws XmlProblem when it is no domain of a kind that there is here */
export function importDomain(text: string, sizeOf: SizeOf = () => undefined): ImportedDomain {
  const domain = Xml.parse(text);
  if (domain.name !== 'domain') {
    throw new XmlProblem(`this is a <${domain.name}>, not a <domain>; print one by: virsh dumpxml NAME`);
  }
  const type = domain.attribute('type') ?? 'kvm';
  if (!/^(kvm|qemu|hvf|xen)$/.test(type)) throw new XmlProblem(`a domain of the type ${type} is no machine of QEMU`);
  const remarks: string[] = [];
  const tell = { remark: (line: string): void => void remarks.push(line) };
  const name = domain.child('name')?.text() ?? '';
  const vm = dnsName(name, 'vm');
  if (vm !== name) remarks.push(`the name ${JSON.stringify(name)} is ${vm} here: names are DNS labels`);

  const devices = domain.child('devices');
  const disks = disksOf(devices, vm, sizeOf, tell);
  const networks = networksOf(devices, tell);
  orderBoot(domain, disks, networks.interfaces);
  const { architecture, machine } = machineOf(domain, tell);
  const firmware = firmwareOf(domain, tell);
  const efi = (firmware?.bootloader as { efi?: { secureBoot?: boolean } } | undefined)?.efi;
  const threads = integer(domain.child('iothreads')?.text());
  const reboot = domain.child('on_reboot')?.text();
  const spec = {
    ...some({ architecture }),
    domain: {
      ...some({
        cpu: cpuOf(domain, tell),
        memory: memoryOf(domain, tell),
        machine,
        firmware,
        chassis: chassisOf(domain),
        clock: clockOf(domain, tell),
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
        ...devicesOf(devices, tell),
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

/** As libvirt: a guest that shuts itself down stays so. */
const runStrategyOf = (domain: Xml): string =>
  domain.child('on_poweroff')?.text() === 'restart' ? 'Always' : 'RerunOnFailure';

/** `<boot dev='cdrom'/>`: the first device of that type is tried. */
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
