import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { lockEngine } from '../../../../src/local/engine/lock';

const id = randomUUID();

test('one process is the engine of a state directory; another is told, and may be it afterwards', async () => {
  const release = await lockEngine(id);
  await expect(lockEngine(id)).rejects.toThrow(
    'another engine of this state directory is starting; wait for it, or run: virt8s down',
  );
  (await lockEngine(`${id}-other`))();
  release();
  (await lockEngine(id))();
});

test('an engine that is killed is in nobody’s way', async () => {
  const script = `require('net').createServer().listen('\\0virt8s-engine-${id}', () => console.log('held'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((done) => child.stdout.once('data', done));
  await expect(lockEngine(id)).rejects.toThrow('another engine');
  child.kill('SIGKILL');
  await new Promise((done) => child.once('exit', done));
  (await lockEngine(id))();
});
