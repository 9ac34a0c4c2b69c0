import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { codeBlocks } from '../../support/code-blocks';
import { run } from './engine';

/** Runs the code of the guide. Another test compiles the code of all pages. */
const checkout = resolve(__dirname, '../../..');
const programs = codeBlocks(join(checkout, 'docs/guides/pulumi.md')).filter(({ language }) => language === 'ts');
const folder = mkdtempSync(join(checkout, 'examples/.pulumi-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)} me`;

test.each(programs.map(({ where, text }, i) => [where, text, i] as const))(
  'the program at %s runs',
  async (_, text, i) => {
    const file = join(folder, `${i}.ts`);
    writeFileSync(file, text);
    pulumi.runtime.setAllConfig({ 'project:publicKey': key });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a program is run by loading it
    const { objects, registrations } = await run(() => require(file) as unknown);
    expect(objects.map(({ kind }) => kind)).toContain('VirtualMachine');
    expect(JSON.stringify(registrations)).not.toMatch(/virt8s-\d+[ab]\b/);
  },
);
