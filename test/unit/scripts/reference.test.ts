import { referenceOf } from '../../../scripts/schema/reference';
import type { SchemaFile } from '../../../scripts/schema/schemas';

const file: SchemaFile = {
  name: 'zoo.example_v1',
  title: 'zoo.example/v1',
  description: 'Animals.',
  'x-group': 'zoo.example',
  'x-version': 'v1',
  definitions: {
    Cage: {
      description: 'Where animals live.',
      'x-kubernetes-kind': {
        plural: 'cages',
        shortNames: ['cg'],
        categories: ['all'],
        scope: 'Cluster',
        subresources: { status: {} },
        labels: {},
        printerColumns: [{ name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' }],
        versions: [
          { name: 'v1beta1', storage: false, deprecated: true },
          { name: 'v1', storage: true },
        ],
      },
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: { $ref: '#/definitions/CageSpec' },
      },
    },
    CageSpec: {
      description: 'What is in it.',
      type: 'object',
      additionalProperties: false,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'spec is immutable' }],
      properties: {
        bars: { description: 'How many. Default: 12, or 1.5 in a pinch.', type: 'integer', minimum: 1, maximum: 99 },
        colour: { description: 'Paint.', type: 'string', default: 'grey' },
        mood: { description: 'A | B.', type: 'string', 'x-enum': ['calm', 'wild'] },
        lock: { type: 'string', enum: ['open', 'shut'] },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
        names: { type: 'array', items: { type: 'string' } },
        empty: { $ref: '#/definitions/Nothing' },
      },
    },
    Nothing: { type: 'object', additionalProperties: false },
  },
};

const page = referenceOf([file]).get('docs/reference/zoo.example.md')!;

test.each([
  ['the versions', '- Versions: v1beta1 (deprecated), **v1** (stored)'],
  ['what it belongs to', '- Belongs to: the cluster'],
  ['all its names', '- Names: `cages`, `cage`, `cg`'],
  ['its columns', '- Columns: Age (`.metadata.creationTimestamp`)'],
  ['a required field with a link', '| `spec` **required** | [CageSpec](#cagespec) |  |  |  | CRD |'],
  ['a default in the prose as a column', '| `bars` | integer | 12, or 1.5 in a pinch | 1 to 99 | How many. | CRD |'],
  ["the API server's default as code", '| `colour` | string | `"grey"` |  | Paint. |  |'],
  [
    'values that the webhook checks, and text that a table needs escaped',
    '| `mood` | string |  | `calm`, `wild` | A \\| B. | webhook |',
  ],
  ['values that the CRD checks', '| `lock` | string |  | `open`, `shut` |  | CRD |'],
  ['maps and lists', '| `tags` | map of string |  |  |  |  |\n| `names` | list of string |'],
  ['a type without fields', '### Nothing\n\nHas no fields.'],
  ['rules of the CRD', '- spec is immutable: `self == oldSelf`'],
])('a page has %s', (_, text) => expect(page).toContain(text));

test('omits the fields that every object has', () => {
  expect(page).not.toContain('`apiVersion`');
  expect(page).not.toContain('`metadata`');
});
