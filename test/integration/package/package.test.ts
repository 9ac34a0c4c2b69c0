import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { nodeBinary, type NodeRelease } from '../../../src/cli/images/node';
import type { ProgramFile } from '../../../src/cli/programs';
import type { CheckoutCopy } from '../../support/checkout-copy';
import { eventually } from '../../support/patience';
import { isComplete } from '../../support/tier';
import { checkout, pack, packableCopy, packCopy, Project, startPacking } from './packed';

/** Node runs here on amd64; the packages of other architectures are not needed. */
const onAmd64 = (amd64: string): NodeRelease['integrity'] => ({ amd64, arm64: '' });

/** Every Node that we support, in its last version when this was written. */
const releases = {
  22: {
    version: '22.23.3',
    integrity: onAmd64(
      'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    ),
  },
  24: {
    version: '24.21.0',
    integrity: onAmd64(
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    ),
  },
  26: {
    version: '26.10.0',
    integrity: onAmd64(
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    ),
  },
};

/** Installation of the package into a project: by npm from the registry, or beside the checkout's packages. */
interface Installation {
  readonly node: () => Promise<string>;
  readonly install: (project: Project, node: string) => void;
}
const installed: Readonly<Record<string, Installation>> = isComplete
  ? Object.fromEntries(
      Object.entries(releases).map(([name, release]) => [
        `Node ${name}`,
        { node: () => nodeBinary(release, 'amd64'), install: (project, node) => project.install(node, tarball) },
      ]),
    )
  : { 'this Node': { node: async () => process.execPath, install: (project) => project.link(tarball) } };

const manifest = (file: string): Record<string, Record<string, string>> => JSON.parse(readFileSync(file, 'utf8'));

let tarball: string;
beforeAll(async () => void (tarball = await pack()));

describe('the archive', () => {
  let folder: string;
  let files: string[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'virt8s-archive-'));
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
    files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('contains the expected files and nothing else', () => {
    const expected = [
      /^(package\.json|(README|CHANGELOG|API|ARCHITECTURE)\.md|LICENSE|THIRD-PARTY-LICENSES\.txt|sbom\.json|\.jsii|\.jsii\.gz)$/,
      /^bin\/(virt8s|kubectl-virt)$/,
      /^imports\/[a-z.]+\.yaml$/,
      /^docs\/((api|guides|reference|runbooks)\/)?[\w.-]+\.md$/,
      /^examples\/[\w-]+\/([\w-]+\.ts|README\.md|cdk8s\.yaml|Pulumi\.yaml|tsconfig\.json)$/,
      /^lib\/(index|modules|(api|constructs|pulumi|testing)\/[\w/-]+)\.(js|d\.ts)$/,
      /^lib\/client\/(index\.js|[\w-]+\.d\.ts)$/,
      /^lib\/runtime\/kube\/[\w-]+\.d\.ts$/,
      /^lib\/api\/generated\/crds\.json$/,
      /^build\/(virt8s\/[\w-]+\.mjs|programs\.br)$/,
    ];
    expect(files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(expected.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
    // the modules that all entries share are one file, which loads faster
    expect(files.filter((file) => /^lib\/.*\.js$/.test(file)).length).toBeLessThan(60);
  });

  /** Programs that the package holds compressed. */
  const programs = (): ProgramFile[] =>
    JSON.parse(brotliDecompressSync(readFileSync(join(folder, 'build/programs.br'))).toString('utf8'));

  test('holds the programs that only the command needs compressed, once', () => {
    const expected = [
      /^package\.json$/,
      /^build\/(engine|api-server|ingress|images|node-capabilities|upload-proxy|viz|virt-(api|controller|handler|importer|launcher|operator))\.cjs$/,
      /^build\/images\/virt-launcher\/(etc|usr)\/[\w./-]+$/,
      // for the list of packages in each image
      /^build\/images\/npm-packages\.json$/,
    ];
    const found = programs().map(({ path }) => path);
    expect(found.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(expected.filter((pattern) => !found.some((file) => pattern.test(file)))).toEqual([]);
  });

  test('contains no trace of the machine that packed it, and no sources', () => {
    const texts = [
      ...files.map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const),
      ...programs().map(({ path, text }) => [path, text] as const),
    ];
    // a path begins there: "/proc/1/root/" is not the home of root
    const home = new RegExp(`(?<![\\w}])${homedir()}/`);
    const leaking = texts.filter(
      ([, text]) =>
        home.test(text) ||
        [`${checkout}/`, 'sourceMappingURL=data:', 'sourcesContent'].some((word) => text.includes(word)),
    );
    expect(leaking.map(([file]) => file)).toEqual([]);
  });

  test('has the README for users of the package, and no page with a dead link', () => {
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(readFileSync(join(checkout, 'PACKAGE.md'), 'utf8'));
    const dead = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        // patterns in code look like links
        const text = readFileSync(join(folder, file), 'utf8').replace(/`[^`\n]*`/g, '');
        const links = [...text.matchAll(/\]\(([^):#\s]+)(?:#[^)]*)?\)/g)];
        return links
          .filter(([, path]) => !existsSync(join(folder, dirname(file), path!)))
          .map(([link]) => `${file}: ${link}`);
      });
    expect(dead).toEqual([]);
  });

  test('is small', () => {
    const size = (file: string): number => readFileSync(join(folder, file)).length;
    const total = files.reduce((sum, file) => sum + size(file), 0);
    expect(Math.round(total / 1e6)).toBeLessThanOrEqual(13);
    expect(readFileSync(tarball).length / 1e6).toBeLessThanOrEqual(4);
  });

  test('its manifest has the optional peers, and nothing that only the checkout needs', () => {
    const packed = manifest(join(folder, 'package.json'));
    const ours = manifest(join(checkout, 'package.json'));
    expect(packed.peerDependencies).toEqual({
      ...ours.peerDependencies,
      '@pulumi/kubernetes': ours.devDependencies!['@pulumi/kubernetes'],
      '@pulumi/pulumi': ours.devDependencies!['@pulumi/pulumi'],
    });
    expect(packed.peerDependenciesMeta).toEqual({
      '@pulumi/kubernetes': { optional: true },
      '@pulumi/pulumi': { optional: true },
    });
    expect(Object.keys(packed)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(scripts|dependencies|devDependencies|jest|\/\/)$/)]),
    );
    expect(packed.engines).toEqual({ node: '>= 22' });
    expect(manifest(join(checkout, 'package.json')).scripts).toBeDefined();
  });

  test('lists third-party parts with their licences', () => {
    const bom = JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; licenses: object[]; properties?: { value: string }[] }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    const ws = bom.components.find(({ name }) => name === 'ws')!;
    expect(ws.licenses).toEqual([{ license: { id: 'MIT' } }]);
    expect(ws.properties!.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['build/virt8s', 'lib/client/index.js']),
    );
    const texts = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const { name, version } of bom.components) expect(texts).toContain(`${name} ${version} (`);
    // test libraries are not listed
    expect(bom.components.map(({ name }) => name)).not.toContain('jest');
  });
});

describe.each(Object.entries(installed))('under %s', (_, { node: nodeOf, install }) => {
  let node: string;
  let project: Project;
  beforeAll(async () => {
    node = await nodeOf();
    project = Project.empty();
    install(project, node);
  });
  afterAll(() => project.remove());

  test('has the peers, and nothing else', () => {
    const installed = readdirSync(join(project.folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed.sort()).toEqual(['cdk8s', 'cdk8s-plus-28', 'constructs', 'virt8s']);
  });

  const entries = `
    const memory = Size.mebibytes(256);
    const app = Testing.app();
    const chart = new Chart(app, 'chart', { disableResourceNameHashes: true });
    const vm = new VirtualMachine(chart, 'vm', { memory, disks: [Disk.containerDisk('registry.example/disk:1')] });
    theObject(chart, { kind: 'VirtualMachine' });
    expectValid(chart);
    console.log(JSON.stringify([vm.name, typeof Client.prototype.vm, typeof matchers.toHaveObject, vm instanceof Construct]));`;

  test.each([
    [
      'CommonJS',
      'main.cjs',
      `const { Chart, Size, Testing } = require('cdk8s');
       const { Construct } = require('constructs');
       const { Disk, VirtualMachine } = require('virt8s');
       const { Client } = require('virt8s/client');
       const { expectValid, matchers, theObject } = require('virt8s/testing');`,
    ],
    [
      'ESM',
      'main.mjs',
      `import { Chart, Size, Testing } from 'cdk8s';
       import { Construct } from 'constructs';
       import { Disk, VirtualMachine } from 'virt8s';
       import { Client } from 'virt8s/client';
       import { expectValid, matchers, theObject } from 'virt8s/testing';`,
    ],
  ])('%s imports every entry by its names', (_, file, imports) => {
    project.write(file, `${imports}${entries}`);
    expect(JSON.parse(project.run(node, file))).toEqual(['chart-vm', 'function', 'function', true]);
  });

  test('CRDs and manifest are reachable', () => {
    const resolve = `console.log(['virt8s/imports/kubevirt.io.yaml', 'virt8s/package.json', 'virt8s/.jsii'].map(require.resolve).length)`;
    expect(project.run(node, '-e', resolve)).toBe('3\n');
  });

  test('the command works', () => {
    project.write(
      'vm.yaml',
      `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: { name: web }
spec:
  runStrategy: Always
  template:
    spec:
      domain: { memory: { guest: 256Mi }, devices: {} }
`,
    );
    const virt8s = (...args: string[]): string =>
      project.run('sh', '-c', `PATH=${join(node, '..')}:$PATH exec node_modules/.bin/virt8s "$@"`, 'sh', ...args);
    expect(virt8s('--help')).toContain('Run virtual machines on Kubernetes');
    expect(virt8s('render', 'vm.yaml')).toContain('kind: VirtualMachineInstance');
    expect(virt8s('render', 'vm.yaml', '--to', 'domain')).toContain('<domain');
    expect(virt8s('graph', 'vm.yaml')).toContain('<svg');
  });
});

describe('TypeScript, strict and with skipLibCheck: false', () => {
  let project: Project;
  beforeAll(() => {
    project = Project.empty();
    const { devDependencies } = manifest(join(checkout, 'package.json'));
    const names = ['@pulumi/pulumi', '@pulumi/kubernetes', '@types/node'];
    const packages = names.map((name) => `${name}@${devDependencies![name]!.replace('^', '')}`);
    if (isComplete) project.install(process.execPath, tarball, ...packages);
    else project.link(tarball, ...names);
    project.write(
      'constructs.ts',
      `import { App, Chart, Size } from 'cdk8s';
       import { Cpu, Disk, VirtualMachine } from 'virt8s';
       const chart = new Chart(new App(), 'web');
       const disks: Disk[] = [Disk.containerDisk('registry.example/disk:1')];
       export const vm: VirtualMachine = new VirtualMachine(chart, 'web', { cpu: Cpu.cores(1), memory: Size.mebibytes(256), disks });
       // @ts-expect-error memory is a Size
       new VirtualMachine(chart, 'wrong', { memory: 256 });
       // @ts-expect-error lists are read-only
       vm.disks.push(...disks);
       // @ts-expect-error internals are hidden
       vm._instanceSpec();
       // @ts-expect-error a VM is not an instance type
       new VirtualMachine(chart, 'sized', { instancetype: vm });\n`,
    );
    project.write(
      'exact.ts',
      `import { App, Chart } from 'cdk8s';
       import { Disk, VirtualMachine, VmPort, VmService, type VirtualMachineProps } from 'virt8s';
       const chart = new Chart(new App(), 'exact');
       const disks: readonly Disk[] = [Disk.containerDisk('registry.example/disk:1')];
       const given: { hostname: string | undefined } = { hostname: undefined };
       const props: VirtualMachineProps = { disks, ...given };
       const target = new VirtualMachine(chart, 'web', props);
       new VmService(chart, 'service', { target, ports: [VmPort.SSH] });\n`,
    );
    project.write(
      'testing.ts',
      `import { theObject } from 'virt8s/testing';
       import { vm } from './constructs';
       // @ts-expect-error there is no such filter
       theObject(vm, { sort: 'VirtualMachine' });\n`,
    );
    project.write(
      'client.ts',
      `import { Client } from 'virt8s/client';
       // @ts-expect-error a name is a string
       export const start = (client: Client): Promise<void> => client.vm(5).start();\n`,
    );
    project.write(
      'pulumi.ts',
      `import * as pulumi from '@pulumi/pulumi';
       import { Disk, Size, VirtualMachine } from 'virt8s/pulumi';
       const disks = [Disk.containerDisk(pulumi.output('registry.example/disk:1'))];
       const vm = new VirtualMachine('web', { memory: Size.mebibytes(256), disks });
       // @ts-expect-error memory is a Size
       new VirtualMachine('wrong', { memory: 'much' });
       export const name: pulumi.Output<string> = pulumi.output(vm.name);\n`,
    );
  });
  afterAll(() => project.remove());

  const tsc = (...args: string[]): string => {
    const compiler = join(checkout, 'node_modules/typescript/bin/tsc');
    const strict = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022'];
    return project.run(process.execPath, compiler, ...strict, ...args);
  };
  const all = ['constructs.ts', 'testing.ts', 'client.ts', 'pulumi.ts'];

  test.each([
    ['module node16', [...all, '--types', 'node', '--module', 'node16']],
    [
      'module preserve, resolution bundler',
      [...all.slice(0, 3), '--types', 'node', '--module', 'preserve', '--moduleResolution', 'bundler'],
    ],
    // the template of pulumi new
    [
      "Pulumi's template: commonjs and node10",
      [
        ...all,
        '--types',
        'node',
        '--module',
        'commonjs',
        '--moduleResolution',
        'node10',
        '--ignoreDeprecations',
        '6.0',
      ],
    ],
    [
      'without the types of Node, but for virt8s/client and virt8s/pulumi',
      ['constructs.ts', 'testing.ts', '--module', 'node16'],
    ],
  ])('%s', (_, args) => {
    expect(tsc(...args)).toBe('');
  });

  test('exactOptionalPropertyTypes', () => {
    // cdk8s-plus does not compile with it
    expect(tsc('exact.ts', '--exactOptionalPropertyTypes', '--skipLibCheck', 'true', '--module', 'node16')).toBe('');
  });

  test('virt8s/pulumi and virt8s/testing use the classes of virt8s', () => {
    project.write(
      'same.mjs',
      `import * as core from 'virt8s'; import * as pulumi from 'virt8s/pulumi';
       const names = ['Cpu', 'Disk', 'VmNetwork', 'RunStrategy'].filter((name) => core[name] && pulumi[name]);
       const lifted = pulumi.Cpu.cores(1);
       console.log(JSON.stringify([names.length, lifted instanceof core.Cpu]));`,
    );
    expect(JSON.parse(project.run(process.execPath, 'same.mjs'))).toEqual([4, true]);
  });
});

describe('packing', () => {
  const names = ['package.json', 'README.md'];
  let copy: CheckoutCopy;
  beforeEach(() => void (copy = packableCopy()));
  afterEach(() => copy.remove());
  const unchanged = (): void => {
    for (const name of names) {
      expect(copy.read(name)).toBe(readFileSync(join(checkout, name), 'utf8'));
      expect(existsSync(join(copy.root, `build/${name}.kept`))).toBe(false);
    }
  };

  test('leaves the checkout unchanged', async () => {
    await packCopy(copy);
    unchanged();
  });

  test('leaves the checkout unchanged even if npm is killed', async () => {
    // npm waits in postpack, with the files of the package in place
    const shell = join(copy.root, 'build/shell');
    const script = '[ "$npm_lifecycle_event" = postpack ] && exec sleep 1000000\nexec sh "$@"\n';
    writeFileSync(shell, `#!/bin/sh\n${script}`, { mode: 0o755 });
    const ours = (): boolean => manifest(join(copy.root, 'package.json')).scripts !== undefined;
    const becomes = (state: boolean): Promise<void> => eventually(() => expect(ours()).toBe(state));
    const child = startPacking(copy, `--script-shell=${shell}`);
    try {
      await becomes(false);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
    await becomes(true);
    await eventually(unchanged);
  });
});

if (isComplete) {
  test('jsii-pacmak generates code for Python, Java, Go and .NET', () => {
    const folder = mkdtempSync(join(tmpdir(), 'virt8s-bindings-'));
    try {
      const targets = ['python', 'java', 'go', 'dotnet'].flatMap((target) => ['--target', target]);
      execFileSync(join(checkout, 'node_modules/.bin/jsii-pacmak'), ['--code-only', '--outdir', folder, ...targets], {
        cwd: checkout,
        // it packs the module first, which was tried above
        env: { ...process.env, npm_config_ignore_scripts: 'true' },
        stdio: 'pipe',
      });
      const made = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const file of [
        'python/src/virt8s/__init__.py',
        'java/src/main/java/dev/virt8s/VirtualMachine.java',
        'go/virt8s/VirtualMachine.go',
        'dotnet/Virt8s/Virt8s/VirtualMachine.cs',
      ]) {
        expect(made).toContain(file);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
