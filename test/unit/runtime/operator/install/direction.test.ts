import { directionOf } from '../../../../../src/runtime/operator/install/direction';

test.each([
  ['is an installation without a version', undefined, 'v1.0.0', 'install'],
  ['is an upgrade to a newer version', 'v1.0.0', 'v1.0.1', 'upgrade'],
  ['is an upgrade to a newer minor version', 'v1.9.9', 'v1.10.0', 'upgrade'],
  ['is a rollback to an older version', 'v1.0.1', 'v1.0.0', 'rollback'],
  ['is a rollback to an older minor version', 'v1.10.0', 'v1.9.9', 'rollback'],
  ['is a rollback to an older major version', 'v2.0.0', 'v1.99.99', 'rollback'],
  ['is an upgrade to the same version, whose settings may have changed', 'v1.0.0', 'v1.0.0', 'upgrade'],
  ['accepts versions without a prefix', '1.2.3', '1.2.2', 'rollback'],
  ['ignores what follows the numbers', 'v1.2.3-rc.1', 'v1.2.3-beta', 'upgrade'],
  ['is an upgrade from other text', 'main', 'v1.0.0', 'upgrade'],
  ['is an upgrade to other text', 'v1.0.0', 'devel', 'upgrade'],
])('%s', (_, installed, wanted, want) => expect(directionOf(installed, wanted)).toBe(want));
