import { join } from 'node:path';
import {
  type ClusterConfig,
  clusterConfig,
  type Finding,
  mutateVirtualMachineInstance,
  validateVirtualMachineInstanceCreate,
  type VirtualMachineInstanceSpec,
} from '../../../../src/api';

import { featureGates } from '../../../../src/api/feature-gates';
import crds from '../../../../src/api/generated/crds.json';
import type { Crd } from '../../../support/filled';
import { expectGolden } from '../../../support/golden';
import { gated, validVmi } from '../fixtures';
import { trialsOf, tried } from './verdicts';

const crd = (crds as unknown as Crd[]).find(({ spec }) => spec.names.kind === 'VirtualMachineInstance')!;
const { spec: schema } = crd.spec.versions[0]!.schema.openAPIV3Schema.properties!;
const shown = ({ rule, type, field, path }: Finding): string =>
  `${rule} ${(type ?? '').replace('FieldValue', '')} ${field || path}`;
const brief = (value: unknown): string => JSON.stringify(value).replace(/(.)\1{15,}/g, '$1*');

/** One line for all values of a field that have the same findings. Findings of the schema are the schema's own tests'. */
function verdicts(spec: VirtualMachineInstanceSpec, config: ClusterConfig): string[] {
  const lines = new Map<string, string[]>();
  for (const trial of trialsOf(schema!)) {
    const vmi = mutateVirtualMachineInstance({ ...validVmi(), spec: tried(spec, schema!, trial) }, config);
    const errors = validateVirtualMachineInstanceCreate(vmi, config);
    if (errors.length === 0 || errors.some(({ rule }) => rule.startsWith('schema-'))) continue;
    const line = `${trial.path.join('.')}: ${errors.map(shown).join(', ')}`;
    lines.set(line, [...(lines.get(line) ?? []), brief(trial.value)]);
  }
  return [...lines].map(([line, values]) => `${line}  <- ${values.join(' ')}\n`);
}

const { spec } = validVmi();
const { domain } = spec;
const dedicated = { ...domain, cpu: { cores: 4, dedicatedCpuPlacement: true, isolateEmulatorThread: true } };
const bases: Readonly<Record<string, VirtualMachineInstanceSpec>> = {
  'huge-pages': {
    ...spec,
    domain: {
      ...dedicated,
      memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } },
      resources: { requests: { memory: '1Gi', cpu: '4' }, limits: { memory: '1Gi', cpu: '4' } },
    },
  },
  growing: {
    ...spec,
    domain: { ...domain, cpu: { sockets: 2, maxSockets: 8 }, memory: { guest: '1Gi', maxGuest: '4Gi' } },
  },
  arm64: { ...spec, architecture: 'arm64' },
  s390x: { ...spec, architecture: 's390x' },
  protected: {
    ...spec,
    domain: {
      ...domain,
      launchSecurity: { sev: {} },
      firmware: { bootloader: { efi: { secureBoot: false } } },
      features: { smm: { enabled: false } },
    },
  },
};

const goldenOf = (name: string): string => join(__dirname, 'verdicts', `${name}.txt`);
const plain = verdicts(spec, gated(...featureGates));
/** Differences from the plain VMI: `-` marks a verdict that only the plain one has. */
const difference = (lines: readonly string[]): string =>
  [
    ...plain.filter((line) => !lines.includes(line)).map((line) => `- ${line}`),
    ...lines.filter((line) => !plain.includes(line)).map((line) => `+ ${line}`),
  ].join('');

test('every value of every field of a VMI has its reviewed verdict', () => {
  expectGolden(goldenOf('plain'), plain.join(''));
});

test.each(Object.entries(bases))('a VMI that is %s differs in reviewed verdicts only', (name, base) => {
  const config = gated(...featureGates);
  const valid = mutateVirtualMachineInstance({ ...validVmi(), spec: base }, config);
  expect(validateVirtualMachineInstanceCreate(valid, config)).toEqual([]);
  expectGolden(goldenOf(name), difference(verdicts(base, gated(...featureGates))));
});

test('a VMI differs in reviewed verdicts only while the gates are off', () => {
  expectGolden(goldenOf('gates-off'), difference(verdicts(spec, clusterConfig())));
});
