import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insideFolder } from '../../../../src/runtime/importer/copy-claim';

describe('an image in a claim', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'copy-claim-')));
    mkdirSync(join(folder, 'claim/db'), { recursive: true });
    for (const name of ['claim/db/disk', 'secret']) writeFileSync(join(folder, name), '');
    symlinkSync('db', join(folder, 'claim/folder'));
    symlinkSync('../../secret', join(folder, 'claim/db/link'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const find = (image: string): Promise<string> => insideFolder(join(folder, 'claim'), image);

  test('is found', async () => expect(await find('db/disk')).toBe(join(folder, 'claim/db/disk')));
  test.each([
    ['db/none', /does not exist/],
    ['db/link', /contains a link/],
    ['folder/disk', /contains a link/],
    ['../secret', /leaves the claim/],
    ['.', /leaves the claim/],
  ])('%s is refused', async (image, message) => {
    await expect(find(image)).rejects.toMatchObject({
      problem: 'RequestInvalid',
      message: expect.stringMatching(message),
    });
  });
});
