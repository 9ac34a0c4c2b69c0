import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterConfig } from '../../../src/api';
import { documentsOf } from '../../../src/cli/manifests/documents';
import { contextWith } from '../../../src/cli/render/cluster';
import { check } from '../../../src/cli/validate/check';
import { problemsOf } from '../constructs/platform/kubernetes-schema';
import {
  apps,
  checkout,
  environment,
  examples,
  fileOf,
  golden,
  objectsOf,
  reviewed,
  synthesized,
  twins,
  writtenBy,
  type Manifest,
} from './examples';

/** Kinds of others, whose schemas are not here. */
const OF_OTHERS = [
  'argoproj.io/v1alpha1 Application',
  'k8s.cni.cncf.io/v1 NetworkAttachmentDefinition',
  'monitoring.coreos.com/v1 PrometheusRule',
  'monitoring.coreos.com/v1 ServiceMonitor',
  'kustomize.toolkit.fluxcd.io/v1 Kustomization',
  'source.toolkit.fluxcd.io/v1 GitRepository',
];

const nameOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`;

describe.each(apps)('%s', (example) => {
  test('renders the reviewed golden, byte for byte', () => {
    const now = synthesized(example);
    expect(now).toEqual(golden(example, now));
  });

  test('passes admission, without a warning', () => {
    const objects = objectsOf(example);
    const config = clusterConfig(objects.find(({ kind }) => kind === 'KubeVirt'));
    const context = contextWith(config, objects);
    const checked = Object.values(synthesized(example)).flatMap((text) =>
      documentsOf(text).map((document) => check(document, context)),
    );
    expect(checked.length).toBe(objects.length);
    expect(checked.flatMap(({ findings }) => findings)).toEqual([]);
    // every other kind is validated against the schemas of Kubernetes or is listed
    const unvalidated = objects.filter((object, i) => checked[i]!.state === 'other' && !problemsOf(object));
    const kinds = new Set(unvalidated.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
    expect(OF_OTHERS).toEqual(expect.arrayContaining([...kinds]));
  });

  test("holds only fields that Kubernetes' own kinds have", () => {
    const problems = objectsOf(example).flatMap((object) =>
      (problemsOf(object) ?? []).map((problem) => `${nameOf(object)}${problem}`),
    );
    expect(problems).toEqual([]);
  });

  test('names each object once, and no password or private key', () => {
    const objects = objectsOf(example);
    const names = objects.map((object) => `${object.apiVersion} ${object.metadata.namespace ?? ''} ${nameOf(object)}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(Object.values(synthesized(example)).join()).not.toMatch(/PRIVATE KEY|\bpassword: |\bpasswd: /);
  });

  test('has the settings of all examples', () => {
    const files = ['cdk8s.yaml', 'tsconfig.json'] as const;
    for (const file of files) {
      const own = readFileSync(fileOf(example, file), 'utf8').replace('"*.ts"', '"main.ts"');
      expect([file, own]).toEqual([file, readFileSync(fileOf('hello-vm', file), 'utf8')]);
    }
  });
});

test('CI never overwrites a golden', () => {
  const { env } = process;
  process.env = { ...env, CI: 'true', UPDATE_GOLDENS: '1' };
  try {
    expect(() => golden('hello-vm', {})).toThrow('UPDATE_GOLDENS is set in CI');
  } finally {
    process.env = env;
  }
});

test('a golden belongs to an example', () => {
  expect(reviewed().filter((name) => !apps.includes(name))).toEqual([]);
});

// of one file, and of folders
test('a user who runs them gets the same: by Node.js, and by cdk8s', async () => {
  const [byNode, byCdk8s] = await Promise.all([
    writtenBy('hello-vm', () => ['node', '--import', 'tsx', 'main.ts']),
    writtenBy('gitops', (outdir) => ['cdk8s', 'synth', '--output', outdir]),
  ]);
  expect(byNode).toEqual(synthesized('hello-vm'));
  expect(byCdk8s).toEqual(synthesized('gitops'));
});

describe('README', () => {
  test.each(apps)('of %s names the namespaces and Secrets that must exist', (example) => {
    const objects = objectsOf(example);
    const made = new Set(objects.map(nameOf));
    const namespaces = objects.flatMap(({ metadata }) => metadata.namespace ?? []);
    const secrets = [
      ...JSON.stringify(objects).matchAll(/"(?:secretName|secretKeyRef":{"key":"\w+","name)":"([^"]+)"/g),
    ];
    const needed = [
      ...namespaces.map((name) => `Namespace/${name}`),
      ...secrets.map(([, name]) => `Secret/${name}`),
    ].filter((name) => !made.has(name) && name !== 'Namespace/kube-system');
    const text = readFileSync(fileOf(example, 'README.md'), 'utf8');
    const isNamed = (name: string): boolean =>
      new RegExp(`create (namespace|secret generic|secret tls) ${name}\\b|\`${name}\``).test(text);
    const unnamed = [...new Set(needed)].filter((name) => !isNamed(name.split('/')[1]!));
    // a KubeVirt object changes a platform that is there
    expect(unnamed).toEqual(example === 'gpu-sriov' ? ['Namespace/kubevirt'] : []);
  });

  test.each(examples)('of %s has its name, is short, and links its program', (example) => {
    const text = readFileSync(fileOf(example, 'README.md'), 'utf8');
    expect(text).toMatch(new RegExp(`^# ${example}\n`));
    expect(text.split('\n').length).toBeLessThanOrEqual(28);
    expect(text).toContain(twins.includes(example) ? '(index.ts)' : '(main.ts)');
    // what runs of it today
    expect(text).toMatch(/\btoday\b/i);
  });
});

describe('docs/examples.md', () => {
  const page = readFileSync(join(checkout, 'docs/examples.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ['))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, link = '', , kinds = '', runs = '']) => ({ link, kinds, runs }));

  test('has a row for each example, in their order', () => {
    expect(rows.map(({ link }) => link)).toEqual(examples.map((name) => `[${name}](../examples/${name})`));
  });

  test.each(apps)('names the kinds of %s', (example) => {
    const { kinds } = rows.find(({ link }) => link.startsWith(`[${example}]`))!;
    const made = new Set(objectsOf(example).map(({ kind }) => kind as string));
    expect(kinds.split(', ').sort()).toEqual([...made].sort());
  });

  test('lists for each whether it runs today, and what is missing', () => {
    for (const { runs } of rows) expect(runs).toMatch(/^(yes(, without \S.+)?|(no|partly): \S.+)$/);
  });
});

test('no golden depends on the environment of a developer', () => {
  for (const name of ['GUEST_IMAGE', 'JOB_IMAGE']) expect(environment('/out')).not.toHaveProperty(name);
  expect(JSON.stringify(objectsOf('hello-vm'))).toContain('virt8s-examples');
});
