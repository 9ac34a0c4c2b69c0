/**
 * Carries out the steps of CONTRIBUTING.md in a copy of the sources.
 *
 * @tier all
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { CheckoutCopy, type Outcome } from '../../support/checkout-copy';

const checkout = resolve(__dirname, '../../..');
const page = readFileSync(join(checkout, 'CONTRIBUTING.md'), 'utf8');

/** Steps of a section, by its heading. */
const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
  }[];
}

/** Tests of the first steps of a field, a verb and a gate without any other change; they run in the copy. */
const WALK = `
import { clusterConfig, mutateVirtualMachineInstance, validateVirtualMachineInstanceCreate } from '../../src/api';
import { contextOf } from '../../src/api/context';
import { impactOf } from '../../src/api/live-update';
import { lackedBy } from '../../src/api/versions/target';
import { complete } from '../../src/cli/complete';
import { createProgram } from '../../src/cli/program';
import { rejectUnsupported } from '../../src/runtime/launcher/vm/supported-fields';
import { configured, validVmi } from './api/fixtures';

const withBuzzer = (buzzer) => {
  const vmi = validVmi();
  vmi.spec.domain.devices.buzzer = buzzer;
  return vmi;
};

test('the webhook accepts the field with a value of its type only', () => {
  const config = configured({});
  const stored = (buzzer) => mutateVirtualMachineInstance(withBuzzer(buzzer), config);
  const rules = (buzzer) => validateVirtualMachineInstanceCreate(stored(buzzer), config).map(({ rule, path }) => rule + ' ' + path);
  expect(rules(true)).toEqual([]);
  expect(rules('loud')).toEqual(['schema-type spec.domain.devices.buzzer']);
});

test('the launcher rejects the field until it supports it', () => {
  expect(() => rejectUnsupported(withBuzzer(true))).toThrow('spec.domain.devices.buzzer');
});

test('a change of the field waits for a restart', () => {
  const vm = (buzzer) => ({
    apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'a' },
    spec: { runStrategy: 'Always', template: { spec: withBuzzer(buzzer).spec } },
  });
  const field = ['spec', 'template', 'spec', 'domain', 'devices', 'buzzer'];
  expect(impactOf(field, vm(false), vm(true), contextOf(clusterConfig())).effect).toBe('restart');
});

test('a gate can be enabled, and older versions lack it', () => {
  const developerConfiguration = { featureGates: ['Buzzer'] };
  expect(configured({}).hasGate('Buzzer')).toBe(false);
  expect(configured({ developerConfiguration }).hasGate('Buzzer')).toBe(true);
  const kubeVirt = { apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: { name: 'a' }, spec: { configuration: { developerConfiguration } } };
  expect(lackedBy({ minor: 8 }, kubeVirt)).toHaveLength(1);
  expect(lackedBy({ minor: 9 }, kubeVirt)).toEqual([]);
});

test('a verb completes its argument', async () => {
  expect(await complete(createProgram(), ['hibernate', 'w'], false, async () => ['web'])).toBe('web\\n:4\\n');
});
`;

describe('the steps', () => {
  let copy: CheckoutCopy;
  let generated: Outcome;
  /** Messages of the failed tests of a file. */
  function failuresOf(file: string): string[] {
    const { testResults } = JSON.parse(copy.read('report.json')) as Report;
    const result = testResults.find(({ name }) => name.endsWith(file))!;
    return result.assertionResults.flatMap(({ failureMessages }) => failureMessages.slice(0, 1));
  }

  beforeAll(() => {
    copy = new CheckoutCopy();
    const property = '"buzzer": { "description": "Whether the guest has a buzzer.", "type": "boolean" },\n        ';
    copy.insert('api/schema/kubevirt.io_v1.json', property, '"sound": {');
    addKind();
    generated = copy.run('tsx', 'scripts/generate-api.ts');

    const row =
      "nvme: { accepted: ['disk', 'lun'], attached: ['disk', 'lun'], pluggable: [], arm64: false, prefix: 'sd', serial: 20 },\n  ";
    copy.insert('src/api/disk-buses.ts', row, 'usb: {');
    copy.insert('src/api/findings/rules/object.ts', "'buzzer-gate': {},\n  ", "'certificate-duration'");
    copy.insert('src/api/feature-gates.ts', "Buzzer: { stage: 'alpha', since: 9 },\n  ", 'IOMMUFD: {');
    const command = copy.read('src/cli/commands/reboot.ts').replaceAll('addReboot', 'addHibernate');
    copy.write(
      'src/cli/commands/hibernate.ts',
      command.replaceAll(/soft-reboot|'reset'/g, (name) => (name === 'soft-reboot' ? 'hibernate' : "'thaw'")),
    );
    copy.insert('src/cli/program.ts', "import { addHibernate } from './commands/hibernate';\n", 'import { addImages }');
    copy.insert('src/cli/program.ts', 'addHibernate(program);\n  ', 'addConsole(program);');
    copy.write('test/unit/walk.test.ts', WALK);
    copy.run(
      'jest',
      ...[
        '--ci',
        '--runInBand',
        '--json',
        '--outputFile=report.json',
        'test/unit/walk.test.ts',
        'test/unit/constructs/compute/reach.test.ts',
      ],
      ...['test/unit/api/findings/rules.test.ts', 'test/unit/api/disk-buses.test.ts', 'test/unit/cli/program.test.ts'],
    );
  });
  afterAll(() => copy?.remove());

  /** A kind like MigrationPolicy, in the same group. */
  function addKind(): void {
    const path = 'api/schema/migrations.kubevirt.io_v1alpha1.json';
    const schema = JSON.parse(copy.read(path)) as { definitions: Record<string, Record<string, object>> };
    const { MigrationPolicy: model } = schema.definitions;
    const served = { ...model!['x-kubernetes-kind'], plural: 'migrationwindows' };
    schema.definitions.MigrationWindow = { ...model, 'x-kubernetes-kind': served };
    copy.write(path, JSON.stringify(schema));
  }

  /** Errors of the compiler in the files of the copy that contain a text. */
  function compileErrors(text: string): Record<string, string[]> {
    const { config } = ts.readConfigFile(join(checkout, 'tsconfig.dev.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, copy.root);
    const files = ts.sys
      .readDirectory(join(copy.root, 'src'), ['.ts'])
      .filter((file) => readFileSync(file, 'utf8').includes(text));
    const program = ts.createProgram(files, {
      ...options,
      types: ['node'],
      typeRoots: [join(checkout, 'node_modules/@types')],
    });
    const errors: Record<string, string[]> = {};
    for (const file of files) {
      const found = program.getSemanticDiagnostics(program.getSourceFile(file));
      const messages = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
      if (messages.length > 0) errors[file.slice(copy.root.length + 1)] = messages;
    }
    return errors;
  }

  test('of a field generate its types, CRD, import and reference page', () => {
    expect(generated).toMatchObject({ status: 0 });
    expect(copy.read('src/api/generated/kubevirt-v1.ts')).toContain('buzzer?: boolean;');
    const others = ['src/api/generated/crds.json', 'imports/kubevirt.io.yaml', 'docs/reference/kubevirt.io.md'];
    for (const file of others) expect(copy.read(file)).toContain('buzzer');
  });

  test('of a field end with a construct: a test names fields that none reaches', () => {
    expect(failuresOf('compute/reach.test.ts')).toEqual([expect.stringContaining('domain.devices.buzzer')]);
  });

  test('of a kind are reported by the compiler, in each file that needs an entry', () => {
    const errors = compileErrors('KindName');
    const steps = [...section('A kind').matchAll(/^\d\. `(\S+)` \(`(rulesOfKinds|ofKinds|ours)`\)/gm)].map(
      ([, file]) => file,
    );
    expect(steps).toHaveLength(3);
    expect(Object.keys(errors).sort()).toEqual(steps.sort());
    for (const messages of Object.values(errors)) {
      expect(messages).toEqual([expect.stringContaining("Property 'MigrationWindow' is missing")]);
    }
  });

  test('of a rule are reported until the rule exists', () => {
    expect(failuresOf('findings/rules.test.ts')).toEqual([expect.stringContaining('buzzer-gate')]);
  });

  test('of a disk bus are reported one by one', () => {
    // the schema for disks, for LUNs and for preferences; the constant; the guide
    expect(failuresOf('api/disk-buses.test.ts')).toHaveLength(5);
  });

  test('of a gate and a verb, and the first of a field, need no other change', () => {
    expect([failuresOf('unit/walk.test.ts'), failuresOf('cli/program.test.ts')]).toEqual([[], []]);
  });

  test('of a guest are its folder: the program that builds images finds it', () => {
    expect(section('A guest image')).toContain('`guests/NAME/build`');
    copy.write('guests/robot/build', '#!/bin/sh\n');
    expect(copy.run('tsx', 'scripts/images.ts', 'none').text).toMatch(/there are: .*\brobot\b/);
  });
});
