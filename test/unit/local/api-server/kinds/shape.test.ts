import { shapeBuiltin } from '../../../../../src/local/api-server/kinds/shape';
import { builtinSchema } from '../../../../../src/local/api-server/schema';

type Json = Record<string, unknown>;

function shaped(kind: string, object: Json): { object: Json; unknown: string[] } {
  const unknown = shapeBuiltin(object, builtinSchema('', 'v1', kind)!, kind, 'v1');
  return { object, unknown };
}

const pod = (container: Json): Json => ({ spec: { containers: [container] } });

test.each<[name: string, kind: string, object: Json, message: string]>([
  ['a named string', 'Secret', { type: 1 }, 'number into Go struct field Secret.type of type v1.SecretType'],
  [
    'a named map',
    'ResourceQuota',
    { spec: { hard: 'x' } },
    'string into Go struct field ResourceQuotaSpec.spec.hard of type v1.ResourceList',
  ],
  [
    'a list of named strings',
    'PersistentVolumeClaim',
    { spec: { accessModes: true } },
    'bool into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type []v1.PersistentVolumeAccessMode',
  ],
  [
    'an item of such a list',
    'PersistentVolumeClaim',
    { spec: { accessModes: [{}] } },
    'object into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type v1.PersistentVolumeAccessMode',
  ],
  [
    'a field of an embedded struct',
    'Pod',
    { spec: { volumes: [{ emptyDir: 1 }] } },
    'number into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
  ],
  [
    'a field below an embedded struct',
    'Pod',
    pod({ readinessProbe: { httpGet: { port: true } } }),
    'bool into Go struct field HTTPGetAction.spec.containers.readinessProbe.ProbeHandler.httpGet.port of type int32',
  ],
  ['a value of a map', 'ConfigMap', { data: { a: 1 } }, 'number into Go struct field ConfigMap.data of type string'],
  [
    'an integer with a fraction',
    'Pod',
    { spec: { activeDeadlineSeconds: 1.5 } },
    'number 1.5 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
  ],
  [
    'a number above a byte in binary data',
    'Secret',
    { data: { a: [256] } },
    'number 256 into Go struct field Secret.data of type uint8',
  ],
])('names the Go type of %s', (_, kind, object, message) => {
  expect(() => shaped(kind, object)).toThrow(
    `${kind} in version "v1" cannot be handled as a ${kind}: json: cannot unmarshal ${message}`,
  );
});

test.each<[name: string, kind: string, object: Json, want: Json]>([
  ['a null quantity as zero', 'ResourceQuota', { spec: { hard: { pods: null } } }, { spec: { hard: { pods: '0' } } }],
  ['a null string in a map as empty', 'ConfigMap', { data: { a: null } }, { data: { a: '' } }],
  [
    'a null number in a list as zero',
    'Pod',
    { spec: { securityContext: { supplementalGroups: [null] } } },
    { spec: { securityContext: { supplementalGroups: [0] } } },
  ],
  ['bytes given as numbers', 'Secret', { data: { a: [98, 255], b: [] } }, { data: { a: 'Yv8=', b: '' } }],
])('decodes %s', (_, kind, object, want) => expect(shaped(kind, object).object).toEqual(want));

test('reports unknown fields with the indexes of lists and without embedded structs', () => {
  const { object, unknown } = shaped('Pod', { x: 1, spec: { volumes: [{ emptyDir: { y: 1 } }] } });
  expect(unknown).toEqual(['x', 'spec.volumes[0].emptyDir.y']);
  expect(object).toEqual({ spec: { volumes: [{ emptyDir: {} }] } });
});
