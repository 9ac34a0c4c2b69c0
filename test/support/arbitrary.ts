import fc from './fast-check';
import type { StructuralSchema } from './filled';

const plainText = fc.constantFrom(
  'a',
  'root',
  'default',
  'x-1',
  'virtio',
  'a.example/b',
  '0',
  '1Gi',
  '52:54:00:00:00:01',
);
/** Text that has broken programs before. */
const nastyText = fc.oneof(
  { weight: 6, arbitrary: plainText },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '__proto__',
      'constructor',
      'toString',
      '😀',
      '../../etc',
      '-1',
      'null',
      '${a}',
      '<&">',
    ),
  },
);
/** No XML holds it. */
const controlText = fc.constantFrom('\0', '\x1b', '\ud800');
const hugeText = fc.constantFrom('x'.repeat(100_000), '['.repeat(10_000), 'ä'.repeat(70_000));
const keys = ['a', 'app', 'kubevirt.io/x', 'constructor', 'hasOwnProperty', 'toString'];
const amounts = ['1Gi', '128Mi', '1', '0', '1.5', '100m', '1e3', '1n', '0.000000001', 1, 0, 2048, 1.5];
const wrongType = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, true, -1, 1e300, [], {}, [[]], [null]));

/** Rate of invalid values: with 0, all match the schema. */
export interface Wildness {
  /** Number of values of another type, of 1000. */
  readonly wrongTypes: number;
  /** Number of huge texts, of 1000. */
  readonly hugeTexts: number;
  /** Whether there are keys that are not names, negative amounts, huge numbers, and control characters. */
  readonly extremes: boolean;
}

export const tame: Wildness = { wrongTypes: 0, hugeTexts: 0, extremes: false };
export const wild: Wildness = { wrongTypes: 15, hugeTexts: 3, extremes: true };

const key = ({ extremes }: Wildness) => fc.constantFrom(...keys, ...(extremes ? ['__proto__', '', 'a b'] : []));
const amount = ({ extremes }: Wildness) =>
  fc.constantFrom<string | number>(...amounts, ...(extremes ? ['-1', '9E', '8Ei', -1, 2 ** 53] : []));
const number = ({ extremes }: Wildness) =>
  fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(...(extremes ? [-1, 2 ** 31, -(2 ** 31), 2 ** 53] : [64])));

/** A JSON object with own keys only, also for keys like `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const made = {};
  for (const [key, value] of entries) {
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

/** Values that have the shape of a schema; required fields are there, of the others a few. */
export function shaped(
  schema: StructuralSchema & { required?: string[] },
  how: Wildness,
  depth = 0,
): fc.Arbitrary<unknown> {
  const value = ofType(schema, how, depth);
  if (how.wrongTypes === 0) return value;
  return fc.oneof(
    { weight: 1000 - how.wrongTypes, arbitrary: value },
    { weight: how.wrongTypes, arbitrary: wrongType },
  );
}

function ofType(
  schema: StructuralSchema & { required?: string[] },
  how: Wildness,
  depth: number,
): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema['x-kubernetes-int-or-string']) return schema.pattern ? amount(how) : fc.oneof(fc.integer(), nastyText);
  switch (schema.type) {
    case 'object':
      return ofObject(schema, how, depth);
    case 'array':
      return fc
        .integer({ min: 0, max: depth > 12 ? 0 : 2 })
        .chain((length) => fc.tuple(...Array.from({ length }, () => shaped(schema.items ?? {}, how, depth + 1))));
    case 'integer':
      return number(how);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'string':
      if (!how.extremes) return nastyText;
      return fc.oneof(
        { weight: 1000 - how.hugeTexts, arbitrary: nastyText },
        { weight: 50, arbitrary: controlText },
        { weight: how.hugeTexts, arbitrary: hugeText },
      );
    default:
      return wrongType;
  }
}

function ofObject(
  schema: StructuralSchema & { required?: string[] },
  how: Wildness,
  depth: number,
): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const values = additionalProperties;
  if (typeof values === 'object') {
    return fc
      .uniqueArray(key(how), { maxLength: 2 })
      .chain((chosen) =>
        fc
          .tuple(...chosen.map((key) => shaped(values, how, depth + 1).map((value) => [key, value] as const)))
          .map(objectOf),
      );
  }
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  const some = depth > 12 ? 0 : depth < 3 ? 5 : 3;
  return fc
    .subarray(optional, { maxLength: Math.min(some, optional.length) })
    .chain((chosen) =>
      fc
        .tuple(
          ...[...required.filter((key) => key in properties), ...chosen].map((key) =>
            shaped(properties[key], how, depth + 1).map((value) => [key, value] as const),
          ),
        )
        .map(objectOf),
    );
}
