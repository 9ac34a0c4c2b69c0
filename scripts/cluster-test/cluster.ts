import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/integration/package/registry';

/** Cluster and images of a test run. */
export interface ClusterOptions {
  readonly kubeconfig: string;
  readonly registry: string;
  readonly tag: string;
  readonly guestImage: string;
  readonly sshKey?: string;
  readonly sideContainers: boolean;
  readonly insecureRegistry: boolean;
  readonly runtimeDirectories?: readonly string[];
}

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const checkout = resolve(__dirname, '../..');
/** Namespace of the guests. */
export const NAMESPACE = 'virt8s-cluster-test';
/** VM that runs during most cases. */
export const GUEST = 'steady';

/** A cluster, by kubectl and virt8s only, as a user has it. */
export class Cluster {
  public constructor(public readonly options: ClusterOptions) {}

  private get env(): NodeJS.ProcessEnv {
    return { ...process.env, KUBECONFIG: resolve(this.options.kubeconfig) };
  }

  /** Runs a command to its end; never rejects for an exit code. */
  public run(command: string, args: readonly string[], input?: string, timeoutMs = 300_000): Promise<Output> {
    return new Promise((done) => {
      const options = { env: this.env, maxBuffer: 64 << 20, timeout: timeoutMs };
      const child = execFile(command, [...args], options, (error, stdout, stderr) => {
        done({ code: error ? (typeof error.code === 'number' ? error.code : 255) : 0, stdout, stderr });
      });
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input ?? '');
    });
  }

  /** Standard output of a kubectl command. @throws Error if it fails */
  public async kubectl(...args: string[]): Promise<string> {
    return mustSucceed(`kubectl ${args.join(' ')}`, await this.run('kubectl', args));
  }

  public async apply(objects: readonly object[], ...flags: string[]): Promise<void> {
    if (objects.length === 0) return;
    const text = objects.map((object) => JSON.stringify(object)).join('\n');
    mustSucceed('kubectl apply', await this.run('kubectl', ['apply', ...flags, '-f', '-'], text));
  }

  /** Output of virt8s in the namespace of the guests. @throws Error if it fails */
  public async virt8s(...args: string[]): Promise<string> {
    const output = await this.run(join(checkout, 'bin/virt8s'), ['--namespace', NAMESPACE, ...args], undefined, 60_000);
    return mustSucceed(`virt8s ${args.join(' ')}`, output);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any kind and field
  public async get(...args: string[]): Promise<any> {
    return JSON.parse(await this.kubectl('get', '-o', 'json', ...args));
  }

  /** Lines that the guest prints on its console after a command is typed. */
  public async console(vm: string, command: string): Promise<string> {
    const script = `(sleep 1; printf '\\n%s\\n' "$1"; sleep 3; printf '\\035') | timeout 30 "$0" --namespace "$2" console "$3"`;
    const output = await this.run('sh', ['-c', script, join(checkout, 'bin/virt8s'), command, NAMESPACE, vm]);
    return output.stdout;
  }

  /** Report of the guest tiny on itself, through a port that virt8s forwards. */
  public async guest(
    vm: string,
    namespace = NAMESPACE,
  ): Promise<{ readonly hostname: string; readonly bootId: string }> {
    const use = async (port: number): Promise<{ hostname: string; bootId: string }> => {
      const response = await fetch(`http://127.0.0.1:${port}/cgi-bin/status`, { signal: AbortSignal.timeout(20_000) });
      const fields = Object.fromEntries((await response.text()).split('\n').map((line) => line.split('=', 2)));
      if (!fields.boot_id) throw new Error(`the guest ${vm} does not report its boot id`);
      return { hostname: fields.hostname ?? '', bootId: fields.boot_id };
    };
    return this.forwarded(vm, 80, use, namespace);
  }

  /** Calls a function with a port of this machine that leads to a port of the guest. */
  public async forwarded<T>(
    vm: string,
    guestPort: number,
    use: (port: number) => Promise<T>,
    namespace = NAMESPACE,
  ): Promise<T> {
    const port = await freePort();
    const child: ChildProcess = spawn(
      join(checkout, 'bin/virt8s'),
      ['--namespace', namespace, 'port-forward', `vmi/${vm}`, `tcp/${port}:${guestPort}`],
      { env: this.env, stdio: 'ignore' },
    );
    try {
      return await eventually(60_000, () => use(port));
    } finally {
      child.kill();
    }
  }

  /** Versions for the report. */
  public async describe(): Promise<Record<string, string>> {
    const { serverVersion } = JSON.parse(await this.kubectl('version', '-o', 'json'));
    const { items } = await this.get('nodes');
    const infos = items.map(({ status }: { status: { nodeInfo: Record<string, string> } }) => status.nodeInfo);
    const each = (field: string): string =>
      [...new Set(infos.map((info: Record<string, string>) => info[field]))].join(', ');
    const { stdout: commit } = await this.run('git', ['-C', checkout, 'rev-parse', '--short=12', 'HEAD']);
    return {
      Kubernetes: serverVersion.gitVersion,
      kubelet: `${each('kubeletVersion')} on ${items.length} node${items.length === 1 ? '' : 's'}`,
      'container runtime': each('containerRuntimeVersion'),
      kernel: each('kernelVersion'),
      'operating system': each('osImage'),
      virt8s: commit.trim() || 'not a git checkout',
    };
  }
}

function mustSucceed(what: string, { code, stdout, stderr }: Output): string {
  if (code === 0) return stdout;
  throw new Error(`${what}: code ${code}: ${(stderr || stdout).trim()}`);
}

/** Waits until the VM is Ready. @throws Error with its status */
export async function ready(cluster: Cluster, vm: string, namespace = NAMESPACE): Promise<void> {
  try {
    await cluster.kubectl('wait', `vm/${vm}`, '-n', namespace, '--for=condition=Ready', '--timeout=180s');
  } catch (error) {
    const { status } = await cluster.get(`vm/${vm}`, '-n', namespace);
    throw new Error(`${(error as Error).message}\n${JSON.stringify(status, undefined, 1)}`, { cause: error });
  }
}

/** Repeats a check until it succeeds. @throws its last error */
export async function eventually<T>(limitMs: number, check: () => Promise<T>): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(500);
    }
  }
}
