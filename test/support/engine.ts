import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { AuditRecord } from '../../src/local/api-server/http/audit';
import { cacheDir } from '../../src/local/engine/cache';
import { Objects } from './objects';
import { eventually } from './patience';

export { eventually, sleep } from './patience';

/** The real thing: `virt8s up` in a state directory of its own, driven by kubectl and virt8s as a person would. */
const checkout = resolve(__dirname, '../..');

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GuestStatus {
  readonly hostname: string;
  readonly boot_id: string;
  readonly uptime: number;
}

export function httpGet(host: string, path = '/', timeoutMs = 1_000): Promise<string> {
  return new Promise((done, fail) => {
    const req = request({ host, port: 80, path, timeout: timeoutMs, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => (response.statusCode === 200 ? done(body) : fail(new Error(`${response.statusCode}`))));
    });
    req.on('timeout', () => req.destroy(new Error(`no answer from ${host} within ${timeoutMs} ms`)));
    req.on('error', fail).end();
  });
}

export interface StartOptions {
  readonly stateDir?: string;
  readonly cache?: string;
  readonly nodes?: number;
  /** Whether the platform is not part of the engine. */
  readonly bare?: boolean;
}

export class TestEngine {
  private readonly objects: Objects;

  private constructor(
    public readonly stateDir: string,
    public readonly port: number,
    private readonly cache: string,
    private readonly nodes?: number,
    private readonly bare = false,
  ) {
    this.objects = new Objects(this.kubeconfig);
  }

  /** Starts an engine, on request in a given directory or with images of its own; `down` ends it. */
  public static async start(options: StartOptions = {}): Promise<TestEngine> {
    const stateDir = options.stateDir ?? mkdtempSync('/var/lib/virt8s-test-');
    const cache = options.cache ?? cacheDir();
    const engine = new TestEngine(stateDir, await freePort(), cache, options.nodes, options.bare);
    await engine.up();
    return engine;
  }

  /** An engine that is not started. */
  public static at(stateDir: string, port: number): TestEngine {
    return new TestEngine(stateDir, port, cacheDir());
  }

  public get kubeconfig(): string {
    return join(this.stateDir, 'admin.kubeconfig');
  }

  public get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      VIRT8S_STATE_DIR: this.stateDir,
      VIRT8S_CACHE: this.cache,
      KUBECONFIG: this.kubeconfig,
      PATH: `${join(cacheDir(), 'bin')}:${process.env.PATH}`,
    };
  }

  public async up(): Promise<void> {
    const { code, stderr } = await this.virt8s(
      'up',
      ...['--port', String(this.port)],
      ...(this.nodes ? ['--nodes', String(this.nodes)] : []),
      ...(this.bare ? ['--bare'] : []),
    );
    if (code !== 0) throw new Error(`virt8s up: ${stderr}`);
  }

  public async down(): Promise<void> {
    const { code, stderr } = await this.virt8s('down');
    if (code !== 0) throw new Error(`virt8s down: ${stderr}`);
    this.objects.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  /** Runs a command to its end; never rejects for an exit code. */
  public run(command: string, args: readonly string[], input?: string): Promise<CommandResult> {
    return new Promise((done) => {
      const child = execFile(command, [...args], { env: this.env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : 255) : 0;
        done({ code, stdout, stderr });
      });
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input ?? '');
    });
  }

  public virt8s(...args: string[]): Promise<CommandResult> {
    return this.run(join(checkout, 'bin/virt8s'), args);
  }

  /** kubectl that must succeed; its standard output. */
  public async kubectl(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run('kubectl', args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim()}`);
    return stdout;
  }

  /** `kubectl apply -f -`, whether or not it succeeds. */
  public apply(objects: object | string, ...flags: string[]): Promise<CommandResult> {
    // as documents, not as a List: kubectl validates a List locally, and everything else at the server
    const text =
      typeof objects === 'string'
        ? objects
        : [objects]
            .flat()
            .map((o) => JSON.stringify(o))
            .join('\n');
    return this.run('kubectl', ['apply', ...flags, '-f', '-'], text);
  }

  public async mustApply(objects: object | string, ...flags: string[]): Promise<void> {
    const { code, stderr } = await this.apply(objects, ...flags);
    if (code !== 0) throw new Error(`kubectl apply: ${stderr.trim()}`);
  }

  /** Output of a shell command in a VM's launcher container. */
  public async exec(vm: string, script: string): Promise<string> {
    const [pod] = await this.list('pods', '-l', `vm.kubevirt.io/name=${vm}`);
    return this.kubectl('exec', pod.metadata.name, '-c', 'compute', '--', 'sh', '-c', script);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any field
  public async get(kind: string, name: string, namespace = 'default'): Promise<any> {
    const read = this.objects.get(kind, name, namespace);
    return read ?? JSON.parse(await this.kubectl('get', kind, name, '-n', namespace, '-o', 'json'));
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  public async list(kind: string, ...args: string[]): Promise<any[]> {
    return this.objects.list(kind, args) ?? JSON.parse(await this.kubectl('get', kind, '-o', 'json', ...args)).items;
  }

  public start(...args: string[]): ChildProcess {
    return spawn(join(checkout, 'bin/virt8s'), args, { env: this.env, stdio: 'pipe' });
  }

  /** Waits for `printableStatus`; a failure contains the last messages of the VM and its Pods. */
  public async vmBecomes(name: string, wanted: string, limitMs = 120_000): Promise<void> {
    await eventually(
      limitMs,
      async () => {
        const vm = await this.get('vm', name);
        if (vm.status?.printableStatus !== wanted) {
          const conditions = (vm.status?.conditions ?? []).map(
            (c: { type: string; status: string; message?: string }) => `${c.type}=${c.status} ${c.message ?? ''}`,
          );
          throw new Error(`VM ${name} is ${vm.status?.printableStatus}, not ${wanted}: ${conditions.join('; ')}`);
        }
      },
      150,
    );
  }

  /** The launcher Pod's address, at which the guest answers. */
  public async podIp(vm: string, namespace = 'default'): Promise<string> {
    const pods = await this.list('pods', '-n', namespace, '-l', `vm.kubevirt.io/name=${vm}`);
    const running = pods.filter((pod) => pod.status?.phase === 'Running');
    if (running.length !== 1) throw new Error(`${running.length} running Pods of VM ${vm}`);
    return running[0].status.podIP;
  }

  /** The report of the tiny guest on itself; its boot id and uptime prove that it was not restarted. */
  public async guest(vm: string): Promise<GuestStatus> {
    const text = await httpGet(await this.podIp(vm), '/cgi-bin/status');
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2)),
    );
    return { hostname: fields.hostname, boot_id: fields.boot_id, uptime: Number(fields.uptime) };
  }

  /** PIDs whose command line contains all the words. */
  public pids(...words: string[]): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        const cmdline = commandLine(pid);
        return pid !== process.pid && words.every((word) => cmdline.includes(word));
      });
  }

  /** PID of the engine or of a component that it supervises. */
  public componentPid(name: 'engine' | 'api-server' | 'virt-controller' | 'virt-api' | 'virt-handler'): number {
    if (name === 'engine') return JSON.parse(readFileSync(join(this.stateDir, 'engine.json'), 'utf8')).pid;
    const [pid] = this.pids(`${name}.cjs`, this.stateDir);
    if (pid === undefined) throw new Error(`${name} does not run`);
    return pid;
  }

  public audit(): AuditRecord[] {
    const file = join(this.stateDir, 'logs/audit.log');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Leftovers of this engine on the machine: processes, mounts, links, tables, namespaces, loop devices. */
  public async leftovers(): Promise<string[]> {
    const { id } = await import('../../src/local/engine/paths').then(({ enginePaths }) => enginePaths(this.stateDir));
    const grep = async (command: string, ...args: string[]): Promise<string[]> =>
      (await this.run(command, args)).stdout
        .split('\n')
        .filter((line) => line.includes(id) || line.includes(this.stateDir));
    return [
      ...this.pids(this.stateDir).map((pid) => `process ${pid}: ${commandLine(pid)}`),
      ...readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .filter((line) => line.includes(this.stateDir)),
      ...(await grep('ip', '-o', 'link')),
      ...(await grep('ip', 'netns')),
      ...(await grep('nft', 'list', 'tables')),
      ...(await grep('losetup', '-a')),
      ...(existsSync(this.stateDir) ? [this.stateDir] : []),
    ];
  }
}

/** Command line of a process, empty when it ended. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ');
  } catch {
    return '';
  }
}

export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

/** A VM manifest of the tiny guest. */
export function tinyVm(
  name: string,
  overrides: { runStrategy?: string; memory?: string; userData?: string; graceSeconds?: number; image?: string } = {},
): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: {
      runStrategy: overrides.runStrategy ?? 'Always',
      template: {
        metadata: { labels: { app: name } },
        spec: {
          terminationGracePeriodSeconds: overrides.graceSeconds ?? 30,
          domain: {
            memory: { guest: overrides.memory ?? '256Mi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                ...(overrides.userData ? [{ name: 'cloudinit', disk: { bus: 'virtio' } }] : []),
              ],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [
            { name: 'root', containerDisk: { image: overrides.image ?? 'localhost/virt8s/tiny:latest' } },
            ...(overrides.userData ? [{ name: 'cloudinit', cloudInitNoCloud: { userData: overrides.userData } }] : []),
          ],
        },
      },
    },
  };
}
