import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { startOracle, type Oracle } from '../../scripts/oracle/server';
import {
  clusterConfig,
  mutateVirtualMachine,
  mutateVirtualMachineInstance,
  validateSchema,
  withoutNulls,
} from '../../src/api';
import { type Crd, filledObject } from '../support/filled';
import { Loose, validVm, validVmi } from '../unit/api/fixtures';

const crds: Crd[] = JSON.parse(readFileSync(resolve(__dirname, '../../src/api/generated/crds.json'), 'utf8'));
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const objects = (plural: string): string =>
  `/apis/kubevirt.io/v1/namespaces/default/${plural}?fieldValidation=Strict&dryRun=All`;

/** Path of the objects of a version. */
function collection({ spec }: Crd, version: string, namespace = 'default'): string {
  const within = spec.scope === 'Namespaced' ? `/namespaces/${namespace}` : '';
  return `/apis/${spec.group}/${version}${within}/${spec.names.plural}`;
}

const served = crds.flatMap((crd) =>
  crd.spec.versions.map(
    (version) => [`${crd.spec.group}/${version.name} ${crd.spec.names.kind}`, crd, version] as const,
  ),
);

/** Manifests of the folder that VIRT8S_EXAMPLES names, with custom resources of ours only. */
const examples = ((folder) =>
  folder
    ? readdirSync(folder)
        .filter((file) => /\.ya?ml$/.test(file))
        .sort()
        .flatMap((file) =>
          parseAllDocuments(readFileSync(join(folder, file), 'utf8'))
            .map((document, i) => [`${file}#${i + 1}`, document.toJS() as Loose] as const)
            .filter(([, object]) => crdOf(object)),
        )
    : [])(process.env.VIRT8S_EXAMPLES);

function crdOf(object: Loose): Crd | undefined {
  const group = String(object?.apiVersion).split('/')[0];
  return crds.find(({ spec }) => spec.group === group && spec.names.kind === object.kind);
}

// not part of scripts/test: needs Kubernetes' own server, built by scripts/oracle/build.sh
describe("Kubernetes' own CRD server", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await startOracle();
    for (const crd of crds) await oracle.send('POST', definitions, crd);
    const paths = crds.flatMap((crd) => crd.spec.versions.map(({ name }) => collection(crd, name)));
    for (let tries = 0; tries < 200; tries++) {
      while (paths.length > 0 && (await oracle.send('GET', paths[0])).code === 200) paths.shift();
      if (paths.length === 0) return;
      await sleep(200);
    }
    throw new Error(`not served within 40 s: ${paths.join(', ')}`);
  }, 60_000);
  afterAll(() => oracle?.stop());

  test.each(crds.map((crd) => crd.metadata.name))('establishes %s as structural', async (name) => {
    const { body } = await oracle.send('GET', `${definitions}/${name}`);
    const conditions = (body as Loose).status.conditions as { type: string; status: string }[];
    expect(Object.fromEntries(conditions.map(({ type, status }) => [type, status]))).toEqual({
      NamesAccepted: 'True',
      Established: 'True',
    });
  });

  test.each(served)('keeps every field of a %s', async (_, crd, version) => {
    const object = filledObject(crd, version) as Loose;
    const path = `${collection(crd, version.name)}?fieldValidation=Strict&dryRun=All`;
    const { code, body } = await oracle.send('POST', path, object);
    expect({ code, message: body.message }).toEqual({ code: 201, message: undefined });
    expect((body as Loose).spec).toEqual(object.spec);
  });

  // VIRT8S_EXAMPLES names a folder outside this repository
  if (examples.length > 0)
    test.each(examples)('serves the example %s in every version', async (_, object: Loose) => {
      const crd = crdOf(object)!;
      const [, version] = object.apiVersion.split('/');
      const at = (of: string): string => collection(crd, of, object.metadata.namespace);
      const posted = await oracle.send('POST', `${at(version)}?fieldValidation=Strict`, object);
      expect({ code: posted.code, message: posted.body.message }).toEqual({ code: 201, message: undefined });
      for (const { name } of crd.spec.versions) {
        const { code, body } = await oracle.send('GET', `${at(name)}/${object.metadata.name}`);
        expect(code).toBe(200);
        expect(body).toMatchObject({ apiVersion: `${crd.spec.group}/${name}`, spec: withoutNulls(object.spec) });
      }
      await oracle.send('DELETE', `${at(version)}/${object.metadata.name}`);
    });

  test('keeps every field that defaulting writes', async () => {
    const config = clusterConfig();
    const vm = await oracle.send('POST', objects('virtualmachines'), mutateVirtualMachine(validVm(), config));
    const vmi = mutateVirtualMachineInstance(validVmi(), config);
    const stored = await oracle.send('POST', objects('virtualmachineinstances'), vmi);
    expect([vm.code, stored.code]).toEqual([201, 201]);
    expect(stored.body).toMatchObject({ spec: vmi.spec, status: vmi.status });
  });

  test('validates a broken VM as the schema tier does', async () => {
    const junk = fc.constantFrom<unknown>(
      null,
      0,
      1.5,
      '',
      'x',
      '1Gi',
      true,
      [],
      {},
      ['x'],
      [null],
      { x: 1 },
      { name: null },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), junk, async (where, value) => {
        const vm = validVm();
        const spots = slots(vm.spec);
        const { holder, key } = spots[where % spots.length];
        holder[key] = value;
        const { code } = await oracle.send('POST', objects('virtualmachines'), vm);
        // the CRD keeps everything in a template's metadata; the webhook does not
        const errors = validateSchema(vm).filter(({ path }) => !path.parts.slice(0, -1).includes('metadata'));
        expect(errors.length === 0).toBe(code === 201);
      }),
      { numRuns: 500 },
    );
  }, 120_000);
});

/** Every place of an object that holds a value. */
function slots(value: Loose): { holder: Loose; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [{ holder: value, key }, ...slots(value[key])]);
}
