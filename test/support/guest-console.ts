import type { TestEngine } from './engine';
import { eventually } from './patience';

/** A guest that boots, or a busy one, may have lost or not yet read what was typed. */
const AGAIN_MS = 10_000;
const DETACH = '\x1d';

/** Types a line on the console of a guest, again and again, until the output matches. */
export async function typeOnConsole(engine: TestEngine, vm: string, line: string, pattern: RegExp): Promise<void> {
  const console_ = engine.start('console', vm);
  const ended = new Promise((done) => console_.once('exit', done));
  let said = '';
  for (const stream of [console_.stdout!, console_.stderr!])
    stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  console_.stdin!.on('error', () => undefined);
  let next = 0;
  try {
    await eventually(() => {
      if (pattern.test(said)) return;
      if (said.includes('Successfully connected') && Date.now() >= next) {
        console_.stdin!.write(`\n${line}\n`);
        next = Date.now() + AGAIN_MS;
      }
      throw new Error(`the console of ${vm} shows ${JSON.stringify(said.slice(-1_000))}, not ${pattern}`);
    });
  } finally {
    console_.stdin!.end(DETACH);
    await ended;
  }
}
