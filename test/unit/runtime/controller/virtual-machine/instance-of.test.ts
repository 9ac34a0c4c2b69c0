import { templateHash } from '../../../../../src/runtime/controller/virtual-machine/instance-of';
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

test('the template of an unchanged VM is hashed once, whatever number of passes there are', () => {
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

test('a new version of a VM is hashed anew', () => {
  const before = vm();
  const after = vm('Always', (v) => (v.spec.template.spec!.domain.memory = { guest: '2Gi' }));
  expect(templateHash(after)).not.toEqual(templateHash(before));
  expect(templateHash(vm())).toEqual(templateHash(before));
});
