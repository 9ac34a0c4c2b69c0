import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as cdk8s from 'cdk8s';
import * as virt8s from '../../src';
import { type CodeBlock, codeBlocks, programOf } from './code-blocks';
import { fileNameOf } from './scenes';

const checkout = resolve(__dirname, '../..');

/** Pages whose code is compiled and run. */
export const pages = [
  'README.md',
  'PACKAGE.md',
  ...readdirSync(join(checkout, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(join(checkout, 'docs/guides')).map((name) => `docs/guides/${name}`),
  ...readdirSync(join(checkout, 'examples')).map((name) => `examples/${name}/README.md`),
].filter((page) => page.endsWith('.md') && existsSync(join(checkout, page)));

export const pageBlocks = pages.flatMap((page) => codeBlocks(join(checkout, page), page));

/** File name of a program without its extension. */
export const nameOf = ({ where }: CodeBlock): string => where.replace(/[^\w]/g, '-');

/** The programs of all pages, complete. */
export function pagePrograms(): { readonly name: string; readonly text: string }[] {
  const modules = { cdk8s: Object.keys(cdk8s), virt8s: Object.keys(virt8s) };
  return pageBlocks
    .filter((block) => block.language === 'ts' && !fileNameOf(block))
    .map((block) => ({ name: nameOf(block), text: programOf(block, modules) }));
}
