import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadSchemas } from '../../../scripts/schema/schemas';
import type { Crd } from '../../support/filled';

const checkout = resolve(__dirname, '../../..');

test('types, CRDs, schemas and imports match api/schema', () => {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate-api.ts', '--check'], {
    cwd: checkout,
    stdio: 'pipe',
  });
});

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

test('every type and every field has a description', () => {
  const silent = loadSchemas().flatMap((file) =>
    Object.entries(file.definitions).flatMap(([name, schema]) => [
      ...(schema.description ? [] : [`${file.name} ${name}`]),
      ...Object.entries(schema.properties ?? {})
        .filter(([field, { description }]) => !description && !['apiVersion', 'kind', 'metadata'].includes(field))
        .map(([field]) => `${file.name} ${name}.${field}`),
    ]),
  );
  expect(silent).toEqual([]);
});

test.each([
  ['kubevirts.kubevirt.io', 'v1* v1alpha3!'],
  ['virtualmachines.kubevirt.io', 'v1* v1alpha3!'],
  ['virtualmachineinstances.kubevirt.io', 'v1* v1alpha3!'],
  ['virtualmachineinstancemigrations.kubevirt.io', 'v1* v1alpha3!'],
  ['virtualmachineinstancereplicasets.kubevirt.io', 'v1* v1alpha3!'],
  ['virtualmachineinstancepresets.kubevirt.io', 'v1! v1alpha3*!'],
  ['virtualmachinepools.pool.kubevirt.io', 'v1alpha1 v1beta1*'],
  ['virtualmachinesnapshots.snapshot.kubevirt.io', 'v1alpha1 v1beta1*'],
  ['virtualmachinesnapshotcontents.snapshot.kubevirt.io', 'v1alpha1 v1beta1*'],
  ['virtualmachinerestores.snapshot.kubevirt.io', 'v1alpha1 v1beta1*'],
  ['virtualmachineclones.clone.kubevirt.io', 'v1alpha1 v1beta1*'],
  ['virtualmachineexports.export.kubevirt.io', 'v1beta1! v1*'],
  ['virtualmachinebackups.backup.kubevirt.io', 'v1alpha1*'],
  ['virtualmachinebackuptrackers.backup.kubevirt.io', 'v1alpha1*'],
  ['virtualmachineinstancetypes.instancetype.kubevirt.io', 'v1beta1*'],
  ['virtualmachineclusterinstancetypes.instancetype.kubevirt.io', 'v1beta1*'],
  ['virtualmachinepreferences.instancetype.kubevirt.io', 'v1beta1*'],
  ['virtualmachineclusterpreferences.instancetype.kubevirt.io', 'v1beta1*'],
  ['migrationpolicies.migrations.kubevirt.io', 'v1alpha1*'],
  ['plugins.plugin.kubevirt.io', 'v1alpha1*'],
  ['virtualmachinetemplates.template.kubevirt.io', 'v1alpha1*! v1beta1'],
  ['virtualmachinetemplaterequests.template.kubevirt.io', 'v1alpha1*! v1beta1'],
  ['cdis.cdi.kubevirt.io', 'v1alpha1 v1beta1*'],
  ['cdiconfigs.cdi.kubevirt.io', 'v1beta1*'],
  ['datavolumes.cdi.kubevirt.io', 'v1beta1*'],
  ['datasources.cdi.kubevirt.io', 'v1beta1*'],
  ['dataimportcrons.cdi.kubevirt.io', 'v1beta1*'],
  ['storageprofiles.cdi.kubevirt.io', 'v1beta1*'],
  ['objecttransfers.cdi.kubevirt.io', 'v1beta1*'],
  ['volumeimportsources.cdi.kubevirt.io', 'v1beta1*'],
  ['volumeuploadsources.cdi.kubevirt.io', 'v1beta1*'],
  ['volumeclonesources.cdi.kubevirt.io', 'v1beta1*'],
  ['ovirtvolumepopulators.forklift.cdi.kubevirt.io', 'v1beta1*'],
  ['openstackvolumepopulators.forklift.cdi.kubevirt.io', 'v1beta1*'],
])('%s is served as %s (* stored, ! deprecated)', (name, versions) => {
  const found = crds.find(({ metadata }) => metadata.name === name)!;
  const notes = found.spec.versions.map(
    (version) => version.name + (version.storage ? '*' : '') + (version.deprecated ? '!' : ''),
  );
  expect(notes.join(' ')).toBe(versions);
});
