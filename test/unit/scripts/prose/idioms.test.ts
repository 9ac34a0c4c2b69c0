import { idiomsIn } from '../../../../scripts/prose/idioms';

const found = (text: string, quotations?: string[]): string[] => idiomsIn(text, quotations).map((use) => use.found);

test.each([
  ['A mistake in it is told before any cluster sees it', 'told'],
  ['what is judged of a construct', 'judged'],
  ['"Ops" is no login name', 'is no l'],
  ['kind and metadata.name are no texts', 'are no t'],
  ['a label that is none', 'is none'],
  ['the pages are written anew', 'anew'],
  ['the VM starts by itself then', 'by itself'],
  ['what it holds goes with it', 'goes'],
  ['a colon cannot be where it stands', 'stands'],
  ['the handler wants a socket', 'wants'],
  ['deletes now, lets old ones go', 'lets old ones go'],
  ['the record is mended', 'mended'],
  ['takes a snapshot of it now and then', 'now and then'],
  ['name it otherwise', 'name it otherwise'],
  ['the result is one line, whatever the text', 'whatever'],
  ['other hooks are left alone', 'are left alone'],
  ['restarts the guest when the policy says so', 'says so'],
  ['the test waits in vain', 'in vain'],
  ['  /** How a kind is served. */', '  /** How '],
])('%s', (text, use) => {
  expect(found(text)).toEqual([use]);
});

test.each([
  'there is no disk of this name',
  'the files or, if there are none, standard input',
  'reports how a kind is served, and why',
  'the value is no longer than 63 characters',
  'a claim is no smaller than its disk',
  'TCG stands for tiny code generator',
  'empty unless the launcher lost libvirt, null otherwise',
])('accepts: %s', (text) => {
  expect(found(text)).toEqual([]);
});

test('names the line', () => {
  expect(idiomsIn('fine\nhe told us\n')).toMatchObject([{ line: 2, found: 'told' }]);
});

test('accepts a quotation, and only that', () => {
  expect(found('x is no valid name', ['x is no valid name'])).toEqual([]);
  expect(found('x is no valid name; it is told', ['x is no valid name'])).toEqual(['told']);
});
