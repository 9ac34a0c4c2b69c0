import { execFile, spawn } from 'node:child_process';
import { PATIENCE_MS } from '../../../support/patience';

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Kubectl = (args: string, options?: { input?: string; env?: Record<string, string> }) => Promise<Result>;

/** The stock kubectl against one server. `args` are split at spaces; single quotes keep words together. */
export function kubectl(kubeconfig: string): Kubectl {
  return (args, { input, env = {} } = {}) => {
    const words = (args.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ''));
    return new Promise((resolve) => {
      const child = execFile(
        'kubectl',
        words,
        { env: { ...process.env, KUBECONFIG: kubeconfig, ...env }, timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
      child.stdin?.end(input ?? '');
    });
  };
}

/** Runs kubectl until `stop`; `lines` fills up meanwhile. */
export function follow(kubeconfig: string, words: readonly string[]): { lines: string[]; stop(): void } {
  const child = spawn('kubectl', words, { env: { ...process.env, KUBECONFIG: kubeconfig } });
  const lines: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  return { lines, stop: () => void child.kill() };
}
