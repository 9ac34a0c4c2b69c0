import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  Attach,
  CoreV1Api,
  Cp,
  Exec,
  KubeConfig,
  Log,
  Metrics,
  PortForward,
  topPods,
  type V1Status,
} from '@kubernetes/client-node';
import { resources } from '../../../../src/runtime/kube';
import type { Pod } from '../../../../src/local/core-v1';
import { busybox, writeImage } from '../images/oci-archive';
import { eventually, TestNode } from './harness';

/** kubectl cp needs tar in the container. */
const WITH_TAR = 'localhost/virt8s-test/tar:1';

describe('kubectl on the local node', () => {
  let node: TestNode;
  let pod: Pod;
  let name: string;
  beforeAll(async () => {
    node = await TestNode.start();
    const image = busybox(WITH_TAR);
    image.layers[0]?.push({ path: 'bin/tar', type: 'symlink', target: 'busybox' });
    writeImage(node.cacheDir, image);
    const script =
      'echo one; sleep 1; echo two; echo page > /tmp/index.html; httpd -p 8080 -h /tmp; while :; do :; done';
    pod = await node.run(
      script,
      { image: WITH_TAR, ports: [{ name: 'web', containerPort: 8080 }], resources: { limits: { cpu: '200m' } } },
      {},
    );
    name = pod.metadata.name ?? '';
    await node.phase(pod, 'Running');
  });
  afterAll(() => node?.close());

  const kubectl = (...args: string[]) =>
    new Promise<string>((done, fail) =>
      execFile('kubectl', ['--kubeconfig', node.api.kubeconfig, ...args], (error, stdout, stderr) =>
        error ? fail(new Error(stderr)) : done(stdout),
      ),
    );

  test('top shows what Pods and nodes consume', async () => {
    const [, row = ''] = (await kubectl('top', 'pod', name, '--containers')).split('\n');
    const [, container, cpu = '', memory = ''] = row.split(/\s+/);
    expect(container).toBe('main');
    // it is busy
    expect(cpu).toMatch(/^[1-9]\d*m$/);
    expect(memory).toMatch(/^\d+Mi$/);
    expect(await kubectl('top', 'node')).toMatch(
      new RegExp(`^${node.nodeName}\\s+\\d+m\\s+\\d+%\\s+\\d+Mi\\s+\\d+%`, 'm'),
    );
    await expect(kubectl('top', 'pod', 'none')).rejects.toThrow(/pods "none" not found|not found/);
  });

  test('the statistics of a node can be read through the API server', async () => {
    const summary = JSON.parse(await kubectl('get', '--raw', `/api/v1/nodes/${node.nodeName}/proxy/stats/summary`)) as {
      pods: { podRef: { name: string } }[];
    };
    expect(summary.pods.map(({ podRef }) => podRef.name)).toContain(name);
    const metrics = await kubectl('get', '--raw', `/api/v1/nodes/${node.nodeName}/proxy/metrics/resource`);
    expect(metrics).toContain(`container_memory_working_set_bytes{container="main",namespace="default",pod="${name}"}`);
    await expect(kubectl('get', '--raw', '/api/v1/nodes/none/proxy/healthz')).rejects.toThrow(/not found/);
  });

  test('cp copies files and folders in both directions', async () => {
    const folder = join(node.stateDir, 'copied');
    mkdirSync(join(folder, 'sub'), { recursive: true });
    writeFileSync(join(folder, 'sub', 'file'), 'content\n');
    await kubectl('cp', join(folder, 'sub'), `${name}:/tmp/sub`);
    expect(await kubectl('exec', name, '--', 'cat', '/tmp/sub/file')).toBe('content\n');
    await kubectl('cp', `${name}:/tmp/sub/file`, join(folder, 'back'));
    expect(readFileSync(join(folder, 'back'), 'utf8')).toBe('content\n');
  });

  test('logs of several containers and of a Pod chosen by label', async () => {
    await node.client.patch(
      resources.pods,
      { namespace: 'default', name },
      { metadata: { labels: { app: 'web' } } },
      'merge',
    );
    await eventually('two lines', async () => (await kubectl('logs', name)).includes('two'));
    expect(await kubectl('logs', name, '--all-containers', '--prefix')).toBe(
      `[pod/${name}/main] one\n[pod/${name}/main] two\n`,
    );
    expect(await kubectl('logs', '-l', 'app=web', '--tail=1')).toBe('two\n');
    expect(await kubectl('logs', name, '--since=1h', '--timestamps')).toMatch(/^\d{4}-\S+Z? one\n/);
    await expect(kubectl('logs', name, '-c', 'none')).rejects.toThrow(/container none is not valid for pod/);
    await expect(kubectl('logs', name, '--previous')).rejects.toThrow(/previous terminated container "main" in pod/);
  });

  test('port-forward reaches a named port through its Service', async () => {
    await node.client.create(resources.services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'web' }] },
    } as never);
    const forward = spawn('kubectl', ['--kubeconfig', node.api.kubeconfig, 'port-forward', 'svc/web', ':80']);
    try {
      let said = '';
      forward.stdout.on('data', (data: Buffer) => (said += data.toString()));
      const port = await eventually('a port', async () => /127\.0\.0\.1:(\d+) -> 8080/.exec(said)?.[1]);
      const page = () =>
        new Promise<string>((done, fail) => {
          get(`http://127.0.0.1:${port}/`, (response) => {
            let text = '';
            response.on('data', (data: Buffer) => (text += data.toString())).on('end', () => done(text));
          }).on('error', fail);
        });
      expect(await page()).toBe('page\n');
    } finally {
      forward.kill();
    }
  });

  describe('the client of Kubernetes for JavaScript', () => {
    const config = new KubeConfig();
    beforeAll(() => config.loadFromFile(node.api.kubeconfig));

    test('executes a command with input, output and its exit code', async () => {
      const [out, err] = [new PassThrough(), new PassThrough()];
      const command = ['sh', '-c', 'cat; echo problem >&2; exit 3'];
      const { promise: ended, resolve } = Promise.withResolvers<V1Status>();
      const exec = new Exec(config);
      await exec.exec('default', name, 'main', command, out, err, Readable.from(['typed']), false, resolve);
      expect(await ended).toMatchObject({ status: 'Failure', details: { causes: [{ message: '3' }] } });
      out.end();
      err.end();
      expect([await text(out), await text(err)]).toEqual(['typed', 'problem\n']);
    });

    test('attaches to a container, follows logs, copies files and reads usage', async () => {
      const pod = await node.run('read line; echo got $line; read line', { stdin: true });
      const other = pod.metadata.name ?? '';
      await node.phase(pod, 'Running');
      const [input, out, log] = [new PassThrough(), new PassThrough(), new PassThrough()];
      let attached = '';
      out.on('data', (data: Buffer) => (attached += data.toString()));
      const socket = await new Attach(config).attach('default', other, 'main', out, null, input, false);
      input.write('hello\n');
      await eventually('the answer', async () => attached === 'got hello\n');
      let logged = '';
      log.on('data', (data: Buffer) => (logged += data.toString()));
      await new Log(config).log('default', other, 'main', log, { follow: true });
      await eventually('the log', async () => logged === 'got hello\n');
      // the log ends with the container
      input.write('end\n');
      await eventually('the end of the log', async () => log.readableEnded);
      socket.close();
      const copied = join(node.stateDir, 'from-client');
      mkdirSync(copied);
      await new Cp(config).cpFromPod('default', name, 'main', 'index.html', copied, '/tmp');
      await eventually('the file', async () => readFileSync(join(copied, 'index.html'), 'utf8') === 'page\n');
      const usage = await topPods(config.makeApiClient(CoreV1Api), new Metrics(config), 'default');
      expect(usage.map((item) => item.Pod.metadata?.name)).toContain(name);
    });

    test('forwards a port', async () => {
      const forward = new PortForward(config);
      const local = createServer((socket) => void forward.portForward('default', name, [8080], socket, null, socket));
      await new Promise<void>((done) => local.listen(0, '127.0.0.1', done));
      try {
        const socket = connect((local.address() as AddressInfo).port, '127.0.0.1');
        socket.write('GET / HTTP/1.0\r\n\r\n');
        let answer = '';
        socket.on('data', (data: Buffer) => (answer += data.toString()));
        await eventually('the page', async () => answer.endsWith('page\n'));
        socket.destroy();
      } finally {
        local.close();
      }
    });
  });
});
