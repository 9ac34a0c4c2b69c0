/** The code that an import writes for files, and the objects of that code. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as cdk8s from 'cdk8s';
import { documentsOf } from '../../../../src/cli/manifests/documents';
import type { Manifest } from '../../../../src/cli/import/kinds/kind';
import type { Libraries } from '../../../../src/cli/import/trial';
import * as virt8s from '../../../../src/constructs';

export const libraries: Libraries = { cdk8s, virt8s };

/** The objects of YAML text. */
export const objectsOf = (text: string): Manifest[] =>
  documentsOf(text).map(({ object, problem }) => {
    if (!object) throw new Error(problem?.cause);
    return object as unknown as Manifest;
  });

/** Runs a program as `npx tsx app.ts` would, and answers the objects that it leaves in dist/, file by file. */
export function synthesized(program: string): Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-import-'));
  const before = process.env.CDK8S_OUTDIR;
  try {
    process.env.CDK8S_OUTDIR = join(folder, 'dist');
    const { transformSync } = jest.requireActual<typeof import('esbuild')>('esbuild');
    const { code } = transformSync(program, { loader: 'ts', format: 'cjs' });
    const known: Record<string, unknown> = { cdk8s, virt8s, 'node:path': { join } };
    new Function('require', '__dirname', code)((name: string) => known[name], folder);
    return readdirSync(join(folder, 'dist'))
      .sort()
      .flatMap((file) => objectsOf(readFileSync(join(folder, 'dist', file), 'utf8')));
  } finally {
    if (before === undefined) delete process.env.CDK8S_OUTDIR;
    else process.env.CDK8S_OUTDIR = before;
    rmSync(folder, { recursive: true, force: true });
  }
}
