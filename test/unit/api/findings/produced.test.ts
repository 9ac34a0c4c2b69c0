/** Each rule has a test that expects its finding: in a table of a test, in a golden file or in the catalogue of mistakes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesOf } from '../../../../src/api/findings';

const folder = join(__dirname, '../../..', 'unit');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|txt|json|yaml)$/.test(file) && !file.startsWith('api/findings/'))
  .map((file) => readFileSync(join(folder, file), 'utf8'));

/** A rule in an expectation: printed `[disk-bus]`, as an item `'disk-bus spec.…'`, or in a line of a golden file. */
const FORMS = [
  /\[([a-z0-9-]+)\\?\]/g,
  /['"`]([a-z0-9]+(?:-[a-z0-9]+)+)(?=['"`\s:])/g,
  /^ {2}\S* {2}([a-z0-9-]+)(?= |$)/gm,
  /['"`]([a-z]+) (?:spec\.|\$\{)/g,
  /\brule: '([a-z0-9-]+)'/g,
];

const expected = new Set(
  files.flatMap((text) => {
    const claims = text.replace(/^.*\.not\.to.*$/gm, '');
    return FORMS.flatMap((form) => [...claims.matchAll(form)].map(([, rule]) => rule));
  }),
);

/** Rules whose finding is only printed without their name, which their tests check. */
const UNNAMED = [
  // `virt8s render` prints the error itself
  'render',
  // responses of webhooks have no names of rules
  'instance-status',
];

test.each(['value', 'object', 'between objects'] as const)('a test expects each rule of the stage %s', (stage) => {
  expect(rulesOf(stage).filter((rule) => !expected.has(rule) && !UNNAMED.includes(rule))).toEqual([]);
});
