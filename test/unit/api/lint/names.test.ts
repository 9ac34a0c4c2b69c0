import { misspelt } from '../../../../src/api/lint/names';

test.each([
  ['databsae', 'database', true],
  ['databas', 'database', true],
  ['data-base', 'database', true],
  ['before-upgarde', 'before-upgrade', true],
  ['web-databsae', 'web-database', true],
  // of a series
  ['db-1', 'db-2', false],
  ['node10', 'node1', false],
  ['server', 'server-1', false],
  ['server1', 'server', false],
  ['web-a', 'web-b', false],
  ['vlan-100', 'vlan-101', false],
  // of variants
  ['test-database', 'prod-database', false],
  ['database-copy', 'database', false],
  ['staging', 'production', false],
  // short
  ['lan', 'wan', false],
  ['db', 'dc', false],
  // the same
  ['database', 'database', false],
  ['', 'database', false],
])('"%s" is "%s", misspelt: %s', (name, other, want) => expect(misspelt(name, [other])).toBe(want ? other : undefined));
