import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { eventually, httpGet, TestEngine } from '../support/engine';

const examples = resolve(__dirname, '../../examples');
const goldens = resolve(__dirname, '../unit/examples/golden');

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
function reviewed(): any[] {
  const files = readdirSync(goldens, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const texts = files.sort().map((file) => readFileSync(join(goldens, file), 'utf8'));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJSON()));
}

/** The examples that run on the engine today, booted by the steps of their READMEs; demo.test.ts boots hello-vm. */
describe('an example on the engine', () => {
  const dist = mkdtempSync(join(tmpdir(), 'virt8s-examples-'));
  let engine: TestEngine;

  function synthesize(example: string): string {
    const outdir = join(dist, example);
    const env = { ...process.env, CDK8S_OUTDIR: outdir, GUEST_IMAGE: 'localhost/virt8s/tiny:latest' };
    execFileSync('node', ['--import', 'tsx', 'main.ts'], { cwd: join(examples, example), env });
    return outdir;
  }

  beforeAll(async () => void (engine = await TestEngine.start()));
  afterAll(async () => {
    await engine.down();
    rmSync(dist, { recursive: true });
    expect(await engine.leftovers()).toEqual([]);
  });

  test('instancetype-catalogue: its VMs boot with the sizes that they name', async () => {
    await engine.kubectl('apply', '-f', synthesize('instancetype-catalogue'));
    await Promise.all([engine.vmBecomes('web', 'Running'), engine.vmBecomes('build', 'Running')]);

    // the guest reports its own state, through the Service
    const { spec } = await engine.get('service', 'web');
    const page = await eventually(120_000, async () => {
      const text = await httpGet(spec.clusterIP);
      expect(text).toContain('vCPU');
      return text;
    });
    expect(page).toBe('sized by g1.nano\n1 vCPU\n');
    await eventually(120_000, async () => expect((await engine.guest('build')).hostname).toBe('build'));

    const sizes = (await engine.list('vmi')).map(({ metadata, spec: { domain } }) => [
      metadata.name,
      domain.cpu.sockets * domain.cpu.cores,
      domain.memory.guest,
    ]);
    expect(sizes.sort()).toEqual([
      ['build', 2, '1Gi'],
      ['web', 1, '512Mi'],
    ]);
    expect(await engine.list('virtualmachineclusterinstancetypes')).toHaveLength(5);
    // each VM keeps a copy of what it named: a size and a preference
    expect(await engine.list('controllerrevisions')).toHaveLength(4);
  });

  test('the others are admitted by its API server, which keeps every field', async () => {
    // objects whose types or devices the engine lacks are validated in the unit tests
    const served = reviewed().filter(
      ({ apiVersion }) => /^(\w+\.)?kubevirt\.io\//.test(apiVersion) && !/^cdi/.test(apiVersion),
    );
    const namespaces = [...new Set(served.flatMap(({ metadata }) => metadata.namespace ?? []))];
    await engine.mustApply(namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
    const refused: string[] = [];
    for (const object of served) {
      const args = ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-o', 'json', '-f', '-'];
      const { code, stdout, stderr } = await engine.run('kubectl', args, JSON.stringify(object));
      if (code === 0) expect(JSON.parse(stdout)).toMatchObject(object);
      else refused.push(stderr.trim());
    }
    // a DataSource is a kind of the importer
    expect(refused).toHaveLength(2);
    for (const message of refused) expect(message).toMatch(/"build-\d" is invalid: .* "fedora-42" not found/);
  });
});
