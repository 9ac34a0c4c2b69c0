import { secret } from '../../../../../src/local/api-server/kinds/config';
import { limitRange } from '../../../../../src/local/api-server/kinds/limit-range';
import { priorityClass } from '../../../../../src/local/api-server/kinds/others';
import { discoveryKinds } from '../../../../../src/local/api-server/kinds/endpoints';
import { event, newEvent } from '../../../../../src/local/api-server/kinds/event';
import { node } from '../../../../../src/local/api-server/kinds/node';
import { pullPolicy } from '../../../../../src/local/api-server/kinds/pod-defaults';
import { podWarnings } from '../../../../../src/local/api-server/kinds/pod-warnings';
import { pod } from '../../../../../src/local/api-server/kinds/pod';
import {
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
} from '../../../../../src/local/api-server/kinds/storage';
import { gvOf, Kind } from '../../../../../src/local/api-server/registry/kind';
import { AnyObject } from '../../../../../src/local/api-server/types';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

type Json = Record<string, unknown>;

const [endpointSlice, endpoints] = discoveryKinds;

function decoded(kind: Kind, fields: Json): AnyObject {
  const object = {
    apiVersion: gvOf(kind),
    kind: kind.kind,
    metadata: { name: 'x', namespace: 'n' },
    ...fields,
  } as AnyObject;
  const copy = JSON.parse(JSON.stringify(object)) as AnyObject;
  kind.decode(copy);
  return copy;
}

const causes = (fields: Fields): string[] => fields.causes.map(({ field, message }) => `${field}: ${message}`);

function created(kind: Kind, object: Json): string[] {
  const fields = Fields.root();
  kind.validate(decoded(kind, object), fields);
  return causes(fields);
}

function updated(kind: Kind, before: Json, after: Json): string[] {
  const fields = Fields.root();
  kind.validateUpdate(decoded(kind, after), decoded(kind, before), fields);
  return causes(fields);
}

const INVALID_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const involvedObject = { kind: 'Pod', name: 'p', namespace: 'n' };
const micro = '2026-01-01T00:00:00.000001Z';
const reported = {
  regarding: involvedObject,
  eventTime: micro,
  reportingController: 'c',
  reportingInstance: 'i',
  action: 'A',
  reason: 'R',
  type: 'Normal',
};
const slice = (addressType: string, address: string): Json => ({ addressType, endpoints: [{ addresses: [address] }] });
const claim = (more: Json = {}): Json => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
});
const volume = (more: Json): Json => ({
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...more },
});
const host = { hostPath: { path: '/x' } };

test.each<[name: string, kind: Kind, object: Json, want: string[]]>([
  ['an Event of its namespace', event, { involvedObject }, []],
  [
    'an Event of another namespace',
    event,
    { involvedObject: { namespace: 'm' } },
    ['involvedObject.namespace: Invalid value: "m": does not match event.namespace'],
  ],
  [
    'an Event with a time, but without a reporter',
    event,
    { involvedObject, eventTime: micro, reason: 'R', action: 'A', reportingInstance: 'i', reportingComponent: 'a b' },
    [
      "reportingComponent: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  ['a complete new Event', newEvent, reported, []],
  ['an action of 128 characters', newEvent, { ...reported, action: 'a'.repeat(128) }, []],
  [
    'an action of 129 characters',
    newEvent,
    { ...reported, action: 'a'.repeat(129) },
    ['action: Invalid value: "": can have at most 128 characters'],
  ],
  ['a new Event without a time', newEvent, { ...reported, eventTime: undefined }, ['eventTime: Required value']],
  [
    'a series of one',
    newEvent,
    { ...reported, series: { count: 1, lastObservedTime: micro } },
    ['series.count: Invalid value: "": should be at least 2'],
  ],
  [
    'ranges of one family',
    node,
    { spec: { podCIDRs: ['10.0.0.0/8', '11.0.0.0/8'] } },
    ['spec.podCIDRs: Invalid value: ["10.0.0.0/8","11.0.0.0/8"]: may specify no more than one CIDR for each IP family'],
  ],
  ['ranges of two families', node, { spec: { podCIDRs: ['10.0.0.0/8', 'fd00::/64'] } }, []],
  ['an invalid range', node, { spec: { podCIDR: 'x' } }, [`spec.podCIDRs[0]: Invalid value: "x": ${CIDR}`]],
  [
    'a negative capacity',
    node,
    { status: { capacity: { cpu: '-1' }, allocatable: { cpu: '0' } } },
    ['status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'an invalid address',
    endpoints,
    { subsets: [{ addresses: [{ ip: 'x' }] }] },
    [
      `subsets[0].addresses[0].ip: Invalid value: "x": ${INVALID_IP}`,
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
    ],
  ],
  ['a domain', endpointSlice, slice('FQDN', 'a.example.'), []],
  [
    'a domain of one label',
    endpointSlice,
    slice('FQDN', 'a'),
    ['endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots'],
  ],
  ['a loopback address of a component', endpointSlice, slice('IPv6', '::1'), []],
  [
    'the unspecified address',
    endpointSlice,
    slice('IPv4', '0.0.0.0'),
    ['endpoints[0].addresses[0]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)'],
  ],
  [
    'a loopback address of Endpoints',
    endpoints,
    { subsets: [{ addresses: [{ ip: '127.0.0.1' }] }] },
    ['subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  ['100 addresses', endpointSlice, { addressType: 'IPv4', endpoints: [{ addresses: Array(100).fill('1.1.1.1') }] }, []],
  [
    '101 addresses',
    endpointSlice,
    { addressType: 'IPv4', endpoints: [{ addresses: Array(101).fill('1.1.1.1') }] },
    ['endpoints[0].addresses: Too many: 101: must have at most 100 items'],
  ],
  [
    'a claim of two different sources',
    persistentVolumeClaim,
    claim({
      dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
    }),
    ['spec: Invalid value: {}: must match dataSourceRef'],
  ],
  [
    'a source of another kind without a group',
    persistentVolumeClaim,
    claim({ dataSourceRef: { kind: 'Pod', name: 'p' } }),
    [
      'spec.dataSourceRef: Invalid value: "Pod": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
    ],
  ],
  [
    'modes that exclude each other',
    persistentVolumeClaim,
    claim({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  ['a volume on a path', persistentVolume, volume(host), []],
  [
    'a volume of two types',
    persistentVolume,
    volume({ ...host, nfs: { server: 's', path: '/' } }),
    ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
  ],
  ['a volume without a type', persistentVolume, volume({}), ['spec: Required value: must specify a volume type']],
  [
    'an unknown type of path',
    persistentVolume,
    volume({ hostPath: { path: '/x', type: 'x' } }),
    [
      'spec.hostPath.type: Unsupported value: "x": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
  ],
  [
    'a local volume on no node',
    persistentVolume,
    volume({ local: { path: '/x' } }),
    ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
  ],
  [
    'a driver with an incomplete secret',
    persistentVolume,
    volume({ csi: { driver: 'd', volumeHandle: 'h', nodePublishSecretRef: {} } }),
    ['spec.csi.nodePublishSecretRef.name: Required value', 'spec.csi.nodePublishSecretRef.namespace: Required value'],
  ],
  [
    'a topology without values',
    storageClass,
    { provisioner: 'p', allowedTopologies: [{ matchLabelExpressions: [{ key: 'k' }] }] },
    ['allowedTopologies[0].matchLabelExpressions[0].values: Required value'],
  ],
  ['a class without a policy', priorityClass, { preemptionPolicy: '' }, ['preemptionPolicy: Required value']],
])('validates %s', (_, kind, object, want) => expect(created(kind, object)).toEqual(want));

const IMMUTABLE =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
const bound = (storage: string): Json => ({
  ...claim({ resources: { requests: { storage } } }),
  status: { phase: 'Bound', capacity: { storage: '1Gi' } },
});
const running = (more: Json): Json => ({ spec: { containers: [{ name: 'c', image: 'i' }], ...more } });

test.each<[name: string, kind: Kind, before: Json, after: Json, want: string[]]>([
  [
    'a claim with the empty class',
    persistentVolumeClaim,
    claim({ storageClassName: '' }),
    claim({ storageClassName: '' }),
    [],
  ],
  ['a claim that gets its volume', persistentVolumeClaim, claim(), claim({ volumeName: 'v' }), []],
  ['a claim that gets its class', persistentVolumeClaim, claim(), claim({ storageClassName: 'c' }), []],
  [
    'an unbound claim that requests more',
    persistentVolumeClaim,
    claim(),
    claim({ resources: { requests: { storage: '2Gi' } } }),
    [
      `${IMMUTABLE}@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n-   "storage": "1Gi"\n+   "storage": "2Gi"\n   }\n  },\n  "VolumeName": "",\n`,
    ],
  ],
  ['a bound claim that requests more', persistentVolumeClaim, bound('2Gi'), bound('3Gi'), []],
  ['a bound claim that shrinks above its capacity', persistentVolumeClaim, bound('3Gi'), bound('2Gi'), []],
  [
    'a bound claim that shrinks to its capacity',
    persistentVolumeClaim,
    bound('2Gi'),
    bound('1Gi'),
    ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
  ],
  [
    'a volume that moves',
    persistentVolume,
    volume({ nfs: { server: 's', path: '/a' } }),
    volume({ nfs: { server: 's', path: '/b' } }),
    [
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@ -5,7 +5,7 @@\n  "Glusterfs": null,\n  "NFS": {\n   "Server": "s",\n-  "Path": "/a",\n+  "Path": "/b",\n   "ReadOnly": false\n  },\n  "RBD": null,\n',
    ],
  ],
  [
    'a node with other ranges',
    node,
    { spec: { podCIDRs: ['10.0.0.0/8', 'fd00::/64'] } },
    { spec: { podCIDRs: ['11.0.0.0/8', 'fd01::/64'] } },
    Array<string>(2).fill('spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'),
  ],
  [
    'a new Event about something else',
    newEvent,
    reported,
    { ...reported, regarding: { ...involvedObject, name: 'q' } },
    [
      'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"n","Name":"q","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
    ],
  ],
  [
    'a class with another policy',
    storageClass,
    { provisioner: 'p' },
    { provisioner: 'p', reclaimPolicy: 'Retain' },
    ['reclaimPolicy: Invalid value: "Retain": field is immutable'],
  ],
  [
    'a Pod with an earlier deadline',
    pod,
    running({ activeDeadlineSeconds: 5 }),
    running({ activeDeadlineSeconds: 4 }),
    [],
  ],
  [
    'a Pod with the same deadline',
    pod,
    running({ activeDeadlineSeconds: 5 }),
    running({ activeDeadlineSeconds: 5 }),
    [],
  ],
  [
    'a Pod with a later deadline',
    pod,
    running({ activeDeadlineSeconds: 5 }),
    running({ activeDeadlineSeconds: 6 }),
    ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
  ],
  [
    'a toleration with another time',
    pod,
    running({ tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }] }),
    running({ tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 }] }),
    [],
  ],
  [
    'a new scheduling gate',
    pod,
    running({ schedulingGates: [{ name: 'a' }] }),
    running({ schedulingGates: [{ name: 'a' }, { name: 'b' }] }),
    ["spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'b'"],
  ],
  [
    'a gated Pod with a narrower selector',
    pod,
    running({ schedulingGates: [{ name: 'a' }] }),
    running({ schedulingGates: [{ name: 'a' }], nodeSelector: { a: 'b' } }),
    [],
  ],
  [
    'a gated Pod with a wider selector',
    pod,
    running({ schedulingGates: [{ name: 'a' }], nodeSelector: { a: 'b' } }),
    running({ schedulingGates: [{ name: 'a' }], nodeSelector: { c: 'd' } }),
    [
      'spec.nodeSelector: Invalid value: {"c":"d"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
  ],
])('validates an update of %s', (_, kind, before, after, want) => {
  expect(updated(kind, before, after)).toEqual(want);
});

test('shows what an update of a Pod changes', () => {
  const [found] = updated(pod, running({ nodeSelector: { a: '<b>' } }), running({ nodeSelector: { a: 'c' } }));
  expect(found!.split('\n').slice(1)).toEqual([
    '@@ -40,7 +40,7 @@',
    '  "ActiveDeadlineSeconds": null,',
    '  "DNSPolicy": "ClusterFirst",',
    '  "NodeSelector": {',
    '-  "a": "\\u003cb\\u003e"',
    '+  "a": "c"',
    '  },',
    '  "ServiceAccountName": "",',
    '  "AutomountServiceAccountToken": null,',
    '',
  ]);
});

test('the first range of a node is also its single range', () => {
  expect(decoded(node, { spec: { podCIDRs: ['10.0.0.0/8'] } }).spec.podCIDR).toBe('10.0.0.0/8');
  expect(decoded(node, { spec: { podCIDR: '11.0.0.0/8', podCIDRs: ['10.0.0.0/8'] } }).spec.podCIDRs).toEqual([
    '11.0.0.0/8',
  ]);
});

test('a LimitRange without a name gets one', () => {
  const object = decoded(limitRange, { metadata: { namespace: 'n' } });
  limitRange.prepareForCreate(object, { user: { username: 'u' }, now: '', dryRun: false, warn: () => {} } as never);
  expect(object.metadata.name).toMatch(/^[0-9a-f-]{36}$/);
});

test.each<[name: string, data: Json, want: string[]]>([
  ['a certificate and a key', { 'tls.crt': 'LS0tLS1CRUdJTiA=', 'tls.key': 'LS0tLS1CRUdJTiA=' }, []],
  ['other bytes', { 'tls.crt': 'Yg==', 'tls.key': 'Yg==' }, ['tls: failed to find any PEM data in certificate input']],
  ['no key', { 'tls.crt': 'LS0tLS1CRUdJTiA=' }, ['tls: failed to find any PEM data in key input']],
])('warns of a Secret that should have PEM data and has %s', (_, data, want) => {
  const warnings: string[] = [];
  const context = { user: { username: 'u' }, now: '', dryRun: false, warn: (text: string) => warnings.push(text) };
  secret.prepareForCreate(decoded(secret, { type: 'kubernetes.io/tls', data }), context as never);
  expect(warnings).toEqual(want);
});

test('warns of parts of a Pod that have no effect', () => {
  const warnings = podWarnings(
    decoded(pod, {
      spec: {
        containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostIP: '127.0.0.1' }] }],
        volumes: [{ name: 'v', projected: { sources: [{}] } }],
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'z' }] } },
      },
    }),
  );
  expect(warnings).toEqual([
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    'volume "v" (Projected) has no sources provided',
    'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:127.0.0.1}',
  ]);
});

test.each<[name: string, status: Json, want: Json]>([
  ['a single address', { podIP: '10.0.0.1' }, { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] }],
  ['only the list', { podIPs: [{ ip: '10.0.0.1' }] }, { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] }],
  [
    'both, and they differ',
    { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.1' }] },
    { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }] },
  ],
])('the addresses of a Pod agree if it reports %s', (_, status, want) => {
  expect(decoded(pod, { status }).status).toMatchObject(want);
});

test.each([
  ['registry.example/app:1', 'IfNotPresent'],
  ['registry.example/app', 'Always'],
  ['Not Valid!', 'IfNotPresent'],
])('the image %j is pulled %s', (image, policy) => expect(pullPolicy(image)).toBe(policy));
