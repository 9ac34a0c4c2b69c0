import { existsSync, globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { testsOf } from '../../../scripts/tests-of';

const checkout = resolve(__dirname, '../../..');
const unit = 'test/unit';

test.each([
  ['the test that mirrors it', 'src/api/quantity.ts', `${unit}/api/quantity.test.ts`],
  ['a test that imports it', 'src/api/cdi/url.ts', `${unit}/api/cdi/text.test.ts`],
  ['the tests of its folder', 'src/api/admission/grace.ts', `${unit}/api/admission/size.test.ts`],
])('a source file has %s', (_, source, test) => {
  expect(testsOf(join(checkout, source))).toContain(test);
});

test('a source file that a test mirrors has no tests that do not import it', () => {
  expect(testsOf(join(checkout, 'src/api/cloud-init/network.ts'))).not.toContain(`${unit}/api/quantity.test.ts`);
});

test('every unit test is in the folder that mirrors its sources', () => {
  const others =
    /^test\/unit\/(bench|docs|examples|scripts|support|constructs\/(catalogue|fuzz))\b|^test\/unit\/[^/]+$/;
  const lost = globSync(`${unit}/**/*.test.ts`, { cwd: checkout })
    .filter((test) => !others.test(test))
    .filter((test) => !existsSync(join(checkout, test.replace(/^test\/unit/, 'src').replace(/\/[^/]+$/, ''))));
  expect(lost).toEqual([]);
});
