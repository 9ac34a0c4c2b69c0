import {
  admissionOf,
  mutateVirtualMachine,
  mutateVirtualMachineInstance,
  validateVirtualMachineCreate,
  validateVirtualMachineInstanceCreate,
} from '../../../../src/api';
import { asContext } from '../../../../src/api/context';
import { virtualMachineInstanceWarnings, virtualMachineWarnings } from '../../../../src/api/admission/warnings';
import { type Loose, validVm, validVmi } from '../fixtures';
import { configs, expectCauses, type Case } from './causes';
import type { Row } from './causes/changes';
import { compute } from './causes/compute';
import { devices } from './causes/devices';
import { grace } from './causes/grace';
import { machines } from './causes/machines';
import { networks } from './causes/networks';
import { placement } from './causes/placement';
import { pools } from './causes/pools';
import { shapes } from './causes/shapes';
import { storage } from './causes/storage';
import { updates } from './causes/updates';

function ofGuest([sentence, change, name = 'gated']: Row): Case {
  const config = configs[name];
  const vmi: Loose = validVmi();
  change(vmi.spec, vmi);
  const mutated = mutateVirtualMachineInstance(structuredClone(vmi), config);
  const errors = validateVirtualMachineInstanceCreate(mutated, config);
  return [sentence, errors, virtualMachineInstanceWarnings(vmi, { config })];
}

function ofMachine([sentence, change, name = 'gated']: Row): Case {
  const config = configs[name];
  const vm: Loose = validVm();
  change(vm.spec, vm);
  const errors = validateVirtualMachineCreate(mutateVirtualMachine(structuredClone(vm), config), config);
  return [sentence, errors, virtualMachineWarnings(vm, { config })];
}

/** In a pool, whose guest gets no defaults before it is validated. */
function ofPool([sentence, change, name = 'gated']: Row): Case {
  const machine: Loose = validVm();
  change(machine.spec.template.spec, machine);
  const labels = { app: 'web' };
  const pool: Loose = {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, virtualMachineTemplate: { metadata: { labels }, spec: machine.spec } },
  };
  return [sentence, admissionOf(pool)!.create(pool, asContext(configs[name]))];
}

test.each(Object.entries({ compute, devices, grace, networks, placement, shapes, storage }))(
  'every mistake in the %s of a VMI is reported with its cause and remedy',
  (name, rows) => expectCauses(name, rows.map(ofGuest)),
);

test('every mistake in a VM is reported with its cause and remedy', () => {
  expectCauses('machines', machines.map(ofMachine));
});

test('every mistake in the guest of a pool is reported with its cause and remedy', () => {
  expectCauses('pools', pools.map(ofPool));
});

test('every mistake in what a running guest is asked for is reported with its cause and remedy', () => {
  expectCauses('updates', updates);
});

test('a mistake that a feature gate permits names the gate as data', () => {
  const rows = [...compute, ...devices, ...grace, ...networks, ...placement, ...storage];
  const findings = rows.flatMap((row) => ofGuest(row)[1]).filter(({ rule }) => /^gate-(?!discontinued)/.test(rule));
  expect(findings.length).toBeGreaterThan(15);
  expect(findings.filter(({ gates = [] }) => gates.length === 0).map(({ cause }) => cause)).toEqual([]);
});
