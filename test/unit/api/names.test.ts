import { closest, isDnsLabel, isDnsSubdomain, isLabelValue, isPortName, isQualifiedName } from '../../../src/api';

test.each([
  ['a label', isDnsLabel, ['a', 'web-1', '0'], ['', 'Web', '-a', 'a-', 'a.b', 'a'.repeat(64)]],
  ['a subdomain', isDnsSubdomain, ['a', 'a.b-c.d'], ['a..b', '.a', 'A', 'a'.repeat(254)]],
  ['a label value', isLabelValue, ['', 'A_b.c-1'], ['-a', 'a b', 'a'.repeat(64)]],
  ['a qualified name', isQualifiedName, ['app', 'kubevirt.io/vm'], ['', '/a', 'a/', 'A!/b', 'a/b/c']],
  ['a port name', isPortName, ['http', 'a1'], ['80', 'too-long-a-port-name', 'a--b', 'HTTP']],
])('%s is distinguished from other text', (_, is, good, bad) => {
  expect(good.filter((name) => !is(name))).toEqual([]);
  expect(bad.filter((name) => is(name))).toEqual([]);
});

test('the nearest known word is suggested, a distant one is not', () => {
  expect(closest('virtoi', ['sata', 'scsi', 'virtio'])).toBe('virtio');
  expect(closest('Allways', ['Always', 'Halted'])).toBe('Always');
  expect(closest('nvme', ['sata', 'scsi', 'virtio'])).toBeUndefined();
});
