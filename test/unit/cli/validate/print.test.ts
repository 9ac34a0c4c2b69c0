import type { LocatedFinding } from '../../../../src/cli/validate/check';
import { root } from '../../../../src/api';
import { formatLocated } from '../../../../src/cli/validate/print';

const finding: LocatedFinding = {
  at: { line: 2, column: 9 },
  path: root.at('spec', 'disks', 0, 'name'),
  cause: '"roott" has no volume.',
  remedy: 'did you mean "root"?',
  allowed: ['root'],
  rule: 'disk-has-volume',
  severity: 'error',
};

test('a finding is printed with place, marked line, allowed values and remedy', () => {
  expect(formatLocated('vm.yaml', finding, ['disks:', '- name: roott'])).toBe(
    [
      'vm.yaml:2:9: spec.disks[0].name: "roott" has no volume (allowed: "root")',
      '     2 | - name: roott',
      '       |         ^',
      '       = did you mean "root"? [disk-has-volume]',
    ].join('\n'),
  );
});

test('a warning is one line', () => {
  const warning = { ...finding, severity: 'warning' as const, cause: 'running is deprecated', remedy: '', path: root };
  expect(formatLocated('vm.yaml', { ...warning, allowed: undefined }, [])).toBe(
    'vm.yaml:2:9: warning: running is deprecated',
  );
});

test('many allowed values are cut, and a long line is shown around its mark', () => {
  const allowed = Array.from({ length: 20 }, (_, i) => `v${i}`);
  const text = formatLocated('f', { ...finding, allowed, at: { line: 1, column: 5000 } }, ['x'.repeat(10_000)]);
  expect(text).toContain('"v15", and 4 more)');
  const [, shown, mark] = text.split('\n');
  expect(shown!.length).toBeLessThan(150);
  expect(shown!.charAt(mark!.indexOf('^'))).toBe('x');
});

test('a line is printed without its secrets', () => {
  const at = (line: number, ...lines: string[]): string =>
    formatLocated('f', { ...finding, at: { line, column: 3 } }, lines)
      .split('\n')[1]!
      .slice(9);
  expect(at(1, '  password: hunter2')).toBe('  password: (hidden)');
  expect(at(1, '  url: https://me:hunter2@mirror.example/')).toBe('  url: https://(hidden)@mirror.example/');
  expect(at(2, '  token: |', '    hunter2')).toBe('    (hidden)');
  // the content of a Secret, even of one that cannot be parsed
  expect(at(3, 'kind: Secret', 'stringData:', '  user: "hunter2', '  b')).toBe('  user: (hidden)');
  expect(at(3, 'stringData:', '  a: |', '    hunter2', 'kind: "Secret"')).toBe('    (hidden)');
  expect(at(4, 'kind: Secret', '---', 'kind: ConfigMap', '  user: me')).toBe('  user: me');
});
