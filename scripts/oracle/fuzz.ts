import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { applySchema } from './cases/apply';
import { Model, Operation } from './model';
import { normal } from './normal';
import { API_VERSION, install, kindOf, sendTo } from './resource';
import { Oracle } from './server';

const RESOURCE = 'fuzzed';

const word = fc.constantFrom('a', 'b', 'c');
const words = fc.uniqueArray(word, { maxLength: 3 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const element = fc.record({
  name: word,
  value: maybe(fc.integer({ min: 0, max: 2 })),
  other: maybe(word),
  set: maybe(words),
});
const port = fc.record({ port: fc.constantFrom(80, 443), protocol: fc.constantFrom('TCP', 'UDP'), name: maybe(word) });
const free: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, word, fc.integer({ min: 0, max: 2 }), fc.constant(null), words, tie('map')),
  map: fc.dictionary(word, tie('value'), { maxKeys: 2 }),
})).map;

const spec = fc.record({
  s: maybe(word),
  i: maybe(fc.integer({ min: 0, max: 2 })),
  atomicList: maybe(words),
  set: maybe(words),
  list: maybe(fc.uniqueArray(element, { maxLength: 3, selector: (e) => e.name })),
  ports: maybe(fc.uniqueArray(port, { maxLength: 3, selector: (p) => `${p.port}/${p.protocol}` })),
  map: maybe(fc.dictionary(word, word, { maxKeys: 3 })),
  atomicMap: maybe(fc.dictionary(word, word, { maxKeys: 2 })),
  nested: maybe(fc.record({ a: maybe(word), b: maybe(fc.record({ c: maybe(word), d: maybe(word) })) })),
  free: maybe(free),
});

/** Managers apply most of the time; sometimes the object is updated or patched instead. */
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('apply' as const), manager: fc.constantFrom('one', 'two'), force: fc.boolean(), object: fc.record({ spec }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('update' as const), manager: fc.constantFrom('three', 'one'), object: fc.record({ spec }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), manager: fc.constant('four'), patch: fc.record({ spec }) }) },
); // prettier-ignore

/** Random histories of one object, on both sides. A difference is printed with the seed and the shrunk history. */
export async function fuzzApply(
  oracle: Oracle,
  runs: number,
  seed: number = Math.floor(Math.random() * 2 ** 31),
): Promise<{ compared: number; failed: number }> {
  await install(oracle, RESOURCE, applySchema);
  let compared = 0;
  let objects = 0;
  const property = fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 6 }), async (history) => {
    const name = `object-${objects++}`;
    const model = new Model(applySchema, API_VERSION, kindOf(RESOURCE));
    let created = false;
    for (const given of history) {
      // the first successful request must be one that creates
      if (!created && given.do !== 'apply') continue;
      const op = complete(given, name);
      const theirs = await sendTo(oracle, RESOURCE, name, op);
      const ours = model.send(op, new Date());
      created ||= theirs.code < 400;
      compared++;
      const [a, b] = [normal(theirs), normal(ours)];
      if (!isDeepStrictEqual(a, b))
        throw new Error(`${JSON.stringify(op)}\n  theirs ${JSON.stringify(a)}\n  ours   ${JSON.stringify(b)}`);
    }
  });
  const result = await fc.check(property, { numRuns: runs, seed, endOnFailure: false });
  if (result.failed) console.log((result.errorInstance as Error | null)?.message, fc.defaultReportMessage(result));
  console.log(
    `fuzz: ${compared} answers compared in ${objects} histories, seed ${seed}: ${result.failed ? 'DIFFERS' : 'same'}`,
  );
  return { compared, failed: result.failed ? 1 : 0 };
}

function complete(op: Operation, name: string): Operation {
  const plain = JSON.parse(JSON.stringify(op)) as Operation; // no undefined fields
  if (!('object' in plain)) return plain;
  return { ...plain, object: { apiVersion: API_VERSION, kind: kindOf(RESOURCE), ...plain.object, metadata: { name } } };
}
