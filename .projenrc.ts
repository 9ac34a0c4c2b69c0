import { cdk, javascript, JsonFile, TextFile } from 'projen';

/** Node that every script, test and image of ours runs on. */
const NODE = '24.21.0';

const project = new cdk.JsiiProject({
  name: 'virt8s',
  description: 'Virtual machines on Kubernetes, declared and shipped from TypeScript',
  author: 'The virt8s authors',
  authorAddress: 'maintainers@virt8s.dev',
  repositoryUrl: 'https://github.com/virt8s/virt8s.git',
  license: 'Apache-2.0',
  copyrightOwner: 'The virt8s authors',
  keywords: ['kubernetes', 'kubevirt', 'cdk8s', 'virtual-machine', 'libvirt', 'qemu'],
  defaultReleaseBranch: 'main',
  packageManager: javascript.NodePackageManager.NPM,
  projenrcTs: true,
  sampleCode: false,

  jsiiVersion: '~6.0.16',
  typescriptVersion: '~6.0.3',
  // jsii compiles what users import; everything else is plain TypeScript (tsconfig.dev.json).
  excludeTypescript: [
    ...['runtime', 'local', 'cli', 'pulumi', 'client', 'testing'].map((room) => `src/${room}/**`),
    'src/*-image/**',
  ],
  docgen: true,

  peerDeps: ['cdk8s@^2.70.106', 'cdk8s-plus-28@^2.5.6', 'constructs@^10.8.1'],
  devDeps: [
    `node@${NODE}`,
    '@types/node@^24',
    'esbuild@^0.28.2',
    // tests
    'jest@^30.5.2',
    '@types/jest@^30',
    '@swc/core@^1.16.22',
    '@swc/jest@^0.2.39',
    'fast-check@^4.10.2',
    '@grpc/grpc-js@^1.14.7',
    // lint
    'eslint@^10.15.0',
    'typescript-eslint@^8.73.0',
    'prettier@^3.10.1',
    // generators
    'ajv@^8.20.0',
    'ts-proto@^2.18.0',
    'tsx@^4',
    'cdk8s-cli@^2.207.60',
    // virt8s/pulumi; jsii refuses these as peers, so they become optional peers when the package is packed
    '@pulumi/pulumi@^3.270.0',
    '@pulumi/kubernetes@^4.34.2',
    // bundled into the command and the runtime
    '@bufbuild/protobuf@^2.17.0',
    '@marcbachmann/cel-js@^8.0.0',
    '@peculiar/x509@^2.2.0',
    'reflect-metadata@^0.2.2',
    '@viz-js/viz@^3.31.0',
    '@xmldom/xmldom@^0.9.12',
    'commander@^15.1.0',
    'pino@^10.4.0',
    'rfc6902@^5.4.0',
    'tar@^7.5.23',
    'ws@^8.23.0',
    '@types/ws@^8',
    'yaml@^2.9.1',
  ],

  jest: false,
  eslint: false,
  github: false,
  buildWorkflow: false,
  release: false,
  depsUpgrade: false,
  pullRequestTemplate: false,
  npmignoreEnabled: false,
  gitignore: [
    '/build/',
    '/lib/',
    '/dist/',
    '/tsconfig.json',
    '.jsii',
    '*.tgz',
    'cdk8s.out',
    '/test-reports/',
    '!/test/**',
    '!/bench/**',
  ],
});

project.package.addField('engines', { node: '>= 22' });
// also how a program inside this checkout finds the package by its name
const entry = (name: string): object => ({ types: `./lib/${name}.d.ts`, default: `./lib/${name}.js` });
const entries = ['pulumi', 'client', 'testing'];
project.package.addField('exports', {
  '.': entry('index'),
  ...Object.fromEntries(entries.map((name) => [`./${name}`, entry(`${name}/index`)])),
  './imports/*': './imports/*',
  './.jsii': './.jsii',
  './package.json': './package.json',
});
// for TypeScript with moduleResolution node10, as Pulumi's own template has
project.package.addField('typesVersions', {
  '*': Object.fromEntries(entries.map((name) => [name, [`./lib/${name}/index.d.ts`]])),
});
project.package.addField('files', ['lib', 'bin', 'build', 'imports', '.jsii', 'API.md']);
project.package.addBin({ virt8s: 'bin/virt8s', 'kubectl-virt': 'bin/kubectl-virt' });
project.package.addField('jest', {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.[cm]?[jt]sx?$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript', decorators: true } } },
    ],
  },
  // what users import, from the sources of this checkout
  moduleNameMapper: {
    '^virt8s$': '<rootDir>/src/index.ts',
    '^virt8s/(pulumi|client|testing)$': '<rootDir>/src/$1/index.ts',
  },
  // several dependencies are ESM only; these are not, and google-protobuf does not survive the transformation
  transformIgnorePatterns: ['/node_modules/(@pulumi|google-protobuf)/'],
  // integration and e2e share one machine's network, cgroups and CPUs
  maxWorkers: 2,
});

new JsonFile(project, '.prettierrc.json', {
  marker: false,
  obj: { singleQuote: true, printWidth: 120, tabWidth: 2, trailingComma: 'all' },
});
new TextFile(project, '.prettierignore', {
  marker: true,
  lines: [
    'API.md',
    '*.md',
    'lib',
    'build',
    'imports',
    '**/generated/**',
    'package-lock.json',
    'tsconfig*.json',
    '.projen',
    'cdk8s.out',
  ],
});

const run = (name: string, description: string, exec: string): void => {
  const old = project.tasks.tryFind(name);
  if (old) old.reset(exec, { receiveArgs: true });
  else project.addTask(name, { description, exec, receiveArgs: true });
};
run('library', 'Build lib/: what users import', 'tsx scripts/library.ts');
run('bundle', 'Bundle the command and each runtime component into build/', 'tsx scripts/bundle.ts');
run('generate', 'Regenerate everything that comes from api/schema, .proto and .x files', 'tsx scripts/generate.ts');
run(
  'lint',
  'ESLint (also holds the import directions) and Prettier',
  'sh -c "eslint . && prettier --check --log-level warn ."',
);
run('typecheck', 'Type check everything', 'tsc --noEmit -p tsconfig.dev.json');
run('test', 'Unit tests; scripts/test runs everything', 'jest --ci test/unit');
run('bench', 'Measure; --json FILE writes the figures', 'tsx bench/main.ts');

// One type check over everything; esbuild, swc and tsx emit, so modules resolve as bundlers do.
project.tryRemoveFile('test/tsconfig.json');
project.tryRemoveFile('projenrc/tsconfig.json');
new JsonFile(project, 'tsconfig.dev.json', {
  obj: {
    compilerOptions: {
      target: 'ES2024',
      lib: ['ES2024', 'ESNext.Disposable'],
      module: 'preserve',
      moduleResolution: 'bundler',
      types: ['node', 'jest'],
      strict: true,
      noEmit: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      noImplicitReturns: true,
      noFallthroughCasesInSwitch: true,
      esModuleInterop: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      // examples import the package by its name
      paths: { virt8s: ['./src/index.ts'], 'virt8s/*': ['./src/*/index.ts'] },
    },
    include: ['.projenrc.ts', 'src', 'test', 'bench', 'examples', 'scripts'],
    exclude: ['node_modules', '**/cdk8s.out'],
  },
});

// What jsii does not compile of the package, over its output (scripts/library.ts).
new JsonFile(project, 'tsconfig.entries.json', {
  obj: {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2024', 'ESNext.Disposable'],
      module: 'node16',
      rootDir: 'src',
      outDir: 'build/entries',
      declaration: true,
      strict: true,
      noEmitOnError: true,
      esModuleInterop: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      types: ['node'],
    },
    include: entries.map((name) => `src/${name}/index.ts`),
  },
});

project.synth();
