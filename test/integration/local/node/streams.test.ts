import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { eventually, TestNode } from './harness';

describe('the kubelet API', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await TestNode.start();
  });
  afterAll(() => node?.close());

  const runs = async (script: string, container = {}) => {
    const pod = await node.run(script, container);
    await node.phase(pod, 'Running');
    return pod;
  };

  test('requires a certificate of its callers', async () => {
    expect(await node.kubelet('/healthz')).toEqual({ code: 200, body: 'ok' });
    const { cert: _cert, key: _key, ...bare } = node.kubeletOptions;
    const { request } = await import('node:https');
    await expect(
      new Promise((done, fail) =>
        request({ ...bare, path: '/healthz', agent: false }, done)
          .on('error', fail)
          .end(),
      ),
    ).rejects.toThrow(/certificate required|ECONNRESET|socket hang up/);
  });

  test('runs commands and probes as the container itself runs: user, groups, directory, no new privileges', async () => {
    const who = 'echo $(id -u) $(id -G) $(pwd) $(grep NoNewPrivs: /proc/self/status)';
    const container = {
      securityContext: { runAsUser: 107, runAsGroup: 107, allowPrivilegeEscalation: false },
      workingDir: '/proc',
      readinessProbe: { exec: { command: ['sh', '-c', `${who}; false`] }, periodSeconds: 1 },
    };
    const pod = await node.run('sleep 1000', container, { securityContext: { supplementalGroups: [55] } });
    await node.phase(pod, 'Running');
    const shell = node.exec(pod, ['sh', '-c', who]);
    await shell.closed;
    expect(shell.channels[1]).toBe('107 107 55 108 /proc NoNewPrivs: 1\n');
    await eventually('the probe', async () =>
      (await node.events(pod)).includes(`Warning Unhealthy: Readiness probe failed: ${shell.channels[1]}`),
    );
  });

  test('serves logs by lines, time and bytes, and follows them to the end', async () => {
    const pod = await runs('for i in 1 2 3 4 5; do echo line $i; done; sleep 1; echo late; printf unfinished');
    await eventually('five lines', async () => (await node.logs(pod)).includes('line 5'));
    expect(await node.logs(pod, '?tailLines=2')).toBe('line 4\nline 5\n');
    expect(await node.logs(pod, '?tailLines=0')).toBe('');
    expect(await node.logs(pod, '?tailLines=99')).toBe('line 1\nline 2\nline 3\nline 4\nline 5\n');
    expect(await node.logs(pod, '?limitBytes=8')).toBe('line 1\nl');
    expect(await node.logs(pod, '?timestamps=true&tailLines=1')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\S+ line 5\n$/);
    expect(await node.logs(pod, `?sinceTime=${new Date(Date.now() + 1000).toISOString()}`)).toBe('');
    expect(await node.logs(pod, '?follow=true&tailLines=1')).toBe('line 5\nlate\nunfinished');
    expect((await node.kubelet(`/containerLogs/default/${pod.metadata.name}/none`)).code).toBe(404);
    expect((await node.kubelet(`/containerLogs/default/${pod.metadata.name}/main?previous=true`)).code).toBe(400);
  });

  test('a line longer than a buffer is one line', async () => {
    const pod = await node.run('head -c 100000 /dev/zero | tr "\\0" x; echo; echo end');
    await node.phase(pod, 'Succeeded');
    const text = await node.logs(pod);
    expect(text).toBe(`${'x'.repeat(100_000)}\nend\n`);
    expect(await node.logs(pod, '?tailLines=2')).toBe(text);
  });

  test('exec feeds standard input until its end', async () => {
    const pod = await runs('sleep 100');
    const shell = node.exec(pod, ['cat'], 'input=1&output=1&error=1');
    await shell.opened;
    shell.send(0, 'one\n');
    shell.send(0, 'two\n');
    shell.send(255, Buffer.from([0]));
    await shell.closed;
    expect(shell.channels[1]).toBe('one\ntwo\n');
    expect(JSON.parse(shell.channels[3] ?? '')).toMatchObject({ status: 'Success' });
  });

  test('exec gives a terminal of the size that the client has, also when that changes', async () => {
    const pod = await runs('sleep 100');
    const shell = node.exec(
      pod,
      [
        'sh',
        '-c',
        'tty; for size in "30 100" "40 120"; do until [ "$(stty size)" = "$size" ]; do sleep 0.1; done; echo "is $size"; done; exit 4',
      ],
      'input=1&output=1&tty=1',
    );
    await shell.opened;
    shell.send(4, JSON.stringify({ Width: 100, Height: 30 }));
    await eventually('a terminal', async () => /\/dev\/pts\/\d/.test(shell.channels[1] ?? ''));
    await eventually('the size', async () => shell.channels[1]?.includes('is 30 100'));
    shell.send(4, JSON.stringify({ Width: 120, Height: 40 }));
    await shell.closed;
    expect(shell.channels[1]).toContain('is 40 120');
    expect(JSON.parse(shell.channels[3] ?? '')).toMatchObject({ details: { causes: [{ message: '4' }] } });
  });

  test('attach shows output and feeds a container that reads input', async () => {
    const pod = await runs('while read line; do echo got $line; [ "$line" = end ] && exit 0; done', { stdin: true });
    const attached = node.stream(`/attach/default/${pod.metadata.name}/main?input=1&output=1&error=1`);
    await attached.opened;
    // output from before the log is watched is not shown
    await eventually('an answer', async () => {
      attached.send(0, 'hello\n');
      return attached.channels[1]?.startsWith('got hello\n');
    });
    attached.send(0, 'end\n');
    await attached.closed;
    expect(attached.channels[1]).toMatch(/^(got hello\n)+got end\n$/);
  });

  test('kubectl exec and port-forward work through the API server', async () => {
    const pod = await runs(
      'echo served > /tmp/index.html; head -c 3000000 /dev/zero > /tmp/large; httpd -f -p 127.0.0.1:8080 -h /tmp',
    );
    const name = pod.metadata.name ?? '';
    const kubectl = (...args: string[]) => spawn('kubectl', ['--kubeconfig', node.api.kubeconfig, ...args]);
    const shell = kubectl('exec', '-i', name, '--', 'sh', '-c', 'cat; exit 3');
    let out = '';
    shell.stdout.on('data', (data: Buffer) => (out += data.toString()));
    shell.stdin.end('through kubectl');
    const code = await new Promise((done) => shell.on('close', done));
    expect([out, code]).toEqual(['through kubectl', 3]);

    const forward = kubectl('port-forward', name, ':8080');
    try {
      const port = await new Promise<string>((done, fail) => {
        let text = '';
        const look = (data: Buffer) => {
          text += data.toString();
          const found = /127\.0\.0\.1:(\d+) ->/.exec(text)?.[1];
          if (found) done(found);
        };
        forward.stdout.on('data', look);
        forward.stderr.on('data', look);
        forward.once('exit', () => fail(new Error(text)));
      });
      const body = (path = 'index.html') =>
        new Promise<string>((done, fail) => {
          get(`http://127.0.0.1:${port}/${path}`, (response) => {
            let text = '';
            response.on('data', (data: Buffer) => (text += data.toString())).on('end', () => done(text));
          }).on('error', fail);
        });
      expect(await Promise.all([body(), body(), body()])).toEqual(['served\n', 'served\n', 'served\n']);
      // more than a client that opens no windows could be sent within one
      expect(await body('large')).toHaveLength(3_000_000);
    } finally {
      forward.kill();
    }
  });
});
