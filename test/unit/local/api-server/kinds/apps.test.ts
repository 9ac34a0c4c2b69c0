import { workloadKinds } from '../../../../../src/local/api-server/kinds/workloads';
import type { AnyObject } from '../../../../../src/local/api-server/types';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

type KindName = 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet' | 'ControllerRevision';

const kindOf = (name: KindName) => workloadKinds.find(({ kind }) => kind === name)!;

function object(kind: KindName, spec: object): AnyObject {
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const result: AnyObject = {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { app: 'x' } }, template, ...structuredClone(spec) },
  };
  kindOf(kind).decode(result);
  return result;
}

const causes = (fields: Fields): string[] => fields.causes.map(({ field, message }) => `${field}: ${message}`);

/** Mistakes in a valid object with these fields of its spec. */
function reported(kind: KindName, spec: object): string[] {
  const fields = Fields.root();
  kindOf(kind).validate(object(kind, spec), fields);
  return causes(fields);
}

const podKinds: KindName[] = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'];
const least = 'must be greater than or equal to 0';

test.each(podKinds)('accepts the valid %s', (kind) => expect(reported(kind, {})).toEqual([]));

test.each<[KindName, string[]]>([
  ['Deployment', ['spec.selector: Required value', 'spec.template.metadata.labels: Invalid value: {"app":"x"}']],
  ['StatefulSet', ['spec.selector: Required value', 'spec.template.metadata.labels: Invalid value: {"app":"x"}']],
  ['DaemonSet', ['spec.template.metadata.labels: Invalid value: {"app":"x"}']],
])('reports a %s without a selector', (kind, want) => {
  expect(reported(kind, { selector: null }).map((text) => text.split(': `')[0])).toEqual(want);
});

test.each<[KindName, string, object]>([
  ['Deployment', 'spec.selector: Invalid value: {}: empty selector is invalid for deployment', { selector: {} }],
  ['ReplicaSet', 'spec.selector: Invalid value: {}: empty selector is invalid for deployment', { selector: {} }],
  ['StatefulSet', 'spec.selector: Invalid value: {}: empty selector is invalid for statefulset', { selector: {} }],
  ['DaemonSet', 'spec.selector: Invalid value: {}: empty selector is invalid for daemonset', { selector: {} }],
  ['Deployment', `spec.replicas: Invalid value: -1: ${least}`, { replicas: -1 }],
  ['ReplicaSet', `spec.minReadySeconds: Invalid value: -1: ${least}`, { minReadySeconds: -1 }],
  ['Deployment', `spec.revisionHistoryLimit: Invalid value: -1: ${least}`, { revisionHistoryLimit: -1 }],
  ['DaemonSet', `spec.revisionHistoryLimit: Invalid value: -1: ${least}`, { revisionHistoryLimit: -1 }],
  [
    'Deployment',
    'spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
    { progressDeadlineSeconds: 5, minReadySeconds: 5 },
  ],
  [
    'Deployment',
    'spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    { strategy: { type: 'Foo' } },
  ],
  [
    'Deployment',
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
  ],
  [
    'Deployment',
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
    { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
  ],
  [
    'Deployment',
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    { strategy: { rollingUpdate: { maxSurge: '101%', maxUnavailable: '101%' } } },
  ],
  [
    'DaemonSet',
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
    { updateStrategy: { rollingUpdate: { maxSurge: 1 } } },
  ],
  [
    'DaemonSet',
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
  ],
  [
    'StatefulSet',
    'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
  ],
  [
    'StatefulSet',
    `spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: ${least}`,
    { updateStrategy: { rollingUpdate: { partition: -1 } } },
  ],
  [
    'StatefulSet',
    "spec.podManagementPolicy: Invalid value: \"Foo\": must be 'OrderedReady' or 'Parallel'",
    { podManagementPolicy: 'Foo' },
  ],
  [
    'StatefulSet',
    'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Foo": supported values: "Retain", "Delete"',
    { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Foo' } },
  ],
  ['StatefulSet', `spec.ordinals.start: Invalid value: -1: ${least}`, { ordinals: { start: -1 } }],
])('%s: %s', (kind, message, spec) => expect(reported(kind, spec)).toEqual([message]));

test.each<[KindName, string]>([
  ['Deployment', 'ReplicaSet'],
  ['StatefulSet', 'StatefulSet'],
  ['DaemonSet', 'DaemonSet'],
])('Pods of a %s run without a deadline and always restart', (kind, name) => {
  const spec = { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never', activeDeadlineSeconds: 1 };
  expect(reported(kind, { template: { metadata: { labels: { app: 'x' } }, spec } })).toEqual([
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    `spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ${name} is not Supported`,
  ]);
});

test('mounts of a StatefulSet refer to its claims', () => {
  const spec = { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] };
  const template = { metadata: { labels: { app: 'x' } }, spec };
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  expect(reported('StatefulSet', { template })).toEqual([
    'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
  ]);
  expect(
    reported('StatefulSet', { template, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }] }),
  ).toEqual([]);
});

test.each([
  ['the number of replicas', { replicas: 2 }, 0],
  [
    'the template',
    { template: { metadata: { labels: { app: 'x', b: 'c' } }, spec: { containers: [{ name: 'c', image: 'j' }] } } },
    0,
  ],
  ['the Service', { serviceName: 'other' }, 1],
])('an update of a StatefulSet that changes %s reports its mistakes', (_, spec, count) => {
  const fields = Fields.root();
  kindOf('StatefulSet').validateUpdate(object('StatefulSet', spec), object('StatefulSet', {}), fields);
  expect(fields.causes).toHaveLength(count);
});

test.each<KindName>(['Deployment', 'ReplicaSet', 'DaemonSet'])('the selector of a %s cannot change', (kind) => {
  const fields = Fields.root();
  const template = { metadata: { labels: { app: 'y' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const next = object(kind, { selector: { matchLabels: { app: 'y' } }, template });
  kindOf(kind).validateUpdate(next, object(kind, {}), fields);
  expect(causes(fields)).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"y"}}: field is immutable']);
});

test.each<[KindName, object, string[]]>([
  ['Deployment', { replicas: 2, readyReplicas: 2, availableReplicas: 2 }, []],
  ['Deployment', { replicas: 1, readyReplicas: 2 }, ['status.readyReplicas']],
  ['ReplicaSet', { replicas: 2, readyReplicas: 1, availableReplicas: 2 }, ['status.availableReplicas']],
  ['StatefulSet', { updatedReplicas: -1 }, ['status.updatedReplicas']],
  ['DaemonSet', { numberReady: -1 }, ['status.numberReady']],
])('a status of a %s: %j', (kind, status, want) => {
  const fields = Fields.root();
  kindOf(kind).validateStatus({ ...object(kind, {}), status }, object(kind, {}), fields);
  expect(fields.causes.map(({ field }) => field)).toEqual(want);
});

test('a changed template raises the number of a DaemonSet’s templates', () => {
  const context = { user: { username: '', groups: [] }, now: '', dryRun: false, warn: () => undefined };
  const numberOf = ({ metadata }: AnyObject) => metadata.annotations?.['deprecated.daemonset.template.generation'];
  const old = object('DaemonSet', {});
  kindOf('DaemonSet').prepareForCreate(old, context);
  expect(numberOf(old)).toBe('1');
  const same = structuredClone(old);
  kindOf('DaemonSet').prepareForUpdate(same, old, context);
  expect(numberOf(same)).toBe('1');
  const next = structuredClone(old);
  next.spec.template.spec.containers[0].image = 'j';
  kindOf('DaemonSet').prepareForUpdate(next, old, context);
  expect([numberOf(next), next.metadata.generation]).toEqual(['2', 2]);
});

test.each([
  ['annotations', (next: AnyObject) => (next.metadata.annotations = { a: 'b' }), 2],
  ['labels', (next: AnyObject) => (next.metadata.labels = { a: 'b' }), 1],
  ['the spec', (next: AnyObject) => (next.spec.replicas = 3), 2],
])('a change of %s may raise the generation of a Deployment', (_, change, generation) => {
  const context = { user: { username: '', groups: [] }, now: '', dryRun: false, warn: () => undefined };
  const old = object('Deployment', {});
  kindOf('Deployment').prepareForCreate(old, context);
  const next = structuredClone(old);
  change(next);
  kindOf('Deployment').prepareForUpdate(next, old, context);
  expect(next.metadata.generation).toBe(generation);
});

test.each([
  [undefined, ['data: Required value: data is mandatory']],
  [[], ['data: Required value: data must be a valid JSON object']],
  ['x', ['data: Required value: data must be a valid JSON object']],
  [{}, []],
])('data %j of a ControllerRevision', (data, want) => {
  const fields = Fields.root();
  const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'a' }, revision: 1, data };
  kindOf('ControllerRevision').validate(revision, fields);
  expect(causes(fields)).toEqual(want);
});
