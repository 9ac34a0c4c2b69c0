import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, probe } from '../../../../../src/runtime/launcher/guest-agent/probe';
import { parseRequest, serveProbes } from '../../../../../src/runtime/launcher/guest-agent/probe-server';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An agent that gives these answers in turn. */
function agent(...answers: unknown[]): { ask: Ask; asked: unknown[] } {
  const asked: unknown[] = [];
  const ask: Ask = (command, args) => {
    asked.push(args ? [command, args] : command);
    const answer = answers.shift();
    if (answer instanceof Error) return Promise.reject(answer);
    return answer instanceof Promise ? answer : Promise.resolve(answer);
  };
  return { ask, asked };
}

test('an agent that answers a ping is healthy', async () => {
  const { ask, asked } = agent({});
  expect(await probe(ask, ['guest-ping', '3'])).toEqual({ code: 0, cause: '' });
  expect(asked).toEqual(['guest-ping']);
});

test('an agent that refuses, or is silent for longer than the timeout, is not, and the cause is one line', async () => {
  const refuses = agent(new Error('not connected\nat all')).ask;
  expect(await probe(refuses, ['guest-ping', '3'])).toEqual({ code: 1, cause: 'not connected at all' });
  const silent = agent(new Promise(() => {})).ask;
  expect(await probe(silent, ['guest-ping', '1'])).toEqual({
    code: 1,
    cause: 'the guest agent did not answer within 1 s',
  });
});

test('runs a program in the guest with its arguments, waits for it and returns its exit code', async () => {
  const { ask, asked } = agent({ pid: 7 }, { exited: false }, { exited: true, exitcode: 0 });
  expect(await probe(ask, ['exec', '5', 'test', '-e', 'a b'])).toEqual({ code: 0, cause: '' });
  expect(asked).toEqual([
    ['guest-exec', { path: 'test', arg: ['-e', 'a b'], 'capture-output': true }],
    ['guest-exec-status', { pid: 7 }],
    ['guest-exec-status', { pid: 7 }],
  ]);
});

test.each([
  [
    'reports the cause on stderr',
    { exitcode: 3, 'err-data': base64('no\u0007 file\nmore'), 'out-data': base64('x') },
    3,
    'cat ended with 3: no? file',
  ],
  ['reports only on stdout', { exitcode: 1, 'out-data': base64('down\n') }, 1, 'cat ended with 1: down'],
  ['is killed by a signal', { signal: 9 }, 137, 'cat ended with 137'],
  ['has an impossible exit code', { exitcode: 512 }, 1, 'cat ended with 512'],
])('a program that %s is a failure with its cause', async (_, status, code, cause) => {
  const { ask } = agent({ pid: 7 }, { exited: true, ...status });
  expect(await probe(ask, ['exec', '5', 'cat'])).toEqual({ code, cause });
});

test('a program that does not end in time is a failure', async () => {
  const ask: Ask = (command) => Promise.resolve(command === 'guest-exec' ? { pid: 7 } : { exited: false });
  expect((await probe(ask, ['exec', '1', 'sleep', '9'])).cause).toMatch(/ within 1 s$/);
});

test.each([[['guest-ping', '0']], [['guest-ping']], [['exec', '1']], [['other', '1']]])(
  '%j is not a probe',
  async (request) => {
    expect(await probe(agent().ask, request)).toMatchObject({ code: 2, cause: expect.stringMatching(/./) });
  },
);

test('a request is whole once all its fields are there', () => {
  expect(parseRequest(Buffer.from('2\0guest-ping\0'))).toBeUndefined();
  expect(parseRequest(Buffer.from('2\0guest-ping\x0010\0'))).toEqual(['guest-ping', '10']);
  expect(parseRequest(Buffer.from('3\0a\n\0\0ü\0'))).toEqual(['a\n', '', 'ü']);
  expect(() => parseRequest(Buffer.from('guest-ping\0'))).toThrow('number of its fields');
  expect(() => parseRequest(Buffer.alloc(200_000, '1'))).toThrow('longer');
});

describe('the socket', () => {
  const directory = mkdtempSync(join(tmpdir(), 'virt8s-probe-'));
  const path = join(directory, 'sock');
  let server: Server;
  beforeAll(async () => {
    server = await serveProbes(path, (request) => Promise.resolve({ code: 3, cause: request.join(' ') }));
  });
  afterAll(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });

  test('answers in one line and closes', async () => {
    const said = await new Promise((done) => {
      let all = '';
      const socket = connect(path, () => void socket.write('2\0exec\0'));
      socket.on('data', (data) => (all += String(data))).on('end', () => done(all));
      // eslint-disable-next-line virt8s/patience -- the rest comes later, after any time
      setTimeout(() => socket.write('now\0'), 20);
    });
    expect(said).toBe('3 exec now\n');
  });
});

test.each([
  [['--domainName', 'a_b'], /--guestAgentPing or --command PROGRAM is missing/],
  [['--bogus'], /--bogus is unknown/],
])('virt-probe %j reports the allowed values', async (args, message) => {
  const script = 'src/launcher-image/files/usr/bin/virt-probe';
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((done) =>
    execFile('sh', [script, ...args], (error, out) => done({ code: error?.code, stdout: out })),
  );
  expect(code).toBe(2);
  expect(stdout).toMatch(message);
});
