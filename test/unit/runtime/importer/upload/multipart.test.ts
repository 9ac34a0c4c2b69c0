import { boundaryOf, fileOfForm } from '../../../../../src/runtime/importer/upload/multipart';

const form = (content: string, name = 'file', boundary = 'xyz'): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.img"\r\n` +
  `Content-Type: application/octet-stream\r\n\r\n${content}\r\n--${boundary}--\r\n`;

/** The content of a form that arrives in pieces of this size. */
async function contentOf(text: string, size: number): Promise<string> {
  const pieces = (async function* () {
    for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size), 'latin1');
  })();
  let content = '';
  for await (const chunk of fileOfForm(pieces, 'xyz')) content += chunk.toString('latin1');
  return content;
}

describe('form', () => {
  test.each(['disk', '', 'a\r\nb', '--xyz', '\r\n--xy', '\0\xff'])(
    'with the content %j has it in any pieces',
    async (content) => {
      for (const size of [1, 2, 7, 1000]) expect(await contentOf(form(content), size)).toBe(content);
    },
  );

  test.each<[string, string, RegExp]>([
    ['another part first', form('a', 'other'), /"file"/],
    ['no end', form('a').slice(0, -10), /ends within its part/],
    ['no content', '', /ends within its part/],
    ['a header without an end', `--xyz\r\n${'a'.repeat(9000)}`, /first 8192 bytes/],
    ['no boundary', 'a'.repeat(9000), /first 8192 bytes/],
  ])('with %s is refused', async (_, text, message) => {
    await expect(contentOf(text, 1000)).rejects.toThrow(message);
  });

  test.each([
    ['multipart/form-data; boundary=xyz', 'xyz'],
    ['multipart/form-data; charset=utf-8; boundary="x y"', 'x y'],
  ])('of type %s has its boundary', (type, boundary) => expect(boundaryOf(type)).toBe(boundary));

  test.each([
    undefined,
    'application/octet-stream',
    'multipart/form-data',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('of type %s has none', (type) => expect(() => boundaryOf(type)).toThrow(/boundary/));
});
