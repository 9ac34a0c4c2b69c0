/** The golden cases: a folder each, with vmi.yaml (and facts that differ) and domain.xml. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { VirtualMachineInstance } from '../../../../../src/api';
import type { DomainFacts } from '../../../../../src/runtime/launcher/domain/facts';
import { renderDomainXml } from '../../../../../src/runtime/launcher/domain/render';
import { factsOf } from './facts';

const directory = join(__dirname, 'cases');

export interface Case {
  name: string;
  golden: string;
  render(): string;
}

export const cases: Case[] = readdirSync(directory).map((name) => {
  const text = readFileSync(join(directory, name, 'vmi.yaml'), 'utf8');
  const { facts, ...vmi } = parse(text) as VirtualMachineInstance & { facts?: Partial<DomainFacts> };
  return {
    name,
    golden: join(directory, name, 'domain.xml'),
    render: () => renderDomainXml(vmi, factsOf(vmi, facts)),
  };
});
