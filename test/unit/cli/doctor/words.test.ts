import { counted, grouped, listed, spanText, subjectOf } from '../../../../src/cli/doctor/words';

test.each([
  [counted(1, 'VM'), '1 VM'],
  [counted(2, 'process'), '2 processes'],
  [counted(0, 'policy'), '0 policies'],
  [counted(2, 'day'), '2 days'],
  [subjectOf('Node', ['a']), 'Node "a"'],
  [subjectOf('StorageClass', ['a', 'b']), 'StorageClasses "a", "b"'],
  [listed(['a', 'b', 'c', 'd', 'e']), '"a", "b", "c" and 2 more'],
  [spanText(-90 * 60_000), '1 hour'],
  [spanText(59_999), '59 seconds'],
  [spanText(3), '0 seconds'],
])('%j', (text, wanted) => expect(text).toBe(wanted));

test('groups keep the order of their first elements', () => {
  expect([...grouped([3, 1, 5, 2], (each) => (each % 2 ? 'odd' : 'even'))]).toEqual([
    ['odd', [3, 1, 5]],
    ['even', [2]],
  ]);
});
