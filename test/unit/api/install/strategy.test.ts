import { strategyHash } from '../../../../src/api/install/strategy';

test('the hash is that of version and objects', () => {
  // printf 'v1\nkind: Role\n' | sha256sum
  expect(strategyHash('v1', 'kind: Role\n')).toBe('1c2467e81859e5086f792e75060a8fe78b487dbeb8a88a5e22e28847347dc06e');
});

test('the hash changes with the version, the objects, and the border between them', () => {
  const all = [strategyHash('v1', 'a'), strategyHash('v2', 'a'), strategyHash('v1', 'b'), strategyHash('v1a', '')];
  expect(new Set(all).size).toBe(all.length);
});
