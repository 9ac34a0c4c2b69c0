import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ensure } from '../../../scripts/cache';
import { CheckoutCopy, COPIED } from '../../support/checkout-copy';

export const checkout = resolve(__dirname, '../../..');

// a connection that a registry leaves hanging is tried again; npm's own limit is five minutes
Object.assign(process.env, { npm_config_fetch_timeout: '20000', npm_config_fetch_retries: '5' });

/** npm of this machine; any Node of ours runs it. */
const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();

/** Paths that npm packs, or that its scripts read, besides those of every copy. */
const PACKED = [
  ...['bin', 'examples', 'LICENSE', 'README.md', 'PACKAGE.md', 'API.md', 'ARCHITECTURE.md', 'CHANGELOG.md'],
  ...['package-lock.json', 'tsconfig.json', 'tsconfig.entries.json'],
];
const TARBALL = 'build/packed/virt8s-0.0.0.tgz';

/** Makes a copy of the checkout that npm may pack: meanwhile, its package.json and README.md are those of the package. */
export function packableCopy(): CheckoutCopy {
  // made here, where paths of npm's packages are relative: the copy links them
  for (const script of ['bundle', 'library'])
    execFileSync(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`], { cwd: checkout, stdio: 'pipe' });
  const copy = new CheckoutCopy(PACKED);
  mkdirSync(dirname(join(copy.root, TARBALL)), { recursive: true });
  return copy;
}

/** npm, while it packs a copy of the checkout. */
export function startPacking({ root }: CheckoutCopy, ...options: string[]): ChildProcess {
  const args = ['pack', '--pack-destination', dirname(join(root, TARBALL)), ...options];
  return spawn(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
}

/** Packs a copy. Bundles and lib/ come from the cache if the checkout has them. */
export async function packCopy(copy: CheckoutCopy): Promise<string> {
  const child = startPacking(copy);
  let words = '';
  child.stderr!.on('data', (text: Buffer) => (words += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`npm pack ended with ${code}: ${words}`);
  return join(copy.root, TARBALL);
}

/** The package, packed by npm; again only when the checkout changed since. */
export async function pack(): Promise<string> {
  await ensure({
    name: 'package',
    inputs: [...COPIED.filter((path) => path !== 'test'), ...PACKED],
    outputs: [TARBALL],
    make: async () => {
      const copy = packableCopy();
      try {
        mkdirSync(dirname(join(checkout, TARBALL)), { recursive: true });
        cpSync(await packCopy(copy), join(checkout, TARBALL));
      } finally {
        copy.remove();
      }
    },
  });
  return join(checkout, TARBALL);
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

  /** Installs the package without a registry: the packages beside it are those of the checkout. */
  public link(tarball: string, ...packages: string[]): void {
    const modules = join(this.folder, 'node_modules');
    const target = join(modules, 'virt8s');
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
    for (const name of ['cdk8s', 'cdk8s-plus-28', 'constructs', ...packages]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(checkout, 'node_modules', name), join(modules, name));
    }
    mkdirSync(join(modules, '.bin'));
    symlinkSync('../virt8s/bin/virt8s', join(modules, '.bin/virt8s'));
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
