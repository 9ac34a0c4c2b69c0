import { execFile, execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { resources } from '../../../src/runtime/kube';
import { instance, machine, Platform } from '../runtime/api-server/platform';
import { bundleInto } from './bundle';
import { eventually } from '../../support/patience';
import { until } from '../../support/until';

let platform: Platform;
let bundle: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  platform = await Platform.start();
  bundle = await bundleInto(platform.api.directory);
  env = { ...process.env, KUBECONFIG: platform.api.kubeconfig, HOME: platform.api.directory };
  for (const name of ['VIRT8S_CACHE', 'XDG_CACHE_HOME', 'NODE_COMPILE_CACHE']) delete env[name];
  await platform.client.create(resources.virtualMachines, machine('web'));
  await platform.client.create(resources.virtualMachineInstances, instance('web'));
  await platform.running('web');
});
afterAll(() => platform?.stop());

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function virt8s(
  args: string[],
  { input, ...more }: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {},
): Promise<Result> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [bundle, ...args],
      { env: { ...env, ...more.env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** The first line that a command prints while it keeps running. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) done(text.split('\n')[0]);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

async function whileRunning<T>(args: string[], use: (line: string, child: ChildProcess) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [bundle, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    return await use(await firstLine(child), child);
  } finally {
    if (child.exitCode === null) {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGINT');
      await ended;
    }
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

test('the compiled code of a command is kept for its next start', async () => {
  await virt8s(['explain', 'vm']);
  const [ofNode] = readdirSync(join(platform.api.directory, '.cache/virt8s/compiled'));
  expect(readdirSync(join(platform.api.directory, '.cache/virt8s/compiled', ofNode))).not.toEqual([]);
});

describe('verbs of a VM', () => {
  test('print one line on success, as virtctl does', async () => {
    await platform.client.create(resources.virtualMachines, machine('verbs'));
    expect(await virt8s(['start', 'verbs'])).toEqual({
      code: 0,
      stdout: 'VM verbs was scheduled to start\n',
      stderr: '',
    });
  });

  test('print one line to stderr and return an exit code on failure', async () => {
    const { code, stdout, stderr } = await virt8s(['start', 'web']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'Error starting VirtualMachine Operation cannot be fulfilled on virtualmachine.kubevirt.io "web": VM is already running\n',
    );
  });

  test('report a dry run as one', async () => {
    await platform.client.create(resources.virtualMachines, machine('dry'));
    expect((await virt8s(['start', 'dry', '--dry-run'])).stdout).toBe(
      'Dry Run execution\nVM dry was scheduled to start\n',
    );
  });

  test('namespaces and targets are understood anywhere on the line', async () => {
    for (const args of [
      ['-n', 'other', 'stop', 'web'],
      ['stop', 'web', '--namespace=other'],
      ['stop', 'vm/web/other'],
    ]) {
      expect((await virt8s(args)).stderr).toMatch(/virtualmachine.kubevirt.io "web" not found/);
    }
  });

  test.each([
    [['stop', 'web', '--force'], /--force and --grace-period require each other/],
    [['restart', 'web', '--grace-period=0'], /Can not set gracePeriod without --force=true/],
    [['stop', 'web', '--grace-period', 'x'], /must be an integer/],
    [['strat', 'web'], /unknown command 'strat' \(Did you mean start\?\)/],
    [['start'], /missing required argument 'vm'/],
    [['pause', 'pod', 'web'], /unsupported resource type 'pod' \(allowed: vm, vmi\)/],
    [['console', 'nobody'], /Can't access VMI nobody: .*"nobody" not found/],
    [['port-forward', 'web', '80'], /must contain type and name/],
    [['port-forward', 'vm/nobody', '0:80'], /"nobody" not found/],
    [['--context', 'no', 'start', 'web'], /context "no" does not exist .*\(known: test\)/],
    [['--server', 'https://127.0.0.1:1', 'start', 'web'], /cannot reach the API server .*connection refused/],
  ])('%j fails in one line', async (args, message) => {
    const { code, stdout, stderr } = await virt8s(args);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect([code, stdout]).toEqual([1, '']);
  });

  test('pause of a VM that is stopped is distinguished from one that does not exist', async () => {
    await platform.client.create(resources.virtualMachines, machine('off'));
    expect((await virt8s(['pause', 'vm', 'off'])).stderr).toMatch(/VirtualMachine off is not running/);
    expect((await virt8s(['pause', 'vm', 'nobody'])).stderr).toMatch(
      /Error getting VirtualMachine nobody: .*not found/,
    );
    expect((await virt8s(['pause', 'vm', 'web'])).stdout).toBe('VMI web was scheduled to pause\n');
  });

  test('the guest agent reports on the guest', async () => {
    expect((await virt8s(['guestosinfo', 'web'])).stderr).toMatch(/does not have guest agent connected; install/);
    await platform.running('web', { conditions: [{ type: 'AgentConnected', status: 'True' }] });
    expect(JSON.parse((await virt8s(['guestosinfo', 'web'])).stdout)).toMatchObject({ hostname: 'guest' });
  });

  test('both versions are printed', async () => {
    expect((await virt8s(['version'])).stdout).toMatch(
      /^Client Version: .*GitVersion:"v.*\nServer Version: .*GitVersion:"v/,
    );
    expect((await virt8s(['version', '-c'])).stdout).toMatch(/^Client Version: [^\n]*\n$/);
  });

  test('names are completed from the cluster', async () => {
    expect((await virt8s(['__complete', 'start', 'we'])).stdout).toBe('web\n:4\n');
  });
});

describe('console through pipes', () => {
  test('output that the guest writes immediately is not lost, and input is sent', async () => {
    const { code, stdout, stderr } = await virt8s(['console', 'web'], { input: 'echo me\r' });
    expect(stdout).toBe('hello from the guest\r\necho me\r');
    expect(stderr).toBe('Successfully connected to web console. Press Ctrl+] or Ctrl+5 to exit console.\n');
    expect(code).toBe(0);
  });

  test('a console that another client took fails with that reason', async () => {
    const { code, stderr } = await virt8s(['console', 'web'], { input: 'kick' });
    expect(stderr).toMatch(/You were disconnected from the console: another client has opened the console \(4001\)/);
    expect(code).toBe(1);
  });

  test('a console that breaks off is a failure with its possible reasons', async () => {
    const { code, stderr } = await virt8s(['console', 'web'], { input: 'crash' });
    expect(stderr).toMatch(
      /You were disconnected from the console: one of: another user connected .*, network issues \(1006\)/,
    );
    expect(code).toBe(1);
  });

  test('a guest that ends is not a failure', async () => {
    const { code, stderr } = await virt8s(['console', 'web'], { input: 'poweroff' });
    expect(stderr).toMatch(/The console was closed: the virtual machine was stopped or restarted/);
    expect(code).toBe(0);
  });

  test('64 MiB arrive completely', async () => {
    const child = spawn(process.execPath, [bundle, 'console', 'web'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    // stays open: after its end, the command waits only a moment for more output
    child.stdin.write('flood');
    let size = 0;
    let last = '';
    for await (const chunk of child.stdout.setEncoding('latin1') as AsyncIterable<string>) {
      size += chunk.length;
      last = (last + chunk).slice(-3);
      if (last === 'END') break;
    }
    child.kill('SIGKILL');
    expect(size).toBe('hello from the guest\r\n'.length + (64 << 20) + 'END'.length);
  });

  test('a guest that ended, and is not started again, is not waited for', async () => {
    await platform.client.create(resources.virtualMachines, machine('ended'));
    await platform.client.create(resources.virtualMachineInstances, instance('ended'));
    await platform.running('ended', { phase: 'Failed' });
    expect((await virt8s(['console', 'ended'])).stderr).toBe(
      "Can't access VMI ended: virtual machine ended is stopped; run: virt8s start ended\n",
    );
  });

  test('waits for a guest that is not ready, no longer than requested', async () => {
    await platform.client.create(resources.virtualMachines, machine('late'));
    await platform.client.create(resources.virtualMachineInstances, instance('late'));
    const short = await virt8s(['console', 'late', '--timeout', '0.02']);
    expect(short.stderr).toMatch(/Can't access VMI late: .*phase is Pending instead of Running.* \(waited 1 s\)/);
    await platform.running('late', {
      phase: 'Pending',
      conditions: [{ type: 'Synchronized', status: 'False', message: 'no such image; name another' }],
    });
    expect((await virt8s(['console', 'late', '--timeout', '0.02'])).stderr).toBe(
      "Can't access VMI late: no such image; name another (waited 1 s)\n",
    );
    const connections = (): number => platform.api.flow().connections.size;
    const before = connections();
    const waiting = virt8s(['console', 'late'], { input: 'x' });
    await until(() => connections() > before);
    await platform.running('late');
    expect((await waiting).stdout).toBe('hello from the guest\r\nx');
  });
});

describe('port-forward', () => {
  test('TCP connections reach the guest, several at once', async () => {
    const echo = createServer((socket) => socket.pipe(socket));
    const remote = await listening(echo);
    await whileRunning(['port-forward', 'vm/web', `0:${remote}`], async (line) => {
      const [, port] = /^Forwarding from 127\.0\.0\.1:(\d+) -> \d+$/.exec(line) ?? [];
      const answers = ['a', 'b', 'c'].map(
        (text) =>
          new Promise<string>((done, reject) => {
            const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
            socket.once('data', (data) => {
              done(data.toString());
              socket.destroy();
            });
            socket.once('error', reject);
          }),
      );
      expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
    });
    echo.close();
  });

  test('a port without a listener resets the connection and reports it', async () => {
    await whileRunning(['port-forward', 'vmi/web', '0:1'], async (line, child) => {
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const socket = connect(Number(/:(\d+) ->/.exec(line)?.[1]), '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((done) => socket.once('close', done));
      await eventually(async () =>
        expect(stderr).toBe(
          'cannot forward to port 1 of vmi/web: connection to port 1 of vmi/web broke off: connection refused\n',
        ),
      );
      expect(child.exitCode).toBeNull();
    });
  });

  test('datagrams stay apart', async () => {
    await whileRunning(['port-forward', 'vm/web', 'udp/0:53'], async (line) => {
      const port = Number(/:(\d+) -> 53 \(udp\)/.exec(line)?.[1]);
      const socket = createSocket('udp4');
      const got: string[] = [];
      socket.on('message', (message) => got.push(message.toString()));
      for (const text of ['one', 'two', 'three']) socket.send(text, port, '127.0.0.1');
      await eventually(async () => expect([...got].sort()).toEqual(['udp one', 'udp three', 'udp two']));
      socket.close();
    });
  });

  test('a local port that is in use is named', async () => {
    const taken = createServer();
    const port = await listening(taken);
    const { code, stderr } = await virt8s(['port-forward', 'vm/web', `${port}:80`]);
    expect(stderr).toBe(`port ${port} of 127.0.0.1 is in use; choose another, or 0 for any free port\n`);
    expect(code).toBe(1);
    taken.close();
  });

  test('an answer that comes after the end of the input is not lost', async () => {
    const late = createServer({ allowHalfOpen: true }, (socket) => {
      socket.once('data', () => setTimeout(() => socket.end('late'), 500));
    });
    const port = await listening(late);
    await whileRunning(['port-forward', 'vm/web', `0:${port}`], async (line) => {
      const socket = connect({ port: Number(/:(\d+) ->/.exec(line)?.[1]), host: '127.0.0.1', allowHalfOpen: true });
      socket.end('question');
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toBe('late');
    });
    expect((await virt8s(['port-forward', '--stdio', 'vm/web', String(port)], { input: 'question' })).stdout).toBe(
      'late',
    );
    late.close();
  });

  test('standard input and output can be the port', async () => {
    const greet = createServer((socket) => {
      socket.once('data', (data) => socket.end(`got ${data.toString()}`));
    });
    const port = await listening(greet);
    const { code, stdout, stderr } = await virt8s(['port-forward', '--stdio=true', 'vm/web', String(port)], {
      input: 'ping',
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'got ping', stderr: '' });
    greet.close();
  });
});

test('vnc reports why the screen is not available', async () => {
  const { code, stderr } = await virt8s(['vnc', '--proxy-only', 'web']);
  expect([code, stderr]).toEqual([1, "Can't access VMI web: the screen is in use\n"]);
});

describe('ssh', () => {
  let sshd: ChildProcess;
  let port: number;
  let key: string;

  beforeAll(async () => {
    // the server's idea of root's home: only in its own mount namespace
    const home = join(platform.api.directory, 'ssh');
    mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    key = join(home, 'id');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    execFileSync('dropbearkey', ['-t', 'ed25519', '-f', join(home, 'host')], { stdio: 'ignore' });
    writeFileSync(join(home, '.ssh/authorized_keys'), readFileSync(`${key}.pub`), { mode: 0o600 });
    const probe = createServer();
    port = await listening(probe);
    await new Promise((done) => probe.close(done));
    const server = `exec dropbear -F -E -s -r ${home}/host -P ${home}/pid -p 127.0.0.1:${port}`;
    sshd = spawn('unshare', ['--mount', 'sh', '-c', `mount --bind ${home} /root && ${server}`], { stdio: 'ignore' });
    await eventually(
      () =>
        new Promise<void>((done, reject) => {
          const socket = connect(port, '127.0.0.1', () => {
            socket.destroy();
            done();
          });
          socket.once('error', reject);
        }),
    );
  });
  afterAll(() => sshd?.kill());

  const flags = (): string[] => [
    '-i',
    key,
    '-p',
    String(port),
    '-l',
    'root',
    '--known-hosts',
    '/dev/null',
    '-t',
    '-oStrictHostKeyChecking=no',
    '-t',
    '-oLogLevel=ERROR',
  ];

  test('a command runs in the guest, and its exit code is ours', async () => {
    expect(await virt8s(['ssh', ...flags(), '-c', 'echo out; echo err >&2; exit 7', 'vm/web'])).toEqual({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  test('files are copied completely in both directions', async () => {
    const dir = platform.api.directory;
    const data = Buffer.alloc(5 << 20, 'abc');
    writeFileSync(join(dir, 'up'), data);
    expect(
      await virt8s(['scp', '-t', '-O', ...flags(), join(dir, 'up'), `vm/web/default:${join(dir, 'copied')}`]),
    ).toMatchObject({ code: 0 });
    expect(
      await virt8s(['scp', '-t', '-O', ...flags(), `vmi/web:${join(dir, 'copied')}`, join(dir, 'down')]),
    ).toMatchObject({ code: 0 });
    expect(readFileSync(join(dir, 'down')).equals(data)).toBe(true);
  });

  test('the connection uses the cluster and user that the flags name', async () => {
    const args = ['--kubeconfig', platform.api.kubeconfig, 'ssh', ...flags(), '-c', 'true', 'vm/web'];
    expect((await virt8s(args, { env: { KUBECONFIG: '' } })).code).toBe(0);
  });
});

test('kubectl finds the plugin', async () => {
  const bin = join(platform.api.directory, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'kubectl-virt'),
    `#!/bin/sh\nVIRT8S_PROGRAM='kubectl virt' exec ${process.execPath} ${bundle} "$@"\n`,
  );
  chmodSync(join(bin, 'kubectl-virt'), 0o755);
  const result = await new Promise<string>((done, reject) =>
    execFile(
      'kubectl',
      ['virt', 'version'],
      { env: { ...env, PATH: `${bin}:${process.env.PATH}` } },
      (error, stdout) => (error ? reject(error) : done(stdout)),
    ),
  );
  expect(result).toMatch(/Server Version/);
});
