/** Definitions of the snapshot API of CSI, version 1: its fields, rules and columns. */
import type { KubeObject } from '../../../api';
import { SNAPSHOT_GROUP } from './types';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const bytes: Schema = { type: 'integer', format: 'int64', minimum: 0 };
const time: Schema = { type: 'string', format: 'date-time' };
const policy: Schema = { type: 'string', enum: ['Delete', 'Retain'] };
const parameters: Schema = { type: 'object', additionalProperties: text };
const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length && { required }),
});
const problem = object({ message: text, time });

/** Exactly one of two sources, which never changes. */
function oneOf(first: string, second: string): Schema {
  const kept = (name: string): Schema => ({
    rule: `!has(oldSelf.${name}) || has(self.${name})`,
    message: `${name} is required once set`,
  });
  return {
    ...object({ [first]: unchanged(first), [second]: unchanged(second) }),
    'x-kubernetes-validations': [
      kept(first),
      kept(second),
      {
        rule: `(has(self.${first}) && !has(self.${second})) || (!has(self.${first}) && has(self.${second}))`,
        message: `exactly one of ${first} and ${second} must be set`,
      },
    ],
  };
}
const unchanged = (name: string): Schema => ({
  ...text,
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: `${name} is immutable` }],
});

interface Names {
  readonly plural: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly isNamespaced: boolean;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

function definition(names: Names, schema: Schema, columns: readonly Column[], hasStatus: boolean): KubeObject {
  const { plural, kind, shortNames, isNamespaced } = names;
  const fields = { apiVersion: text, kind: text, metadata: { type: 'object' } };
  const properties = { ...fields, ...(schema.properties as object) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${SNAPSHOT_GROUP}`,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814' },
    },
    spec: {
      group: SNAPSHOT_GROUP,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, shortNames },
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { ...schema, properties } },
          additionalPrinterColumns: [
            ...columns,
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
          subresources: hasStatus ? { status: {} } : {},
        },
      ],
    },
  } as KubeObject;
}

const column = (name: string, jsonPath: string, type = 'string'): Column => ({ name, type, jsonPath });

export const snapshotDefinitions: readonly KubeObject[] = [
  definition(
    {
      plural: 'volumesnapshotclasses',
      kind: 'VolumeSnapshotClass',
      shortNames: ['vsclass', 'vsclasses'],
      isNamespaced: false,
    },
    object({ driver: text, deletionPolicy: policy, parameters }, ['driver', 'deletionPolicy']),
    [column('Driver', '.driver'), column('DeletionPolicy', '.deletionPolicy')],
    false,
  ),
  definition(
    {
      plural: 'volumesnapshotcontents',
      kind: 'VolumeSnapshotContent',
      shortNames: ['vsc', 'vscs'],
      isNamespaced: false,
    },
    object(
      {
        spec: object(
          {
            deletionPolicy: policy,
            driver: text,
            source: oneOf('volumeHandle', 'snapshotHandle'),
            sourceVolumeMode: unchanged('sourceVolumeMode'),
            volumeSnapshotClassName: text,
            volumeSnapshotRef: {
              ...object({
                apiVersion: text,
                fieldPath: text,
                kind: text,
                name: text,
                namespace: text,
                resourceVersion: text,
                uid: text,
              }),
              'x-kubernetes-map-type': 'atomic',
              'x-kubernetes-validations': [
                {
                  rule: 'has(self.name) && has(self.__namespace__)',
                  message: 'both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set',
                },
              ],
            },
          },
          ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
        ),
        status: object({
          creationTime: { type: 'integer', format: 'int64' },
          error: problem,
          readyToUse: flag,
          restoreSize: bytes,
          snapshotHandle: text,
          volumeGroupSnapshotHandle: text,
        }),
      },
      ['spec'],
    ),
    [
      column('ReadyToUse', '.status.readyToUse', 'boolean'),
      column('RestoreSize', '.status.restoreSize', 'integer'),
      column('DeletionPolicy', '.spec.deletionPolicy'),
      column('Driver', '.spec.driver'),
      column('VolumeSnapshotClass', '.spec.volumeSnapshotClassName'),
      column('VolumeSnapshot', '.spec.volumeSnapshotRef.name'),
      column('VolumeSnapshotNamespace', '.spec.volumeSnapshotRef.namespace'),
    ],
    true,
  ),
  definition(
    { plural: 'volumesnapshots', kind: 'VolumeSnapshot', shortNames: ['vs'], isNamespaced: true },
    object(
      {
        spec: object(
          {
            source: oneOf('persistentVolumeClaimName', 'volumeSnapshotContentName'),
            volumeSnapshotClassName: {
              ...text,
              'x-kubernetes-validations': [
                { rule: 'size(self) > 0', message: 'volumeSnapshotClassName must not be the empty string when set' },
              ],
            },
          },
          ['source'],
        ),
        status: object({
          boundVolumeSnapshotContentName: text,
          creationTime: time,
          error: problem,
          readyToUse: flag,
          restoreSize: {
            'x-kubernetes-int-or-string': true,
            anyOf: [{ type: 'integer' }, { type: 'string' }],
          },
          volumeGroupSnapshotName: text,
        }),
      },
      ['spec'],
    ),
    [
      column('ReadyToUse', '.status.readyToUse', 'boolean'),
      column('SourcePVC', '.spec.source.persistentVolumeClaimName'),
      column('SourceSnapshotContent', '.spec.source.volumeSnapshotContentName'),
      column('RestoreSize', '.status.restoreSize'),
      column('SnapshotClass', '.spec.volumeSnapshotClassName'),
      column('SnapshotContent', '.status.boundVolumeSnapshotContentName'),
      column('CreationTime', '.status.creationTime', 'date'),
    ],
    true,
  ),
];
