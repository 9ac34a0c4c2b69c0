import { compactSchemas } from '../../../scripts/schema/compact';
import { crdOf } from '../../../scripts/schema/crd';
import type { Kind, Schema, SchemaFile } from '../../../scripts/schema/schemas';
import { moduleName, typesOf } from '../../../scripts/schema/typescript';
import type { Crd, StructuralSchema } from '../../support/filled';

const kind: Kind = {
  plural: 'cages',
  shortNames: [],
  categories: [],
  scope: 'Namespaced',
  subresources: {},
  labels: {},
  printerColumns: [],
  versions: [
    { name: 'v1alpha1', storage: true, deprecated: true, warning: 'v1alpha1 is deprecated' },
    { name: 'v1', storage: false },
  ],
};

const meta: SchemaFile = {
  name: 'meta_v1',
  title: '',
  description: '',
  'x-group': '',
  'x-version': 'v1',
  definitions: {
    ObjectMeta: { type: 'object', properties: { name: { type: 'string' } } },
    Time: { type: 'string', format: 'date-time' },
  },
};

const fields: Record<string, Schema> = {
  mood: { description: 'How it feels.', type: 'string', 'x-enum': ['calm', 'wild'] },
  since: { $ref: 'meta_v1.json#/definitions/Time', nullable: true },
  moods: { type: 'array', items: { type: 'string', enum: ['calm', 'wild'] } },
  default: { type: 'boolean', default: true },
  'x-y': { 'x-kubernetes-int-or-string': true },
};

const zoo: SchemaFile = {
  name: 'zoo.kubevirt.io_v1',
  title: '',
  description: '',
  'x-group': 'zoo.kubevirt.io',
  'x-version': 'v1',
  definitions: {
    Cage: {
      description: 'Where animals live.',
      'x-kubernetes-kind': kind,
      type: 'object',
      required: ['spec'],
      additionalProperties: false,
      properties: {
        metadata: { $ref: 'meta_v1.json#/definitions/ObjectMeta' },
        spec: { $ref: '#/definitions/Spec', 'x-kubernetes-map-type': 'atomic' },
      },
    },
    Spec: { type: 'object', required: ['mood'], additionalProperties: false, properties: fields },
  },
};

const crd = (audience: 'server' | 'import'): Crd => crdOf([meta, zoo], zoo, 'Cage', kind, audience) as Crd;
const schemaOf = ({ spec }: Crd): StructuralSchema => spec.versions[0].schema.openAPIV3Schema;

describe('a CRD', () => {
  test('for the server has every version, with its warning', () => {
    expect(crd('server').spec.versions).toMatchObject([
      { name: 'v1alpha1', storage: true, deprecated: true, deprecationWarning: 'v1alpha1 is deprecated' },
      { name: 'v1', storage: false },
    ]);
  });

  test('for an import has the version that is meant for new manifests', () => {
    expect(crd('import').spec.versions.map(({ name, storage }) => ({ name, storage }))).toEqual([
      { name: 'v1', storage: true },
    ]);
  });

  test('has references filled in, nothing closed, and leaves metadata to the server', () => {
    expect(schemaOf(crd('server')).properties).toEqual({
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['mood'],
        'x-kubernetes-map-type': 'atomic',
        properties: {
          mood: { type: 'string' },
          since: { type: 'string', format: 'date-time', nullable: true },
          moods: { type: 'array', items: { type: 'string', enum: ['calm', 'wild'] } },
          default: { type: 'boolean', default: true },
          'x-y': { 'x-kubernetes-int-or-string': true },
        },
      },
    });
  });

  test('for an import is documented, and knows the values that the webhook checks', () => {
    const { spec } = schemaOf(crd('import')).properties!;
    expect(spec.properties!.mood).toEqual({ type: 'string', description: 'How it feels.', enum: ['calm', 'wild'] });
  });

  test('names a reference to nothing with its file', () => {
    const broken = { ...zoo, definitions: { Cage: { properties: { spec: { $ref: '#/definitions/Gone' } } } } };
    expect(() => crdOf([broken], broken, 'Cage', kind)).toThrow(
      'api/schema/zoo.kubevirt.io_v1.json: #/definitions/Gone does not exist',
    );
  });
});

test.each([
  ['kubevirt.io_v1', 'kubevirt-v1'],
  ['upload.cdi.kubevirt.io_v1beta1', 'upload-cdi-v1beta1'],
  ['core_v1', 'core-v1'],
])('types of %s are in %s', (file, module) => expect(moduleName(file)).toBe(module));

test('types are unions, lists and optional fields; metadata is written by hand', async () => {
  expect(await typesOf(zoo))
    .toBe(`// Generated from api/schema/zoo.kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { Time } from './meta-v1';

/**
 * Where animals live.
 */
export interface Cage extends KubeObject {
  spec: Spec;
}

export interface Spec {
  /**
   * How it feels.
   */
  mood: 'calm' | 'wild';
  since?: Time | null;
  moods?: ('calm' | 'wild')[];
  default?: boolean;
  'x-y'?: number | string;
}
`);
});

test('a type of another module is imported, under another name where both modules have it', async () => {
  const ref = (name: string): Schema => ({ $ref: `meta_v1.json#/definitions/${name}` });
  const park: SchemaFile = {
    ...zoo,
    definitions: {
      Time: { type: 'object', properties: { opens: { ...ref('Time'), description: 'In the morning.' } } },
      // a reference with siblings is still the one type
      Visit: { type: 'object', properties: { at: { $ref: '#/definitions/Time', 'x-kubernetes-map-type': 'atomic' } } },
    },
  };
  const text = await typesOf(park);
  expect(text).toContain("import type { Time as OtherTime } from './meta-v1';");
  expect(text).toContain('opens?: OtherTime;');
  expect(text).toContain('at?: Time;');
  expect(text.match(/^export (interface|type) \w+/gm)).toEqual(['export interface Time', 'export interface Visit']);
});

test('schemas for validators are indexed by group and version, without descriptions', () => {
  const text = compactSchemas([meta, zoo]);
  expect(text).toContain("'zoo.kubevirt.io/v1alpha1': 'zoo.kubevirt.io_v1'");
  expect(text).toContain("'zoo.kubevirt.io/v1': 'zoo.kubevirt.io_v1'");
  expect(text).not.toMatch(/feels|x-enum|x-kubernetes-kind|date-time/);
});
