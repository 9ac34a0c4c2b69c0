import { jolietNames } from '../../../../../src/runtime/launcher/disks/joliet';

const long = (length: number, end = ''): string => 'k'.repeat(length - end.length) + end;

test.each<[string, string[], string[]]>([
  ['short names stay', ['a', 'b.txt', 'B.txt'], ['a', 'b.txt', 'B.txt']],
  ['64 characters stay', [long(64)], [long(64)]],
  ['65 characters are cut', [long(65)], [`${long(62)}~1`]],
  ['an extension is kept', [long(80, '.yaml')], [`${long(57)}~1.yaml`]],
  ['a long extension is not kept', [long(80, '.123456789')], [`${long(62)}~1`]],
  [
    'names that are equal when they are cut stay different',
    [long(70, 'a'), long(70, 'b')],
    [`${long(62)}~1`, `${long(62)}~2`],
  ],
  ['a cut name never takes one that is there', [`${long(62)}~1`, long(70)], [`${long(62)}~1`, `${long(62)}~2`]],
  ['also one that comes later', [long(70), `${long(62)}~1`], [`${long(62)}~2`, `${long(62)}~1`]],
  ['forbidden characters are replaced', ['a:b', 'a*b', 'c\\d\n'], ['a_b~1', 'a_b~2', 'c_d_~1']],
  ['a character of two halves is not halved', [`${long(61)}\u{1f600}${long(9)}`], [`${long(61)}~1`]],
])('%s', (_, names, want) => expect(jolietNames(names)).toEqual(want));
