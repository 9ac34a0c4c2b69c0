/**
 * Compares our schema and patch libraries with Kubernetes' own CustomResourceDefinition server, request by request.
 * Not part of scripts/test: it needs what scripts/oracle/build.sh builds (about 5 minutes, once).
 *
 *   npx tsx scripts/oracle/compare.ts [--only NAME] [--fuzz N] [--seed N] [--verbose]
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { compareBuiltin } from './builtin';
import { scenarios } from './cases';
import { fuzzApply } from './fuzz';
import { Model, Operation } from './model';
import { normal } from './normal';
import { API_VERSION, install, kindOf, sendTo } from './resource';
import { Oracle, startOracle } from './server';
import { compareDefinitions } from './definitions';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      fuzz: { type: 'string', default: '150' },
      seed: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const oracle = await startOracle();
  try {
    let failed = 0;
    let compared = 0;
    const count = (result: { compared: number; failed: number }) => {
      compared += result.compared;
      failed += result.failed;
    };
    const wanted = (name: string) => values.only === undefined || name.includes(values.only);
    for (const [i, scenario] of scenarios.entries())
      if (wanted(scenario.name)) count(await compareScenario(oracle, i, scenario, values.verbose));
    if (wanted('definitions')) count(await compareDefinitions(oracle, values.verbose));
    const seed = values.seed ? Number(values.seed) : undefined;
    if (wanted('builtin')) count(await compareBuiltin(Number(values.fuzz) * 4, seed));
    if (wanted('fuzz')) count(await fuzzApply(oracle, Number(values.fuzz), seed));
    console.log(`${compared} answers compared, ${failed} differ`);
    process.exitCode = failed > 0 ? 1 : 0;
  } finally {
    await oracle.stop();
  }
}

/** The operation with apiVersion, kind and name; `$KIND` in a text stands for the kind. */
function complete(op: Operation, kind: string, name: string): Operation {
  const named = JSON.parse(JSON.stringify(op).replaceAll('$KIND', kind)) as Operation;
  if (!('object' in named)) return named;
  const { metadata, ...rest } = named.object as { metadata?: object };
  return { ...named, object: { apiVersion: API_VERSION, kind, ...rest, metadata: { name, ...metadata } } };
}

/** The lines that only one side has. */
function differences(theirs: unknown, ours: unknown): string[] {
  const lines = (value: unknown) =>
    JSON.stringify(value, null, 1)
      .split('\n')
      .map((l) => l.trim().replace(/,$/, ''));
  const [a, b] = [lines(theirs), lines(ours)];
  return [
    ...a.filter((l) => !b.includes(l)).map((l) => `theirs ${l}`),
    ...b.filter((l) => !a.includes(l)).map((l) => `ours   ${l}`),
    ...(a.every((l) => b.includes(l)) && b.every((l) => a.includes(l))
      ? [`theirs ${a.join('')}`, `ours   ${b.join('')}`]
      : []),
  ];
}

async function compareScenario(
  oracle: Oracle,
  index: number,
  { name, schema, status, objects }: (typeof scenarios)[number],
  verbose: boolean,
): Promise<{ compared: number; failed: number }> {
  const resource = `case${index}`;
  await install(oracle, resource, schema, status);
  let failed = 0;
  let compared = 0;
  for (const [title, operations] of Object.entries(objects)) {
    const object = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const model = new Model(schema, API_VERSION, kindOf(resource), status);
    for (const [step, given] of operations.entries()) {
      const op = complete(given, kindOf(resource), object);
      const theirs = normal(await sendTo(oracle, resource, object, op));
      const ours = normal(model.send(op, new Date()));
      compared++;
      const same = isDeepStrictEqual(ours, theirs);
      if (!same) failed++;
      if (!same || verbose) {
        console.log(`${same ? 'same' : 'DIFFERS'}: ${name} / ${title} / ${step}: ${op.do}`);
        for (const line of same ? [] : differences(theirs, ours)) console.log(`  ${line}`);
      }
      if (!same) break;
    }
  }
  console.log(`${name}: ${compared} answers compared, ${failed} differ`);
  return { compared, failed };
}

void main();
