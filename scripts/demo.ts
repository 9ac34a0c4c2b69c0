import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { errorText } from '../src/api/error-text';
import { cacheDir } from '../src/local/engine/cache';

/** The demo: each step is a command that a person could type; its time is shown while it runs and in the end. */
const once = process.argv.includes('--once');
const checkout = resolve(__dirname, '..');
const virt8s = join(checkout, 'bin/virt8s');
const example = join(checkout, 'examples/hello-vm');
const cache = cacheDir();
const tty = process.stdout.isTTY;

// --once ends its engine, so it takes a new state directory and never one that exists
const named = process.env.VIRT8S_STATE_DIR;
if (once && named && existsSync(named)) {
  console.error(`${named} exists: --once needs a new state directory; set VIRT8S_STATE_DIR to another one or unset it`);
  process.exit(2);
}
const stateDir = named ?? (once ? mkdtempSync('/var/lib/virt8s-demo-') : '/var/lib/virt8s');
const kubeconfig = join(stateDir, 'admin.kubeconfig');
const env = {
  ...process.env,
  VIRT8S_STATE_DIR: stateDir,
  KUBECONFIG: kubeconfig,
  PATH: `${join(cache, 'bin')}:${process.env.PATH}`,
};

const children = new Set<ChildProcess>();
const interrupted = new AbortController();

interface Result {
  stdout: string;
  stderr: string;
}

/** Runs a command to its end; its failure is one error with its last words. */
function run(command: string, args: string[], options: { cwd?: string; input?: string } = {}): Promise<Result> {
  return new Promise((done, fail) => {
    const child = execFile(
      command,
      args,
      { cwd: options.cwd ?? checkout, env, maxBuffer: 64 << 20, signal: interrupted.signal, killSignal: 'SIGTERM' },
      (error, stdout, stderr) => {
        children.delete(child);
        if (!error) return done({ stdout, stderr });
        const words = (stderr.trim() || stdout.trim() || error.message).split('\n').slice(-6).join('\n');
        fail(new Error(`${command.replace(`${checkout}/`, '')} ${args.join(' ')}: ${words}`));
      },
    );
    children.add(child);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

/** Shows a step and its running time; `note` sets what it is waiting for. */
async function step<T>(what: string, action: (note: (text: string) => void) => Promise<T>): Promise<T> {
  const start = Date.now();
  const seconds = (): string => ((Date.now() - start) / 1000).toFixed(1).padStart(6);
  let noted = '';
  const draw = (): void =>
    void (tty && process.stdout.write(`\r\x1b[K${seconds()} s  ${what}${noted && `: ${noted}`}`));
  const timer = setInterval(draw, 100);
  draw();
  try {
    return await action((text) => {
      if (text === noted) return;
      noted = text;
      if (!tty) console.log(`${seconds()} s  ${what}: ${text}`);
    });
  } finally {
    clearInterval(timer);
    process.stdout.write(`${tty ? '\r\x1b[K' : ''}${seconds()} s  ${what}\n`);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Tries until it succeeds; after `limitMs` its last error is thrown. */
async function eventually<T>(limitMs: number, attempt: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + limitMs; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (interrupted.signal.aborted || Date.now() > until) throw error;
      await sleep(100);
    }
  }
}

function get(host: string): Promise<string> {
  return new Promise((done, fail) => {
    const req = request({ host, port: 80, path: '/', timeout: 1_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () =>
        response.statusCode === 200 ? done(body.trim()) : fail(new Error(`HTTP status ${response.statusCode}`)),
      );
    });
    req.on('timeout', () => req.destroy(new Error(`no HTTP answer from ${host} within 1 s`)));
    req.on('error', fail).end();
  });
}

async function startEngine(note: (text: string) => void): Promise<void> {
  const args = once ? ['--port', '0'] : [];
  await new Promise<void>((done, fail) => {
    const child = spawn(virt8s, ['up', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    let words = '';
    const heard = (data: Buffer): void => {
      words += data;
      note(words.trimEnd().split('\n').at(-1)!);
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    child.once('close', (code) => {
      children.delete(child);
      if (code === 0) done();
      else fail(new Error(words.trim()));
    });
  });
}

/** Waits until the VM runs, and shows the VM's status and its last warning meanwhile. */
async function waitUntilRunning(note: (text: string) => void): Promise<void> {
  for (const until = Date.now() + 300_000; ;) {
    const vm = JSON.parse((await run('kubectl', ['get', 'vm', 'hello', '-o', 'json'])).stdout);
    const failing = (vm.status?.conditions ?? []).find(
      (c: { status: string; type: string; message?: string }) =>
        c.status === 'False' && c.type !== 'Ready' && c.message,
    );
    const state: string = vm.status?.printableStatus ?? 'not seen by virt-controller yet';
    note(failing ? `${state}: ${failing.message}` : state);
    if (vm.status?.ready) return;
    if (Date.now() > until) throw new Error(`the VM is ${state} after 5 minutes; see: kubectl describe vm hello`);
    await sleep(150);
  }
}

async function demo(): Promise<void> {
  const keys = join(cache, 'demo');
  const key = join(keys, 'id_ed25519');
  if (!existsSync(key)) {
    mkdirSync(keys, { recursive: true, mode: 0o700 });
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'virt8s-demo', '-f', key]);
  }
  Object.assign(env, { SSH_PUBLIC_KEY_FILE: `${key}.pub` });

  await step('synthesize examples/hello-vm', () =>
    run(join(checkout, 'node_modules/.bin/cdk8s'), ['synth', '--no-check-upgrade'], { cwd: example }),
  );
  await step('start the engine', startEngine);
  const start = Date.now();
  await step('kubectl apply', () => run('kubectl', ['apply', '-f', join(example, 'dist')]));
  await step('the VM runs', waitUntilRunning);
  const service = JSON.parse((await run('kubectl', ['get', 'service', 'hello', '-o', 'json'])).stdout);
  const page = await step('the guest answers HTTP through Service hello', (note) =>
    eventually(120_000, () =>
      get(service.spec.clusterIP).catch((error: Error) => {
        note(error.message);
        throw error;
      }),
    ),
  );
  const bootSeconds = (Date.now() - start) / 1000;
  const login = await step('ssh login with the example key', () =>
    eventually(60_000, () =>
      run(virt8s, [
        'ssh',
        'root@vm/hello',
        '-i',
        key,
        '--local-ssh-opts=-oStrictHostKeyChecking=no',
        '--local-ssh-opts=-oUserKnownHostsFile=/dev/null',
        '--local-ssh-opts=-oLogLevel=ERROR',
        '-c',
        'hostname; uptime',
      ]),
    ),
  );
  // one line typed on the serial console; the guest's shell answers there
  const consoleText = await step('the serial console shows what cloud-init did', () =>
    eventually(30_000, async () => {
      const { stdout } = await run('sh', [
        '-c',
        `(sleep 0.5; printf '\\ncat /etc/motd\\n'; sleep 1.5; printf '\\035') | "${virt8s}" console hello`,
      ]);
      const line = stdout.split('\n').find((text) => text.includes('cloud-init'));
      if (!line) throw new Error(`no line of cloud-init on the console: ${stdout.slice(-200)}`);
      return line.trim();
    }),
  );

  console.log(`
  HTTP      ${page.split('\n')[0]}
  ssh       ${login.stdout.trim().replace(/\n/g, ' | ')}
  console   ${consoleText}
  apply to first HTTP answer: ${bootSeconds.toFixed(1)} s
`);
  if (once) return;
  const configure = kubeconfig === '/var/lib/virt8s/admin.kubeconfig' ? '' : ` --state-dir ${stateDir}`;
  console.log(`The VM stays up. Next:
  export KUBECONFIG=${kubeconfig} PATH=${checkout}/bin:${join(cache, 'bin')}:$PATH
  kubectl get vm,vmi,pods
  virt8s console hello            # ^] leaves it
  virt8s ssh root@vm/hello -i ${key}
  curl http://${service.spec.clusterIP}
  virt8s stop hello; virt8s start hello
  virt8s down${configure}                     # ends everything
`);
}

async function tearDown(): Promise<void> {
  for (const child of children) child.kill('SIGTERM');
  await new Promise<void>((done) => {
    const child = spawn(virt8s, ['down', '--state-dir', stateDir], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    });
    child.once('close', () => done());
  });
  rmSync(stateDir, { recursive: true, force: true });
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  try {
    await demo();
    if (once) await step('tear down', tearDown);
  } catch (error) {
    const stopped = interrupted.signal.aborted;
    console.error(stopped ? '\ninterrupted: cleaning up' : `\n${errorText(error)}`);
    if (stopped || once) await tearDown();
    else console.error('The engine is left as it is; virt8s down ends everything.');
    process.exitCode = stopped ? 130 : 1;
  }
}

void main();
