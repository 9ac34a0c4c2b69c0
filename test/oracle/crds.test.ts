import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { startOracle, type Oracle } from '../../scripts/oracle/server';
import { clusterConfig, mutateVirtualMachine, mutateVirtualMachineInstance, validateSchema } from '../../src/api';
import { Loose, validVm, validVmi } from '../unit/api/fixtures';

const crds: Loose[] = JSON.parse(readFileSync(resolve(__dirname, '../../src/api/generated/crds.json'), 'utf8'));
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const objects = (plural: string): string =>
  `/apis/kubevirt.io/v1/namespaces/default/${plural}?fieldValidation=Strict&dryRun=All`;

// not part of scripts/test: needs Kubernetes' own server, built by scripts/oracle/build.sh
describe("Kubernetes' own CRD server", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await startOracle();
    for (const crd of crds) await oracle.send('POST', definitions, crd);
    for (let tries = 0; tries < 100; tries++) {
      if ((await oracle.send('POST', objects('virtualmachines'), validVm())).code === 201) return;
      await sleep(200);
    }
    throw new Error('VMs are not served within 20 s');
  }, 60_000);
  afterAll(() => oracle?.stop());

  test.each(crds.map((crd) => crd.metadata.name as string))('establishes %s as structural', async (name) => {
    const { body } = await oracle.send('GET', `${definitions}/${name}`);
    const conditions = (body as Loose).status.conditions as { type: string; status: string }[];
    expect(Object.fromEntries(conditions.map(({ type, status }) => [type, status]))).toEqual({
      NamesAccepted: 'True',
      Established: 'True',
    });
  });

  test('keeps every field that defaulting writes', async () => {
    const config = clusterConfig();
    const vm = await oracle.send('POST', objects('virtualmachines'), mutateVirtualMachine(validVm(), config));
    const vmi = mutateVirtualMachineInstance(validVmi(), config);
    const stored = await oracle.send('POST', objects('virtualmachineinstances'), vmi);
    expect([vm.code, stored.code]).toEqual([201, 201]);
    expect(stored.body).toMatchObject({ spec: vmi.spec, status: vmi.status });
  });

  test('judges a broken VM as the schema tier does', async () => {
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
        expect(validateSchema(vm).length === 0).toBe(code === 201);
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
