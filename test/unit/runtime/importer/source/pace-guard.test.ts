import { PaceGuard } from '../../../../../src/runtime/importer/source/pace-guard';

const KIB = 1 << 10;

describe('PaceGuard', () => {
  test('rejects a source that sends one byte less than 60 KiB in a minute', () => {
    const guard = new PaceGuard();
    guard.add(60 * KIB - 2, 59_999);
    expect(() => guard.add(1, 1)).toThrow('the source sent 61439 bytes in 60 s');
  });

  test('accepts exactly 60 KiB, and counts the next minute separately', () => {
    const guard = new PaceGuard();
    guard.add(60 * KIB, 60_000);
    guard.add(0, 59_999);
    expect(() => guard.add(0, 1)).toThrow('the source sent 0 bytes in 60 s');
  });

  test('does not count time in which nothing was requested', () => {
    const guard = new PaceGuard();
    for (let i = 0; i < 1000; i++) guard.add(1, 0);
  });
});
