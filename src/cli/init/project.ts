/** Kinds of projects. */
export type ProjectKind = 'cdk8s' | 'pulumi';

export const projectKinds: readonly ProjectKind[] = ['cdk8s', 'pulumi'];

/** Inputs that determine the files of a project. */
export interface ProjectOptions {
  readonly kind: ProjectKind;
  /** DNS label: name of the package and part of the names of objects. */
  readonly name: string;
  /** Version of virt8s in package.json, or the archive in the project. */
  readonly virt8s: string;
  /** Exact version of a package with which this virt8s was tested. */
  readonly versionOf: (name: string) => string;
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Files of a new project: path to content. */
export function projectFiles(options: ProjectOptions): Record<string, string> {
  return {
    'package.json': packageJson(options),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2023',
        module: 'preserve',
        strict: true,
        noEmit: true,
        // the declaration files of libraries are not checked; those of virt8s pass the check as well
        skipLibCheck: true,
        types: ['node', 'jest'],
      },
      include: ['*.ts'],
    }),
    '.gitignore': options.kind === 'cdk8s' ? 'node_modules/\ndist/\n' : 'node_modules/\n',
    ...(options.kind === 'cdk8s' ? cdk8sFiles(options) : pulumiFiles(options)),
  };
}

const LIBRARIES: Record<ProjectKind, readonly string[]> = {
  cdk8s: ['cdk8s', 'cdk8s-plus-28', 'constructs'],
  pulumi: ['@pulumi/kubernetes', '@pulumi/pulumi', 'cdk8s', 'cdk8s-plus-28', 'constructs'],
};
const TOOLS: Record<ProjectKind, readonly string[]> = {
  cdk8s: ['cdk8s-cli'],
  pulumi: [],
};
const COMMON_TOOLS = ['@swc/core', '@swc/jest', '@types/jest', '@types/node', 'jest', 'tsx', 'typescript'];

function packageJson({ kind, name, virt8s, versionOf }: ProjectOptions): string {
  const versions = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries([...names].sort().map((library) => [library, versionOf(library)]));
  const scripts = {
    ...(kind === 'cdk8s' ? { build: 'tsc && cdk8s synth --no-check-upgrade', synth: 'cdk8s synth' } : { build: 'tsc' }),
    test: 'jest',
  };
  return json({
    name,
    version: '0.1.0',
    private: true,
    scripts,
    dependencies: { ...versions(LIBRARIES[kind]), virt8s },
    devDependencies: versions([...COMMON_TOOLS, ...TOOLS[kind]]),
    jest: {
      testMatch: ['<rootDir>/*.test.ts'],
      transform: { '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }] },
    },
  });
}

/** VM that both kinds of projects declare. */
const machine = `{
      cpu: Cpu.cores(1),
      memory: Size.gibibytes(1),
      disks: [Disk.containerDisk('quay.io/containerdisks/debian:13')],
      cloudInit: CloudInit.noCloud({
        // to log in, add your public key: { sshKeys: ['ssh-ed25519 …'] }
        users: [CloudUser.named('admin')],
        packages: ['nginx', 'qemu-guest-agent'],
      }),
    }`;

const cdk8sFiles = ({ name }: ProjectOptions): Record<string, string> => ({
  'cdk8s.yaml': 'language: typescript\napp: node --import tsx main.ts\noutput: dist\n',
  'main.ts': `import { App } from 'cdk8s';
import { Machines } from './machines';

const app = new App();
new Machines(app, '${name}');
app.synth(); // writes dist/, or reports every mistake and writes nothing
`,
  'machines.ts': `import { Chart, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import { CloudInit, CloudUser, Cpu, Disk, VirtualMachine, VmPort } from 'virt8s';

/** A web server in a virtual machine, and its Service. */
export class Machines extends Chart {
  constructor(scope: Construct, id: string) {
    // disable hashes in names: ${name}-web
    super(scope, id, { disableResourceNameHashes: true });

    const web = new VirtualMachine(this, 'web', ${machine});
    web.exposeViaService('http', { ports: [VmPort.HTTP] });
  }
}
`,
  'machines.test.ts': `import { Testing } from 'cdk8s';
import { expectValid, matchers, serializer } from 'virt8s/testing';
import { Machines } from './machines';

expect.extend(matchers);
expect.addSnapshotSerializer(serializer);

const chart = new Machines(Testing.app(), '${name}');

test('synth and admission accept everything', () => expectValid(chart));

test('the web server is behind a Service', () => {
  expect(chart).toHaveObject({ kind: 'VirtualMachine', name: '${name}-web', spec: { runStrategy: 'Always' } });
  expect(chart).toHaveObject({ kind: 'Service', spec: { ports: [expect.objectContaining({ port: 80 })] } });
});

test('nothing changes unnoticed', () => expect(chart).toMatchSnapshot());
`,
  'README.md': `# ${name}

Virtual machines on Kubernetes, declared in [machines.ts](machines.ts) with [virt8s](https://github.com/virt8s/virt8s).

\`\`\`sh
npm install
npm test                     # without a cluster: the rules of synth and admission
npm run build                # checks the types, writes dist/
npx virt8s diff dist         # shows what an apply would change, and which changes need a restart
kubectl apply -f dist
npx virt8s console ${name}-web    # ^] leaves it
\`\`\`

The cluster must serve \`kubevirt.io\`; without one, \`virt8s up\` starts the engine of one machine. A guest that lets you
in: put your public key into the user's \`sshKeys\`.
`,
});

const pulumiFiles = ({ name }: ProjectOptions): Record<string, string> => ({
  'Pulumi.yaml': `name: ${name}
description: Virtual machines on Kubernetes
main: index.ts
runtime:
  name: nodejs
  options:
    # tsx runs TypeScript
    typescript: false
    nodeargs: --import tsx
`,
  'index.ts': `import { CloudInit, CloudUser, Cpu, Disk, Size, VirtualMachine, VmPort } from 'virt8s/pulumi';

const web = new VirtualMachine('${name}-web', ${machine.replace(/^ {4}/gm, '')});
const http = web.exposeViaService('http', { ports: [VmPort.HTTP] });

export const host = http.host;
export const ssh = web.sshCommand('admin');
`,
  'index.test.ts': `import * as pulumi from '@pulumi/pulumi';
import { expectValid, type KubeObject, matchers } from 'virt8s/testing';

expect.extend(matchers);

/** Resources that the program registers on Pulumi's test runtime. Needs no cluster. */
const objects: KubeObject[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      if (inputs.apiVersion) objects.push(inputs);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  });
  const outputs = await import('./index');
  await new Promise((known) => pulumi.output(outputs).apply(known));
  await pulumi.runtime.disconnect();
});

test('admission accepts everything', () => expectValid(objects));

test('the web server is behind a Service', () => {
  expect(objects).toHaveObject({ kind: 'VirtualMachine', name: '${name}-web', spec: { runStrategy: 'Always' } });
  expect(objects).toHaveObject({ kind: 'Service', spec: { ports: [expect.objectContaining({ port: 80 })] } });
});
`,
  'README.md': `# ${name}

Virtual machines on Kubernetes, declared in [index.ts](index.ts) with [virt8s](https://github.com/virt8s/virt8s) and
Pulumi.

\`\`\`sh
npm install
npm test                     # without a cluster: the rules of admission
npm run build                # checks the types
pulumi stack init dev
pulumi up                    # with KUBECONFIG of a cluster
npx virt8s console ${name}-web    # ^] leaves it
\`\`\`

The cluster must serve \`kubevirt.io\`; without one, \`virt8s up\` starts the engine of one machine. A guest that lets you
in: put your public key into the user's \`sshKeys\`.
`,
});
