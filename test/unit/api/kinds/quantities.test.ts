import { admissionOf } from '../../../../src/api';
import type { KubeObject } from '../../../../src/api';
import crds from '../../../../src/api/generated/crds.json';
import type { Crd, StructuralSchema } from '../../../support/filled';
import { placesOf, within } from '../../../support/places';
import { configured, context, created } from './fixtures';

const isQuantity = (schema: StructuralSchema): boolean =>
  Boolean(schema['x-kubernetes-int-or-string'] && schema.pattern) ||
  (typeof schema.additionalProperties === 'object' && isQuantity(schema.additionalProperties));

const places = (crds as unknown as Crd[]).flatMap((crd) => {
  const { name, schema } = crd.spec.versions.find(({ storage }) => storage) ?? crd.spec.versions[0];
  const apiVersion = `${crd.spec.group}/${name}`;
  const { kind } = crd.spec.names;
  if (!admissionOf({ apiVersion, kind })) return [];
  return placesOf(schema.openAPIV3Schema, isQuantity).map((place) => ({
    title: `${kind} ${place.path.join('.')}`,
    apiVersion,
    kind,
    schema: schema.openAPIV3Schema,
    place,
  }));
});

const notQuantities: readonly unknown[] = [
  '',
  ' ',
  '-',
  '.',
  'Gi',
  '1Gi ',
  '1gi',
  '0x1',
  '1e9999',
  '١',
  -1,
  1.5,
  1e300,
  '-0',
];
const cluster = context({ config: configured({ vmRolloutStrategy: 'LiveUpdate' }) });

test('there are quantities in many kinds', () => {
  expect(new Set(places.map(({ kind }) => kind)).size).toBeGreaterThan(10);
});

test.each(places)('$title never makes a rule throw', ({ apiVersion, kind, schema, place }) => {
  for (const value of notQuantities) {
    const make = (): unknown => (place.schema.additionalProperties ? { memory: value, cpu: value } : value);
    const body = within(schema, place.path, make) as object;
    const object = { ...body, apiVersion, kind, metadata: { name: 'x', namespace: 'default' } } as KubeObject;
    const rules = admissionOf(object)!;
    const stored = rules.mutate?.(object, cluster) ?? object;
    rules.create(stored, cluster);
    rules.update?.(stored, { ...object, spec: {} } as KubeObject, cluster);
    rules.warnings?.(stored, cluster);
  }
});

test.each(['', ' ', 'x'])('a pool whose guests have a memory of %j is rejected by its shape', (guest) => {
  const pool = {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'x', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'x' } },
      virtualMachineTemplate: {
        metadata: { labels: { app: 'x' } },
        spec: {
          runStrategy: 'Always',
          template: { spec: { domain: { devices: {}, memory: { guest, maxGuest: '2Gi' } } } },
        },
      },
    },
  };
  expect(created(pool, cluster)).toEqual([
    'schema-quantity spec.virtualMachineTemplate.spec.template.spec.domain.memory.guest',
  ]);
});
