/** QEMU arguments for features without an element in libvirt's format. */
import { keys } from '../../../api/keys';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { slirpArguments } from './interfaces/slirp';
import { type Element, el } from './xml';

/** SeaBIOS and OVMF write their log to this port; QEMU writes it to a file. */
const firmwareLog = (path: string): string[] => [
  ...['-chardev', `file,id=firmwarelog,path=${path}`],
  ...['-device', 'isa-debugcon,iobase=0x402,chardev=firmwarelog'],
];

/** `<qemu:commandline>`. */
export function commandLine(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const ignition = vmi.metadata.annotations?.[keys.ignition]?.includes('ignition');
  const values = [
    ...slirpArguments(vmi),
    ...(ignition ? ['-fw_cfg', `name=opt/com.coreos/config,file=${facts.ignitionFile}`] : []),
    ...(facts.firmwareLog && facts.architecture === 'amd64' ? firmwareLog(facts.firmwareLog) : []),
  ];
  return values.length === 0 ? [] : [el('qemu:commandline', {}, ...values.map((value) => el('qemu:arg', { value })))];
}
