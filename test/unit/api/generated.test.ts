import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const checkout = resolve(__dirname, '../../..');

test('types, CRDs, schemas and imports are what api/schema says', () => {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate-api.ts', '--check'], {
    cwd: checkout,
    stdio: 'pipe',
  });
});

interface Crd {
  metadata: { name: string };
  spec: { versions: { name: string; subresources?: object; schema: { openAPIV3Schema: unknown } }[] };
}

const crds = JSON.parse(readFileSync(resolve(checkout, 'src/api/generated/crds.json'), 'utf8')) as Crd[];

test('CRDs are compact: no prose, nothing closed, nothing that only we understand', () => {
  const text = JSON.stringify(crds);
  expect(text).not.toMatch(/"description":"|"additionalProperties":false|"x-enum"|"\$ref"/);
});

test('a VMI has no status subresource: its status is written with it', () => {
  const subresources = Object.fromEntries(
    crds.map(({ metadata, spec }) => [metadata.name, Object.keys(spec.versions[0].subresources ?? {})]),
  );
  expect(subresources).toMatchObject({
    'virtualmachines.kubevirt.io': ['status'],
    'virtualmachineinstances.kubevirt.io': [],
    'virtualmachineinstancereplicasets.kubevirt.io': ['scale', 'status'],
  });
});
