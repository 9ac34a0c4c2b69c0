import { askedIn } from '../../../../src/runtime/exporter/backup';

test.each<[string, object]>([
  ['', { offset: 0, length: 0, pageSize: 512 }],
  ['offset=4096&length=512&page_size=2', { offset: 4096, length: 512, pageSize: 2 }],
  ['page_size=65537', { offset: 0, length: 0, pageSize: 65_536 }],
  ['offset=-1', { mistake: expect.stringContaining('offset') }],
  ['length=1e3', { mistake: expect.stringContaining('length') }],
  ['offset=9007199254740992', { mistake: expect.stringContaining('offset') }],
  ['page_size=0', { mistake: expect.stringContaining('page_size') }],
])('the query "%s" asks for a part of the disk', (query, expected) => {
  expect(askedIn(new URLSearchParams(query))).toEqual(expected);
});
