import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import type { AuditRecord } from '../../src/local/api-server/http/audit';
import { cacheDir } from '../../src/local/engine/cache';
import { readNodes } from '../../src/local/engine/nodes/node-config';
import { enginePaths } from '../../src/local/engine/paths';
import { cgroupOf } from './cgroup';
import { Objects } from './objects';
import { eventually } from './patience';

export { eventually, sleep } from './patience';

/** The real thing: `virt8s up` in a state directory of its own, driven by kubectl and virt8s as a person would. */
const checkout = resolve(__dirname, '../..');

/** Creates a state directory, which the runner of all tests finds if this process is killed. */
export const newStateDir = (): string => mkdtempSync(process.env.VIRT8S_TEST_ENGINES ?? '/var/lib/virt8s-test-');

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

/** Time in which a busy guest answers a request. */
const ANSWER_MS = 15_000;
/** Time in which a guest that has booted takes a connection. The kernel repeats the request of one that has not too rarely. */
const CONNECT_MS = 3_000;

/** One request to a guest. Callers repeat it with `eventually`, unless the guest must not answer. */
export function httpGet(host: string, path = '/', timeoutMs = ANSWER_MS): Promise<string> {
  return new Promise((done, fail) => {
    const req = request(
      { host, port: 80, path, timeout: Math.min(CONNECT_MS, timeoutMs), agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () =>
          response.statusCode === 200 ? done(body) : fail(new Error(`${response.statusCode}`)),
        );
      },
    );
    req.once('socket', (socket) => socket.once('connect', () => socket.setTimeout(timeoutMs)));
    req.on('timeout', () => req.destroy(new Error(`no answer from ${host}`)));
    req.on('error', fail).end();
  });
}

/** Whether a guest that cannot answer is silent. A guest that can has answered before, and its answer takes far less time. */
export const isSilent = (host: string, path?: string): Promise<boolean> =>
  httpGet(host, path, 1_000).then(
    () => false,
    () => true,
  );

/** Asks the guest from its own Pod, past the networks of Pods and nodes. */
const GUEST_ANSWERS = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | timeout 60 nc 10.0.2.2 80 | head -n 1`;

export interface StartOptions {
  readonly stateDir?: string;
  readonly cache?: string;
  readonly nodes?: number;
  /** Whether the platform is not part of the engine. */
  readonly bare?: boolean;
}

export class TestEngine {
  private reader: Objects | undefined;

  protected constructor(
    public readonly stateDir: string,
    private readonly cache: string,
    private readonly nodes?: number,
    private readonly bare = false,
    /** Namespace of objects, and of requests, that have none of their own. */
    public readonly namespace = 'default',
  ) {}

  private get objects(): Objects {
    return (this.reader ??= new Objects(this.kubeconfig));
  }

  /** Starts an engine, on request in a given directory or with images of its own; `down` ends it. */
  public static async start(options: StartOptions = {}): Promise<TestEngine> {
    const stateDir = options.stateDir ?? newStateDir();
    const cache = options.cache ?? cacheDir();
    const engine = new TestEngine(stateDir, cache, options.nodes, options.bare);
    await engine.up();
    return engine;
  }

  /** An engine that is not started. */
  public static at(stateDir: string): TestEngine {
    return new TestEngine(stateDir, cacheDir());
  }

  /** Port of the API server. */
  public get port(): number {
    return Number(new URL(this.record.url).port);
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
      ...['--port', '0'],
      ...(this.nodes ? ['--nodes', String(this.nodes)] : []),
      ...(this.bare ? ['--bare'] : []),
    );
    if (code !== 0) throw new Error(`virt8s up: ${stderr}`);
  }

  public async down(): Promise<void> {
    const { code, stderr } = await this.virt8s('down');
    if (code !== 0) throw new Error(`virt8s down: ${stderr}`);
    this.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  protected close(): void {
    this.reader?.close();
    this.reader = undefined;
  }

  /** Ends the engine. Returns what is left of it on this machine. */
  public async end(): Promise<string[]> {
    await this.down();
    return this.leftovers();
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
  public async get(kind: string, name: string, namespace = this.namespace): Promise<any> {
    const read = this.objects.get(kind, name, namespace);
    return read ?? JSON.parse(await this.kubectl('get', kind, name, '-n', namespace, '-o', 'json'));
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  public async list(kind: string, ...args: string[]): Promise<any[]> {
    return (
      this.objects.list(kind, args, this.namespace) ??
      JSON.parse(await this.kubectl('get', kind, '-o', 'json', ...args)).items
    );
  }

  public start(...args: string[]): ChildProcess {
    return spawn(join(checkout, 'bin/virt8s'), args, { env: this.env, stdio: 'pipe' });
  }

  /** Waits for `printableStatus`; a failure contains the last messages of the VM and its Pods. */
  public async vmBecomes(name: string, wanted: string): Promise<void> {
    await eventually(
      async () => {
        const vm = await this.get('vm', name);
        if (vm.status?.printableStatus !== wanted) {
          const conditions = (vm.status?.conditions ?? []).map(
            (c: { type: string; status: string; message?: string }) => `${c.type}=${c.status} ${c.message ?? ''}`,
          );
          throw new Error(`VM ${name} is ${vm.status?.printableStatus}, not ${wanted}: ${conditions.join('; ')}`);
        }
      },
      { everyMs: 150 },
    );
  }

  /** The launcher Pod's address, at which the guest answers. */
  public async podIp(vm: string, namespace = this.namespace): Promise<string> {
    const pods = await this.list('pods', '-n', namespace, '-l', `vm.kubevirt.io/name=${vm}`);
    const running = pods.filter((pod) => pod.status?.phase === 'Running');
    if (running.length !== 1) throw new Error(`${running.length} running Pods of VM ${vm}`);
    return running[0].status.podIP;
  }

  /** A page of a guest, once it answers. */
  public async page(vm: string, path = '/', namespace = this.namespace): Promise<string> {
    return this.explaining(vm, namespace, () => eventually(async () => httpGet(await this.podIp(vm, namespace), path)));
  }

  /** Runs `work`; its error gets the state of a VM, its network and the end of its console. */
  public async explaining<T>(vm: string, namespace: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const said = async (command: string, ...args: string[]): Promise<string> => {
        const { stdout, stderr } = await this.run(command, args);
        return (stdout + stderr).trim();
      };
      const [pod] = await this.list('pods', '-n', namespace, '-l', `vm.kubevirt.io/name=${vm}`).catch(() => []);
      const name = pod?.metadata.name ?? 'no-pod';
      const state = await Promise.all([
        said('kubectl', 'get', `vmi/${vm}`, `pod/${name}`, '-n', namespace, '-o', 'wide', '--no-headers'),
        said('kubectl', 'get', 'nodes', '--no-headers'),
        said('kubectl', 'logs', name, '-n', namespace, '-c', 'guest-console-log', '--tail=3'),
        said('ip', 'route', 'get', pod?.status.podIP ?? ''),
        said('kubectl', 'exec', name, '-n', namespace, '-c', 'compute', '--', 'sh', '-c', GUEST_ANSWERS),
        said('nft', 'list', 'tables'),
        said('df', '-h', '--output=avail', this.stateDir),
      ]);
      throw new Error(`${(error as Error).message}\n${state.join('\n')}`, { cause: error });
    }
  }

  /** Waits for the report of the tiny guest on itself; its boot id and uptime prove that it was not restarted. */
  public async guest(vm: string, namespace = this.namespace): Promise<GuestStatus> {
    const text = await this.page(vm, '/cgi-bin/status', namespace);
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2)),
    );
    return { hostname: fields.hostname, boot_id: fields.boot_id, uptime: Number(fields.uptime) };
  }

  /** PIDs of this engine, of its Pods or with its state directory, whose command line contains all the words. */
  public pids(...words: string[]): number[] {
    const own = ancestors();
    const cgroups = [this.id, ...readNodes(this.stateDir).map(({ id }) => id)].map((id) => `virt8s-${id}`);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        const cmdline = commandLine(pid);
        if (own.has(pid) || !words.every((word) => cmdline.includes(word))) return false;
        return cmdline.includes(this.stateDir) || cgroups.some((name) => cgroupOf(pid).includes(name));
      });
  }

  /** PID of the engine or of a component that it supervises. */
  public componentPid(name: 'engine' | 'api-server' | 'virt-controller' | 'virt-api' | 'virt-handler'): number {
    if (name === 'engine') return this.record.pid;
    const [pid] = this.pids(`${name}.cjs`, this.stateDir);
    if (pid === undefined) throw new Error(`${name} does not run`);
    return pid;
  }

  private get record(): { readonly pid: number; readonly url: string } {
    return JSON.parse(readFileSync(join(this.stateDir, 'engine.json'), 'utf8'));
  }

  /** Part of the names of its bridge, table and cgroups. */
  private get id(): string {
    return enginePaths(this.stateDir).id;
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
    const { id } = this;
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

/** This process and those that started it, whose command lines may contain any word. */
function ancestors(): ReadonlySet<number> {
  const found = new Set<number>();
  for (let pid = process.pid; pid > 0 && !found.has(pid);) {
    found.add(pid);
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }
  return found;
}

/** Command line of a process, empty when it ended. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ');
  } catch {
    return '';
  }
}

/** Image of a guest that executes only hlt: it starts at once, takes no CPU time, and hears no power button. */
export const BLANK = 'localhost/virt8s/blank:latest';

/** A VM manifest of the tiny guest. */
export function tinyVm(
  name: string,
  overrides: {
    namespace?: string;
    runStrategy?: string;
    memory?: string;
    userData?: string;
    graceSeconds?: number;
    image?: string;
  } = {},
): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, ...(overrides.namespace && { namespace: overrides.namespace }) },
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
