import type { VirtualMachineInstance } from '../../../../../src/api';
import { renderDomainXml } from '../../../../../src/runtime/launcher/domain/render';
import { el, toXml } from '../../../../../src/runtime/launcher/domain/xml';
import { expectGolden } from '../../../../support/golden';
import { cases } from './cases';
import { factsOf } from './facts';

// Update with: UPDATE_GOLDENS=1 npm test -- test/unit/runtime/launcher/domain
test.each(cases)('$name is rendered as its golden', ({ golden, render }) => {
  const xml = render();
  expect(render()).toBe(xml); // same input, same bytes
  expectGolden(golden, xml);
});

function valid(): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default', uid: 'u' },
    spec: { domain: { memory: { guest: '64Mi' }, devices: {} } },
  };
}

test.each<[string, (spec: VirtualMachineInstance['spec']) => void, RegExp]>([
  ['less than no memory', ({ domain }) => (domain.memory!.guest = '-1Gi'), /"-1Gi" is negative; write it/],
  ['memory that is not a quantity', ({ domain }) => (domain.memory!.guest = 'lots'), /"lots" is not a quantity/],
])('%s is rejected with its path', (_, change, message) => {
  const vmi = valid();
  change(vmi.spec);
  expect(() => renderDomainXml(vmi, factsOf(vmi))).toThrow(message);
});

test('text cannot break out of its place', () => {
  expect(toXml(el('a', { b: `'"<&>` }, `</a>`))).toBe("<a b='&apos;&quot;&lt;&amp;&gt;'>&lt;/a&gt;</a>\n");
  expect(() => toXml(el('a', {}, 'bell\u0007'))).toThrow('control character');
});
