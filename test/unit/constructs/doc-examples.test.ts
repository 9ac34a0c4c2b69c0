import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as cdk8s from 'cdk8s';
import type { App } from 'cdk8s';
import * as virt8s from '../../../src';
import { IMAGE_PROPERTIES, LOCK_VERSION } from '../../../src/constructs/platform/image-lock';
import { docExamples, programOfExamples } from '../../support/doc-examples';
import { typeErrors } from '../../support/type-errors';

/** The examples of docstrings, as one program: each compiles, runs, and makes manifests that the rules accept. */
const checkout = resolve(__dirname, '../../..');
// beside the other examples, where it finds the packages
const folder = mkdtempSync(join(checkout, 'examples/.doc-examples-'));
const before = process.cwd();
// examples name files relative to the working directory
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const examples = docExamples(join(checkout, 'src/constructs'));
const file = join(folder, 'examples.ts');
const program = programOfExamples(examples, { cdk8s: Object.keys(cdk8s), virt8s: Object.keys(virt8s) });
writeFileSync(file, program);
const digest = `sha256:${'0'.repeat(64)}`;
const images = Object.fromEntries(Object.keys(IMAGE_PROPERTIES).map((name) => [name, digest]));
writeFileSync(
  join(folder, 'images.lock.json'),
  JSON.stringify({ lockVersion: LOCK_VERSION, registry: 'registry.example/virt8s', tag: 'v1', images }),
);
// components are passed to each other as constructs are
writeFileSync(
  join(folder, 'components.ts'),
  `import { Disk, GuestDisruptionBudget, Size, VirtualMachine, VirtualMachineSnapshot, VmPort, VmService } from 'virt8s/pulumi';
const vm = new VirtualMachine('web', { memory: Size.gibibytes(1), disks: [Disk.containerDisk('registry.example/os:1'), Disk.blank(Size.gibibytes(10))] });
new VmService('ssh', { target: vm, ports: [VmPort.SSH] });
new GuestDisruptionBudget('budget', { target: vm, minAvailable: 1 });
new VirtualMachineSnapshot('before', { source: vm });
`,
);

test('every example, and components that name each other, compile with exactOptionalPropertyTypes', () => {
  const tsconfig = JSON.parse(readFileSync(join(checkout, 'tsconfig.dev.json'), 'utf8'));
  const { paths } = tsconfig.compilerOptions as { paths: Record<string, string[]> };
  const own = Object.fromEntries(Object.entries(paths).map(([name, [path]]) => [name, [`../../${path}`]]));
  const compilerOptions = {
    paths: own,
    noUnusedLocals: false,
    noUnusedParameters: false,
    exactOptionalPropertyTypes: true,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.dev.json', compilerOptions, include: ['*.ts'], exclude: [] }),
  );
  expect(typeErrors(folder)).toBe('');
});

test('examples are short', () => {
  const long = examples.filter(({ text }) => text.split('\n').length > 12);
  expect(long.map(({ name }) => name)).toEqual([]);
});

test('every example makes manifests that the rules accept', () => {
  // nobody reads the text of manifests, which takes most of the time; the rules read that of cloud-init
  const stringify = cdk8s.Yaml.stringify.bind(cdk8s.Yaml);
  const isManifest = (document: unknown): boolean =>
    typeof document === 'object' && document !== null && 'apiVersion' in document && 'kind' in document;
  const text = jest
    .spyOn(cdk8s.Yaml, 'stringify')
    .mockImplementation((...documents) => (documents.every(isManifest) ? '' : stringify(...documents)));
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- made above
  const made = (require(file) as { readonly examples: Record<string, () => App> }).examples;
  const wrong = Object.entries(made).flatMap(([name, make]) => {
    try {
      make().synthYaml();
      return [];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
  expect(text).toHaveBeenCalled();
  text.mockRestore();
  expect(wrong).toEqual([]);
});
