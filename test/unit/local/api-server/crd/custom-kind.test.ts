import { customKind } from '../../../../../src/local/api-server/crd/custom-kind';
import { scaleCauses } from '../../../../../src/local/api-server/crd/scale-validation';
import { WebhookTransport } from '../../../../../src/local/api-server/network/webhook-transport';
import { AnyObject } from '../../../../../src/local/api-server/types';

const paths = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
const object = (spec: unknown, status?: unknown) =>
  ({ apiVersion: 'a.io/v1', kind: 'X', metadata: { name: 'x' }, spec, status }) as AnyObject;

test.each<[string, unknown, string[]]>([
  ['no replicas', {}, []],
  ['none', { n: 0 }, []],
  ['fewer than none', { n: -1 }, ['.spec.n: Invalid value: -1: should be a non-negative integer']],
  ['the most', { n: 2 ** 31 - 1 }, []],
  ['one more', { n: 2 ** 31 }, ['.spec.n: Invalid value: 2147483648: should be less than or equal to 2147483647']],
  ['a text', { n: 'x' }, ['.spec.n: Invalid value: 0: .spec.n accessor error: x is of the type string, expected int64']],
  ['a fraction', { n: 1.5 }, ['.spec.n: Invalid value: 0: .spec.n accessor error: 1.5 is of the type float64, expected int64']],
  ['a text as spec', 'x', ['.spec.n: Invalid value: 0: .spec.n accessor error: x is of the type string, expected map[string]interface{}']],
])('replicas of the scale subresource: %s', (_, spec, want) => {
  const said = (statusOnly: boolean) => scaleCauses(object(spec), paths, statusOnly).map((c) => `${c.field}: ${c.message}`);
  expect(said(false)).toEqual(want);
  expect(said(true)).toEqual([]);
}); // prettier-ignore

test('an update of the status validates the replicas of the status', () => {
  expect(scaleCauses(object({ n: -1 }, { n: -2 }), paths, true).map((c) => c.field)).toEqual(['.status.n']);
});

const rules = { type: 'object', 'x-kubernetes-validations': [{ rule: 'false' }] };
const schema = { openAPIV3Schema: { type: 'object', properties: { spec: rules } } };
const version = { name: 'v1', served: true, storage: true, schema };
const kind = customKind(
  { group: 'a.io', scope: 'Cluster', names: { plural: 'xs', kind: 'X' }, versions: [version] },
  version,
  {} as WebhookTransport,
);

test('no rule is run after a missing name', () => {
  const causes = (reason: string) =>
    kind
      .schemaCauses(object({}), undefined, '', [{ reason, message: '', field: 'metadata.name' }])
      .map((c) => c.message);
  expect(causes('FieldValueInvalid')).toEqual(['Invalid value: failed rule: false']);
  expect(causes('FieldValueRequired')).toEqual([expect.stringContaining('some validation rules were not checked')]);
});

test('an annotation that is null is empty', () => {
  const annotated = object({});
  annotated.metadata.annotations = { a: null } as unknown as Record<string, string>;
  kind.decode(annotated);
  expect(annotated.metadata.annotations).toEqual({ a: '' });
});
