import { JSII_FLAGS } from '../assembly/assembly';
import type { Task } from './tasks';

type Check = Pick<Task, 'command' | 'needs' | 'affected'>;
const check = (...command: string[]): Check => ({ command, needs: [], affected: true });

/** Checks that run no test. They count as affected: a mistake in them is found within the first minutes. */
export const checks: Readonly<Record<string, Check>> = {
  generated: check('tsx', 'scripts/generate.ts', '--check'),
  prose: check('tsx', 'scripts/prose.ts'),
  lint: check('eslint', '.'),
  format: check('prettier', '--check', '--log-level', 'warn', '.'),
  types: check('tsc', '--noEmit', '-p', 'tsconfig.dev.json'),
  jsii: check('jsii', ...JSII_FLAGS),
};

/** Names that `scripts/test STAGE` accepts. */
export const STAGES: readonly string[] = [...Object.keys(checks), 'unit', 'engine', 'integration', 'e2e'];
