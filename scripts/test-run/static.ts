import type { Task } from './tasks';

type Check = Pick<Task, 'command' | 'needs' | 'affected'>;
const check = (...command: string[]): Check => ({ command, needs: [], affected: true });

/** Checks that run no test. They count as affected: a mistake in them is found within the first minutes. */
export const checks: Readonly<Record<string, Check>> = {
  generated: check('tsx', 'scripts/generate.ts', '--check'),
  prose: check('tsx', 'scripts/prose.ts'),
  lint: check('tsx', 'scripts/checks/lint.ts', 'eslint'),
  format: check('tsx', 'scripts/checks/lint.ts', 'prettier'),
  types: check('tsx', 'scripts/checks/types.ts'),
  jsii: check('tsx', 'scripts/library.ts'),
};

/** Names that `scripts/test STAGE` accepts. */
export const STAGES: readonly string[] = [...Object.keys(checks), 'unit', 'engine', 'integration', 'e2e'];
