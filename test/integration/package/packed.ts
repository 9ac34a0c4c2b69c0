import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const checkout = resolve(__dirname, '../../..');
const manifest = join(checkout, 'package.json');

// a connection that a registry leaves hanging is tried again; npm's own limit is five minutes
Object.assign(process.env, { npm_config_fetch_timeout: '20000', npm_config_fetch_retries: '5' });

/** npm of this machine; any Node of ours runs it. */
const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();

/** The package, packed by npm; again only when the checkout changed since. */
export function pack(): string {
  const folder = join(checkout, 'build/packed');
  const tarball = join(folder, 'virt8s-0.0.0.tgz');
  if (
    !existsSync(tarball) ||
    newestOf('src', 'scripts', 'bin', 'imports', 'docs', 'API.md', 'PACKAGE.md') > statSync(tarball).mtimeMs
  ) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    execFileSync(process.execPath, [npm, 'pack', '--pack-destination', folder], { cwd: checkout, stdio: 'pipe' });
  }
  return tarball;
}

/** npm, while it packs the checkout into a folder. */
export function startPacking(folder: string): ChildProcess {
  return spawn(process.execPath, [npm, 'pack', '--pack-destination', folder], { cwd: checkout, stdio: 'ignore' });
}

function newestOf(...paths: string[]): number {
  const files = paths.flatMap((path) =>
    statSync(join(checkout, path)).isDirectory()
      ? readdirSync(join(checkout, path), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(checkout, path, file),
        )
      : [join(checkout, path)],
  );
  return Math.max(statSync(manifest).mtimeMs, ...files.map((file) => statSync(file).mtimeMs));
}

/** A folder of a user, far from this checkout. */
export class Project {
  public constructor(public readonly folder = mkdtempSync(join(tmpdir(), 'virt8s-user-'))) {}

  /** An empty project. */
  public static empty(): Project {
    const project = new Project();
    project.write('package.json', '{ "name": "user", "private": true }\n');
    return project;
  }

  public write(file: string, text: string): string {
    writeFileSync(join(this.folder, file), text);
    return join(this.folder, file);
  }

  /** Installs packages as npm does under this Node. No script of any package runs. */
  public install(node: string, ...packages: string[]): void {
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--silent',
      ...packages,
    ];
    this.run(node, npm, ...args);
  }

  /** Runs a program in the project to its end; a failure contains its output. */
  public run(program: string, ...args: string[]): string {
    try {
      return execFileSync(program, args, { cwd: this.folder, encoding: 'utf8', stdio: 'pipe', env: this.env(program) });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${[program, ...args].join(' ')}: ${stdout}${stderr}`);
    }
  }

  /** As in the user's shell: the checkout's programs are not on its path, the Node that is tried is. */
  private env(program: string): NodeJS.ProcessEnv {
    const path = (process.env.PATH ?? '').split(':').filter((entry) => !entry.startsWith(checkout));
    const first = dirname(program.endsWith('/node') ? program : process.execPath);
    // how this machine reaches a registry: proxies, their authorities, npm's own settings
    const network = Object.entries(process.env).filter(([name]) =>
      /^npm_config_|_proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name),
    );
    return { ...Object.fromEntries(network), PATH: [first, ...path].join(':'), HOME: process.env.HOME };
  }

  public remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
