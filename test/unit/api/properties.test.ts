import {
  addQuantities,
  admissionOf,
  canonicalQuantity,
  clusterConfig,
  type Finding,
  formatFinding,
  type KubeObject,
  parseQuantity,
  quantityOf,
  quantityValue,
} from '../../../src/api';
import crds from '../../../src/api/generated/crds.json';
import { fixedIdentity, renderStage, type RenderOptions } from '../../../src/cli/render/stages';
import fc, { runs, seed } from '../../support/fast-check';
import { shaped, tame, wild, type Wildness } from '../../support/arbitrary';
import type { Crd, StructuralSchema } from '../../support/filled';
import { type Loose, validVm, validVmi } from './fixtures';
import { context } from './kinds/fixtures';

const numRuns = runs(40);
fc.configureGlobal({ seed, numRuns });

const kinds = (crds as unknown as Crd[]).map((crd) => {
  const version = crd.spec.versions.find(({ storage }) => storage) ?? crd.spec.versions[0];
  const { kind } = crd.spec.names;
  return { kind, apiVersion: `${crd.spec.group}/${version.name}`, schema: version.schema.openAPIV3Schema };
});
const withRules = kinds.filter((kind) => admissionOf(kind));

/** Objects of a kind as a user writes them: with a valid name and without a status. */
function objects({ kind, apiVersion, schema }: (typeof kinds)[number], how: Wildness): fc.Arbitrary<KubeObject> {
  const { metadata: _m, apiVersion: _a, kind: _k, status: _s, ...properties } = schema.properties ?? {};
  return shaped({ ...schema, properties }, how).map((body) => ({
    ...(typeof body === 'object' && body !== null && !Array.isArray(body) ? body : { spec: body }),
    apiVersion,
    kind,
    metadata: { name: 'x', namespace: 'default' },
  }));
}

const schemaOf = (kind: string): StructuralSchema => kinds.find((each) => each.kind === kind)!.schema;
const specSchema = schemaOf('VirtualMachineInstance').properties!.spec;

/** A VMI that was valid, with one or two parts replaced by others of their schema. */
const instances: fc.Arbitrary<KubeObject> = fc
  .array(fc.constantFrom(...paths(specSchema, 4)), { minLength: 1, maxLength: 2 })
  .chain((changes) =>
    fc.tuple(...changes.map(({ at, schema }) => shaped(schema, tame, at.length + 6).map((value) => ({ at, value })))),
  )
  .map((changes) => {
    const vmi: Loose = validVmi();
    for (const { at, value } of changes) put(vmi.spec, at, value);
    return vmi;
  });

/** Fields of a spec down to a depth, without lists. */
function paths(
  schema: StructuralSchema,
  depth: number,
  at: string[] = [],
): { at: string[]; schema: StructuralSchema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    { at: [...at, key], schema: inner },
    ...(depth > 1 ? paths(inner, depth - 1, [...at, key]) : []),
  ]);
}

function put(target: Loose, [key, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}), rest, value);
}

const options: RenderOptions = {
  context: context(),
  identity: fixedIdentity,
  launcherImage: 'launcher',
};

const isAdmitted = (object: KubeObject, how = options): boolean =>
  renderStage(object, 'verdict', how).errors.length === 0;

describe.each(withRules)('$kind', (kind) => {
  const rules = admissionOf(kind)!;

  test('no object crashes its rules, and each mistake can be reported', () => {
    fc.assert(
      fc.property(objects(kind, wild), objects(kind, tame), (object, old) => {
        const at = context();
        const stored = rules.mutate?.(object, at) ?? object;
        const errors: Finding[] = [
          ...rules.create(stored, at),
          ...(rules.update?.(stored, old, at) ?? []),
          ...(rules.delete?.(object, at) ?? []),
        ];
        for (const error of errors) expect(formatFinding(error).length).toBeGreaterThan(0);
        rules.warnings?.(stored, at, old);
      }),
    );
  });

  test('defaulting is idempotent and does not modify its input', () => {
    fc.assert(
      fc.property(objects(kind, wild), (object) => {
        const before = structuredClone(object);
        const once = rules.mutate?.(object, context()) ?? object;
        expect(object).toEqual(before);
        const twice = rules.mutate?.(once, context()) ?? once;
        expect(twice).toStrictEqual(once);
      }),
    );
  });
});

/** A stage, or an error that the model node is too small, which does not depend on the VMI. */
function shown(vmi: KubeObject, stage: 'pod' | 'domain'): unknown {
  try {
    return renderStage(vmi, stage, options).value;
  } catch (error) {
    if (/vCPUs do not fit on the \d+ CPUs/.test(`${error}`)) return 'too small';
    throw error;
  }
}

test('an admitted VMI is rendered, Pod and domain, and always in the same way', () => {
  let admitted = 0;
  fc.assert(
    fc.property(instances, (vmi) => {
      if (!isAdmitted(vmi)) return;
      admitted++;
      for (const stage of ['pod', 'domain'] as const) {
        const rendered = shown(vmi, stage);
        expect(rendered).toBeTruthy();
        expect(shown(structuredClone(vmi), stage)).toEqual(rendered);
      }
    }),
    { numRuns: numRuns * 10 },
  );
  expect(admitted).toBeGreaterThan(numRuns);
});

test('defaults of a VMI that is nearly right are idempotent', () => {
  const { mutate } = admissionOf(validVmi())!;
  fc.assert(
    fc.property(instances, (vmi) => {
      const once = mutate!(vmi, context());
      expect(mutate!(once, context())).toEqual(once);
    }),
    { numRuns: numRuns * 10 },
  );
});

test('the VMI of a VM does not change when it is admitted again', () => {
  fc.assert(
    fc.property(instances, (vmi) => {
      const vm: Loose = validVm();
      vm.spec.template.spec = (vmi as Loose).spec;
      if (!isAdmitted(vm)) return;
      const rendered = renderStage(vm, 'vmi', options);
      if (rendered.errors.length > 0) return;
      const again = renderStage(rendered.value as KubeObject, 'vmi', {
        ...options,
        context: { ...options.context, by: { trusted: true } },
      });
      // a VM may have values that its VMI must not have: they are reported when it starts
      if (again.errors.length === 0) expect(again.value).toEqual(rendered.value);
    }),
    { numRuns: numRuns * 5 },
  );
});

describe('quantities', () => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E2');
  const quantities = fc
    .tuple(fc.constantFrom('', '-', '+'), fc.nat(2 ** 20), fc.constantFrom('', '.5', '.25', '.001'), suffix)
    .map((parts) => parts.join(''));

  // Kubernetes writes what has a binary unit in whole bytes, rounded up
  test('never lose a byte when they are written again', () => {
    fc.assert(
      fc.property(quantities, (text) => {
        const canonical = canonicalQuantity(text);
        expect(quantityValue(canonical)).toBe(quantityValue(text));
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  test('have exactly the number of bytes that they were created from', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 2n ** 62n),
        fc.constantFrom('BinarySI' as const, 'DecimalSI' as const),
        (bytes, format) => {
          expect(quantityValue(quantityOf(bytes, format))).toBe(bytes);
        },
      ),
    );
  });

  test('add up to the byte, in any order', () => {
    const NANO = 1_000_000_000n;
    fc.assert(
      fc.property(fc.array(quantities, { minLength: 1, maxLength: 5 }), (texts) => {
        const nanos = texts.reduce((total, text) => total + parseQuantity(text).nanos, 0n);
        const bytes = nanos < 0n ? -((-nanos + NANO - 1n) / NANO) : (nanos + NANO - 1n) / NANO;
        for (const order of [texts, [...texts].reverse()]) expect(quantityValue(addQuantities(...order))).toBe(bytes);
      }),
    );
  });
});

test('any configuration can be used to admit and render a VMI', () => {
  const configuration = schemaOf('KubeVirt').properties!.spec;
  fc.assert(
    fc.property(shaped(configuration, tame), (spec) => {
      const config = clusterConfig({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: {}, spec } as Loose);
      const configured = { ...options, context: context({ config }) };
      if (!isAdmitted(validVmi(), configured)) return;
      for (const stage of ['pod', 'domain'] as const) renderStage(validVmi(), stage, configured);
    }),
  );
});
