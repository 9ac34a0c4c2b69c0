import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleId } from '../../../../src/api/findings';

/** Rules that find a secret where it can be read. */
const aboutSecrets: RuleId[] = [
  'cloud-init-password',
  'cloud-init-private-key',
  'cloud-user-key',
  'source-secret',
  'sysprep-key',
  'sysprep-password',
  'sysprep-product-key',
];

const source = join(__dirname, '../../../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(api|constructs)\/.*\.ts$/.test(file) && !/generated\/|^api\/findings\//.test(file))
  .map((file) => readFileSync(join(source, file), 'utf8'));

test.each(aboutSecrets)('a finding of %s carries no value', (rule) => {
  const uses = files.flatMap((text) => text.split(`'${rule}'`).slice(1));
  expect(uses).not.toEqual([]);
  for (const after of uses) expect(after.split(/;\n|\n\n/)[0]).not.toMatch(/\bvalue\b/);
});
