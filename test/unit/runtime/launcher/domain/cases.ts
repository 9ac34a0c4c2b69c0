/** The golden cases: a folder each, with vmi.yaml (and under `given` what differs from the model node) and domain.xml. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { renderDomainXml } from '../../../../../src/runtime/launcher/domain/render';
import { type Given, factsOf } from './facts';

const directory = join(__dirname, 'cases');

export interface Case {
  name: string;
  golden: string;
  render(): string;
  /** The same without KVM, for machines that have none. */
  emulated(): string;
  architecture: string;
}

export const cases: Case[] = readdirSync(directory).map((name) => {
  const text = readFileSync(join(directory, name, 'vmi.yaml'), 'utf8');
  const { given, ...vmi } = parse(text) as VirtualMachineInstance & { given?: Given };
  const facts = () => factsOf(vmi, given);
  return {
    name,
    golden: join(directory, name, 'domain.xml'),
    render: () => renderDomainXml(vmi, facts()),
    emulated: () => renderDomainXml(vmi, { ...facts(), hypervisor: 'qemu' }),
    architecture: vmi.spec.architecture ?? 'amd64',
  };
});
