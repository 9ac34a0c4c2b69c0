import { clusterConfig, type KubeObject } from '../../../../src/api';
import { contextOf } from '../../../../src/api/context';
import crds from '../../../../src/api/generated/crds.json';
import { applied } from '../../../../src/cli/diff/applied';
import { compare } from '../../../../src/cli/diff/compare';
import { formatDiff } from '../../../../src/cli/diff/print';
import { dotOf } from '../../../../src/cli/graph/dot';
import { graphOf } from '../../../../src/cli/graph/model';
import fc, { runs } from '../../../support/fast-check';
import { shaped, tame, wild, type Wildness } from '../../../support/arbitrary';
import type { Crd } from '../../../support/filled';

const numRuns = runs(12);
const context = contextOf(clusterConfig());

const kinds = (crds as unknown as Crd[]).map((crd) => {
  const version = crd.spec.versions.find(({ storage }) => storage) ?? crd.spec.versions[0];
  const { metadata: _m, apiVersion: _a, kind: _k, ...properties } = version.schema.openAPIV3Schema.properties ?? {};
  const schema = { ...version.schema.openAPIV3Schema, properties };
  return { kind: crd.spec.names.kind, apiVersion: `${crd.spec.group}/${version.name}`, schema };
});

/** As it is read from a file. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? {})) as T;

function objects({ kind, apiVersion, schema }: (typeof kinds)[number], how: Wildness): fc.Arbitrary<KubeObject> {
  return shaped(schema, how)
    .map(copy)
    .map((body) => ({
      ...(typeof body === 'object' && body !== null && !Array.isArray(body) ? body : { spec: body }),
      apiVersion,
      kind,
      metadata: { name: 'x', namespace: 'default' },
    }));
}

/** Manifests with any inside: what people write, and what they never would. */
describe.each([
  ['well formed', tame],
  ['wild', wild],
] as const)('%s manifests', (_, how) => {
  test.each(kinds.map((each) => [each.kind, each] as const))('%s: diff and graph have an answer', (_kind, kind) => {
    fc.assert(
      fc.property(objects(kind, how), objects(kind, how), (one, two) => {
        for (const [before, after] of [
          [one, two],
          [undefined, one],
          [one, undefined],
          [one, applied(two, one)],
        ] as const) {
          const diff = compare(before, after, context);
          if (diff) formatDiff(diff);
        }
        expect(compare(one, copy(one), context)).toBeUndefined();
        dotOf(graphOf([one, two]));
      }),
      { numRuns },
    );
  });
});
