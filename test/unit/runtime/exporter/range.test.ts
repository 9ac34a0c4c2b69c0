import { rangeOf } from '../../../../src/runtime/exporter/range';

const of = (range?: string, more: object = {}) => rangeOf({ range, etag: '"a"', unit: 'bytes', size: 100, ...more });

test.each([
  ['no header', undefined, {}, undefined],
  ['a part', 'bytes=10-19', {}, { start: 10, end: 19 }],
  ['the first byte', 'bytes=0-0', {}, { start: 0, end: 0 }],
  ['the rest', 'bytes=90-', {}, { start: 90, end: 99 }],
  ['the last bytes', 'bytes=-10', {}, { start: 90, end: 99 }],
  ['more last bytes than there are', 'bytes=-1000', {}, { start: 0, end: 99 }],
  ['an end after the last byte', 'bytes=90-1000', {}, { start: 90, end: 99 }],
  ['a start after the last byte', 'bytes=100-', {}, 'unsatisfiable'],
  ['no last bytes', 'bytes=-0', {}, 'unsatisfiable'],
  ['a number that is too large', 'bytes=99999999999999999999-', {}, 'unsatisfiable'],
  ['a reversed range', 'bytes=20-10', {}, undefined],
  ['several ranges', 'bytes=0-1,5-6', {}, undefined],
  ['another unit', 'disk=5-', {}, undefined],
  ['no numbers', 'bytes=-', {}, undefined],
  ['the same version', 'bytes=90-', { ifRange: '"a"' }, { start: 90, end: 99 }],
  ['another version', 'bytes=90-', { ifRange: '"b"' }, undefined],
  ['an empty disk', 'bytes=0-', { size: 0 }, 'unsatisfiable'],
])('reads %s', (_, range, more, want) => expect(of(range, more)).toEqual(want));
