import {
  instanceOf,
  needsRestart,
  templateHash,
} from '../../../../../src/runtime/controller/virtual-machine/instance-of';
import type { VirtualMachine } from '../../../../../src/api';
import { decide } from '../../../../../src/runtime/controller/virtual-machine/decide';
import { config, NOW, running, vm } from '../fixtures';

/** Counts how often anything of the template is read. */
function counted() {
  const reads = { count: 0 };
  const of = vm();
  const { template } = of.spec;
  Object.defineProperty(of.spec, 'template', {
    enumerable: true,
    get: () => {
      reads.count++;
      return template;
    },
  });
  return { of, reads };
}

test('the template of an unchanged VM is hashed once, for any number of passes', () => {
  const { of, reads } = counted();
  const seen = {
    vm: of,
    vmi: running(),
    dataVolumes: new Map(),
    collected: new Set<string>(),
    claims: new Map(),
    config,
    now: NOW,
  };
  decide(seen);
  const first = reads.count;
  expect(first).toBeGreaterThan(0);
  decide(seen);
  decide({ ...seen, vm: { ...of, status: { ready: true } } });
  expect(reads.count).toBe(first);
});

test('a new version of a VM is hashed again', () => {
  const before = vm();
  const after = vm('Always', (v) => (v.spec.template.spec!.domain.memory = { guest: '2Gi' }));
  expect(templateHash(after)).not.toEqual(templateHash(before));
  expect(templateHash(vm())).toEqual(templateHash(before));
});

const made = (of: VirtualMachine, claims = new Map()) => instanceOf(of, false, { claims, config });

test.each<[string, (v: VirtualMachine) => void, boolean]>([
  ['nothing', () => undefined, false],
  ['a field that is null, which is absence', (v) => (v.spec.template.spec!.hostname = null as never), false],
  ['where the guest may run', (v) => (v.spec.template.spec!.nodeSelector = { zone: 'a' }), false],
  ['labels of the template', (v) => (v.spec.template.metadata = { labels: { a: 'b' } }), false],
  ['the strategy', (v) => (v.spec.runStrategy = 'Manual'), false],
  ['the memory', (v) => (v.spec.template.spec!.domain.memory = { guest: '2Gi' }), true],
  ['the instance type', (v) => (v.spec.instancetype = { name: 'large' }), true],
  ['the preference', (v) => (v.spec.preference = { name: 'linux' }), true],
])('a change of %s needs a restart: %s', (_, change, want) => {
  expect(needsRestart(vm('Always', change), made(vm()), config)).toBe(want);
});

test('a change beside an instance type needs a restart only where one without it does', () => {
  const sized = (change: (v: VirtualMachine) => void = () => undefined) =>
    vm('Always', (v) => {
      v.spec.instancetype = { name: 'large' };
      change(v);
    });
  const guest = { metadata: { annotations: { 'virt8s.io/template-hash': hashes(sized()) } }, spec: {} } as never;
  expect(needsRestart(sized(), guest, config)).toBe(false);
  expect(
    needsRestart(
      sized((v) => (v.spec.template.spec!.nodeSelector = { zone: 'a' })),
      guest,
      config,
    ),
  ).toBe(false);
  expect(
    needsRestart(
      sized((v) => (v.spec.template.spec!.hostname = 'b')),
      guest,
      config,
    ),
  ).toBe(true);
  expect(
    needsRestart(
      sized((v) => (v.spec.instancetype = { name: 'small' })),
      guest,
      config,
    ),
  ).toBe(true);
});

test('the order of fields does not matter', () => {
  const [one, two] = [
    { a: '1', b: '2' },
    { b: '2', a: '1' },
  ].map((nodeSelector) => templateHash(vm('Always', (v) => (v.spec.template.spec!.nodeSelector = nodeSelector))));
  expect(one).toEqual(two);
});

test('a VMI that was not created from a template needs no restart', () => {
  const foreign = { metadata: {} } as never;
  expect(needsRestart(vm(), foreign, config)).toBe(false);
});

test('a VMI records the version of its VM, and whether it starts paused', () => {
  const of = vm();
  of.metadata.generation = 7;
  expect(made(of).metadata.annotations).toMatchObject({ 'kubevirt.io/vm-generation': '7' });
  expect(made(of).spec.startStrategy).toBeUndefined();
  expect(instanceOf(of, true, { claims: new Map(), config }).spec.startStrategy).toBe('Paused');
});

test('a VMI is created with the status of its claims, and without a list if there is none', () => {
  const of = vm(
    'Always',
    (v) => (v.spec.template.spec!.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'root' } }]),
  );
  expect(made(of, new Map([['root', { accessModes: ['ReadWriteMany'] }]])).status?.volumeStatus).toMatchObject([
    { name: 'root', persistentVolumeClaimInfo: { claimName: 'root', accessModes: ['ReadWriteMany'] } },
  ]);
  expect(made(of).status ?? {}).not.toHaveProperty('volumeStatus');
});

const hashes = (of: VirtualMachine): string => {
  const { whole, fixed } = templateHash(of);
  return `${whole}.${fixed}`;
};
