import { ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { buildSync } from 'esbuild';
import { nodeMemoryEnv, nodeMemoryFlags } from '../../src/local/engine/node-memory-flags';
import { Pair, serviceAccountKey, TestCa } from './pki';

/** The engine's API server as a process of its own, which can be killed and started again on its store and port. */
export class ApiServerProcess {
  private child: ChildProcess | undefined;

  private constructor(
    public readonly directory: string,
    public readonly ca: TestCa,
    public readonly admin: Pair,
    public readonly port: number,
    private readonly program: string,
  ) {}

  public static async start(): Promise<ApiServerProcess> {
    const directory = mkdtempSync(join(tmpdir(), 'virt8s-api-process-'));
    const program = bundle(join(__dirname, 'api-server-child.ts'), directory);
    const ca = await TestCa.create('virt8s-test-ca');
    const [tls, admin, client] = await Promise.all([
      ca.issue([{ CN: ['kube-apiserver'] }], ['127.0.0.1', 'localhost']),
      ca.issue([{ CN: ['admin'] }, { O: ['system:masters'] }]),
      ca.issue([{ CN: ['client'] }]),
    ]);
    const options = {
      storePath: join(directory, 'state.db'),
      tls,
      clientCa: ca.pem,
      serviceAccountKeys: { privateKey: serviceAccountKey() },
      requestheaderClient: client,
      kubeletClient: client,
      kubeletCa: ca.pem,
    };
    const write = (port: number) =>
      writeFileSync(
        join(directory, 'options.json'),
        JSON.stringify({ ...options, listen: [{ host: '127.0.0.1', port }] }),
        { mode: 0o600 },
      );
    write(0);
    const first = new ApiServerProcess(directory, ca, admin, 0, program);
    const port = await first.up();
    write(port);
    const server = new ApiServerProcess(directory, ca, admin, port, program);
    server.child = first.child;
    return server;
  }

  public get pid(): number {
    return this.child!.pid!;
  }

  public get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Starts the process; resolves with its port when it serves. */
  public up(): Promise<number> {
    const child = spawn(process.execPath, [...nodeMemoryFlags, this.program, join(this.directory, 'options.json')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...nodeMemoryEnv },
    });
    this.child = child;
    return new Promise((resolve, reject) => {
      child.stdout.once('data', (port: Buffer) => resolve(Number(port)));
      child.once('exit', (code) => reject(new Error(`the API server ended with ${code}`)));
    });
  }

  public async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  public async close(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Bundles a program of the tests, so that each start is fast; returns its path. */
export function bundle(entry: string, directory: string): string {
  const outfile = join(directory, `${parse(entry).name}.cjs`);
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', logLevel: 'error' });
  return outfile;
}
