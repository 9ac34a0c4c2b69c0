import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { Engine, versionOf } from './engine';
import { reportProgress } from './progress';

/** Process of the engine. `virt8s up` starts it in a separate mount namespace. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'state-dir': { type: 'string' }, port: { type: 'string' }, 'node-name': { type: 'string' } },
  });
  const programs = dirname(process.argv[1]!);
  const engine = new Engine({
    stateDir: values['state-dir']!,
    port: Number(values.port),
    nodeName: values['node-name']!,
    programs,
    version: versionOf(programs),
    onStep: (step) => reportProgress({ step }),
  });
  const stop = (): void => {
    void engine.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    reportProgress({ ready: await engine.start() });
  } catch (error) {
    reportProgress({ error: error instanceof Error ? error.message : String(error) });
    console.error(error);
    await engine.stop();
    process.exit(1);
  }
}

void main();
