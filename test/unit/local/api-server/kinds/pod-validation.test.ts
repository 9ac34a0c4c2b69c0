import { defaultPodSpec } from '../../../../../src/local/api-server/kinds/pod-defaults';
import { validatePodSpec } from '../../../../../src/local/api-server/kinds/pod-validation';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests break specs in ways that types forbid
type Spec = any;

/** Fields that are reported for a valid Pod after this change, with its defaults. */
function reported(change: (spec: Spec) => void): string[] {
  const spec: Spec = { containers: [{ name: 'main', image: 'a' }] };
  change(spec);
  defaultPodSpec(spec);
  const fields = Fields.root('spec');
  validatePodSpec(spec, fields);
  return fields.causes.map(({ reason, field }) => `${reason!.replace('FieldValue', '')} ${field}`);
}

const init = (more: object) => (spec: Spec) => (spec.initContainers = [{ name: 'first', image: 'a', ...more }]);
const probe = { tcpSocket: { port: 80 } };

test.each<[string, (spec: Spec) => void, string[]]>([
  ['the valid Pod', () => undefined, []],
  ['no container', (s) => (s.containers = []), ['Required spec.containers']],
  ['a container without a name', (s) => delete s.containers[0].name, ['Required spec.containers[0].name']],
  ['a name twice', (s) => s.containers.push(s.containers[0]), ['Duplicate spec.containers[1].name']],
  ['a name that is not a label', (s) => (s.containers[0].name = 'A.b'), ['Invalid spec.containers[0].name']],
  ['an init container', init({}), []],
  ['a restart policy of a container', (s) => (s.containers[0].restartPolicy = 'Never'), []],
  [
    'an unknown restart policy of a container',
    (s) => (s.containers[0].restartPolicy = 'Sometimes'),
    ['NotSupported spec.containers[0].restartPolicy'],
  ],
  ['a probe of a sidecar', init({ restartPolicy: 'Always', readinessProbe: probe }), []],
  [
    'a probe of an init container',
    init({ readinessProbe: probe }),
    ['Forbidden spec.initContainers[0].readinessProbe'],
  ],
  [
    'lifecycle hooks of an init container',
    init({ lifecycle: { preStop: { exec: { command: ['a'] } } } }),
    ['Forbidden spec.initContainers[0].lifecycle'],
  ],
  ['an unknown DNS policy', (s) => (s.dnsPolicy = 'Other'), ['NotSupported spec.dnsPolicy']],
  ['no DNS and no server', (s) => (s.dnsPolicy = 'None'), ['Required spec.dnsConfig']],
  ['no DNS but a server', (s) => Object.assign(s, { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } }), []],
  ['no time', (s) => (s.activeDeadlineSeconds = 0), ['Invalid spec.activeDeadlineSeconds']],
  ['one second', (s) => (s.activeDeadlineSeconds = 1), []],
  ['the longest time', (s) => (s.activeDeadlineSeconds = 2147483647), []],
  ['a second more', (s) => (s.activeDeadlineSeconds = 2147483648), ['Invalid spec.activeDeadlineSeconds']],
  ['a host name with a dot', (s) => (s.hostname = 'a.b'), ['Invalid spec.hostname']],
  ['a subdomain with a dot', (s) => (s.subdomain = 'a.b'), ['Invalid spec.subdomain']],
  ['a node selector that is not a label', (s) => (s.nodeSelector = { '-': 'a' }), ['Invalid spec.nodeSelector']],
])('%s', (_, change, want) => expect(reported(change)).toEqual(want));

const ephemeral = (more: object) => (spec: Spec) =>
  (spec.ephemeralContainers = [{ name: 'debugger', image: 'a', ...more }]);
const notAllowed = (...fields: string[]): string[] =>
  fields.map((field) => `Forbidden spec.ephemeralContainers[0].${field}`);

test.each<[string, object, string[]]>([
  ['it has a target', { targetContainerName: 'main' }, []],
  [
    'its target does not exist',
    { targetContainerName: 'x' },
    ['NotFound spec.ephemeralContainers[0].targetContainerName'],
  ],
  [
    'its target is itself',
    { targetContainerName: 'debugger' },
    ['NotFound spec.ephemeralContainers[0].targetContainerName'],
  ],
  ['it has the name of a container', { name: 'main' }, ['Duplicate spec.ephemeralContainers[0].name']],
  ['it has empty lists', { ports: [], resources: {} }, []],
  ['it has a port', { ports: [{ containerPort: 1 }] }, notAllowed('ports')],
  ['it has limits', { resources: { limits: { cpu: '1' } } }, notAllowed('resources')],
  ['it has probes', { startupProbe: probe, livenessProbe: probe }, notAllowed('livenessProbe', 'startupProbe')],
  ['it has hooks', { lifecycle: { preStop: { sleep: { seconds: 1 } } } }, notAllowed('lifecycle')],
])('ephemeral container: %s', (_, more, want) => expect(reported(ephemeral(more))).toEqual(want));

const main = (more: object) => (spec: Spec) => Object.assign(spec.containers[0], more);
const at = (...fields: string[]): string[] => fields.map((field) => field.replace(' ', ' spec.containers[0].'));

test.each<[string, object, string[]]>([
  ['no image', { image: '' }, at('Required image')],
  ['an image with a space around it', { image: ' a' }, at('Invalid image')],
  ['each pull policy', { imagePullPolicy: 'IfNotPresent' }, []],
  ['never pulling', { imagePullPolicy: 'Never' }, []],
  ['an unknown pull policy', { imagePullPolicy: 'Often' }, at('NotSupported imagePullPolicy')],
  ['last words from the log', { terminationMessagePolicy: 'FallbackToLogsOnError' }, []],
  ['unknown last words', { terminationMessagePolicy: 'Log' }, at('NotSupported terminationMessagePolicy')],
  // probes
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((name): [string, object, string[]] => [
    `a ${name} without an action`,
    { [name]: {} },
    at(`Required ${name}`),
  ]),
  ['a probe that must succeed twice', { readinessProbe: { ...probe, successThreshold: 2 } }, []],
  ...['livenessProbe', 'startupProbe'].map((name): [string, object, string[]] => [
    `a ${name} that must succeed twice`,
    { [name]: { ...probe, successThreshold: 2 } },
    at(`Invalid ${name}.successThreshold`),
  ]),
  ...['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'failureThreshold'].map(
    (name): [string, object, string[]] => [
      `a negative ${name}`,
      { readinessProbe: { ...probe, [name]: -1 } },
      at(`Invalid readinessProbe.${name}`),
    ],
  ),
  ['a probe that waits for nothing', { readinessProbe: { ...probe, initialDelaySeconds: 0 } }, []],
  [
    'a probe of two kinds',
    { livenessProbe: { ...probe, exec: { command: ['a'] } } },
    at('Forbidden livenessProbe.tcpSocket'),
  ],
  [
    'a probe that runs nothing',
    { livenessProbe: { exec: { command: [] } } },
    at('Required livenessProbe.exec.command'),
  ],
  ['a probe of a port by name', { livenessProbe: { httpGet: { port: 'web' } } }, []],
  [
    'a probe of a name that no port has',
    { livenessProbe: { httpGet: { port: 'a--b' } } },
    at('Invalid livenessProbe.httpGet.port'),
  ],
  ...['httpGet', 'tcpSocket', 'grpc'].flatMap((kind): [string, object, string[]][] =>
    [0, 65536].map((port) => [
      `${kind} of port ${port}`,
      { livenessProbe: { [kind]: { port } } },
      at(`Invalid livenessProbe.${kind}.port`),
    ]),
  ),
  ...['httpGet', 'tcpSocket', 'grpc'].map((kind): [string, object, string[]] => [
    `${kind} of the last port`,
    { livenessProbe: { [kind]: { port: 65535 } } },
    [],
  ]),
  ['a hook without an action', { lifecycle: { postStart: {} } }, at('Required lifecycle.postStart')],
  ['a hook that sleeps', { lifecycle: { preStop: { sleep: { seconds: 1 } } } }, []],
  // ports
  ['a port', { ports: [{ name: 'web', containerPort: 80 }] }, []],
  ['a port without a number', { ports: [{}] }, at('Required ports[0].containerPort')],
  ['a port that is too high', { ports: [{ containerPort: 65536 }] }, at('Invalid ports[0].containerPort')],
  ['a name that is not a port’s', { ports: [{ name: 'aB', containerPort: 1 }] }, at('Invalid ports[0].name')],
  [
    'a name of two ports',
    {
      ports: [
        { name: 'a', containerPort: 1 },
        { name: 'a', containerPort: 2 },
      ],
    },
    at('Duplicate ports[1].name'),
  ],
  [
    'a port of an unknown protocol',
    { ports: [{ containerPort: 1, protocol: 'ICMP' }] },
    at('NotSupported ports[0].protocol'),
  ],
  [
    'a port of the node that is too high',
    { ports: [{ containerPort: 1, hostPort: 65536 }] },
    at('Invalid ports[0].hostPort'),
  ],
  [
    'a port of the node twice',
    {
      ports: [
        { containerPort: 1, hostPort: 80 },
        { containerPort: 2, hostPort: 80 },
      ],
    },
    at('Duplicate ports[1].hostPort'),
  ],
  [
    'a port of two addresses, or of two protocols, of the node',
    {
      ports: [
        { containerPort: 1, hostPort: 80 },
        { containerPort: 1, hostPort: 80, hostIP: '10.0.0.1' },
        { containerPort: 1, hostPort: 80, protocol: 'UDP' },
        { containerPort: 2 },
        { containerPort: 3 },
      ],
    },
    [],
  ],
  // variables
  ['a variable', { env: [{ name: 'A', value: 'b' }] }, []],
  ['a variable without a name', { env: [{ value: 'b' }] }, at('Required env[0].name')],
  ['a name that is not a variable’s', { env: [{ name: 'A=B' }] }, at('Invalid env[0].name')],
  ['a variable without a source', { env: [{ name: 'A', valueFrom: {} }] }, at('Invalid env[0].valueFrom')],
  [
    'a variable with a value from two places',
    { env: [{ name: 'A', value: 'b', valueFrom: { secretKeyRef: { name: 'x', key: 'k' } } }] },
    at('Invalid env[0].valueFrom'),
  ],
  [
    'a variable from two places',
    {
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 'x', key: 'k' }, configMapKeyRef: { name: 'x', key: 'k' } } },
      ],
    },
    at('Invalid env[0].valueFrom'),
  ],
  ...['configMapKeyRef', 'secretKeyRef'].map((name): [string, object, string[]] => [
    `a variable from a ${name} without a key`,
    { env: [{ name: 'A', valueFrom: { [name]: { name: 'x' } } }] },
    at(`Required env[0].valueFrom.${name}.key`),
  ]),
  ...['configMapKeyRef', 'secretKeyRef'].map((name): [string, object, string[]] => [
    `a variable from a ${name} without a name`,
    { env: [{ name: 'A', valueFrom: { [name]: { key: 'k' } } }] },
    at(`Invalid env[0].valueFrom.${name}.name`),
  ]),
  [
    'a resize policy of nothing',
    { resizePolicy: [{ restartPolicy: 'NotRequired' }, { resourceName: 'disk', restartPolicy: 'NotRequired' }] },
    at('Required resizePolicy', 'NotSupported resizePolicy'),
  ],
  [
    'a variable from no resource',
    { env: [{ name: 'A', valueFrom: { resourceFieldRef: {} } }] },
    at('Required env[0].valueFrom.resourceFieldRef.resource'),
  ],
  ...(
    [
      ['metadata.uid', []],
      ['status.podIP', []],
      ["metadata.annotations['a/b']", []],
      ["metadata.labels['app']", []],
      ['', ['Required']],
      ['metadata.labels', ['NotSupported']],
      ['status.phase', ['NotSupported']],
      ['spec.containers', ['Invalid']],
      ["metadata.labels['']", ['Invalid']],
      ["x.metadata.labels['app']", ['Invalid']],
    ] as const
  ).map(([fieldPath, want]): [string, object, string[]] => [
    `a variable from the field "${fieldPath}"`,
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath } } }] },
    at(...want.map((reason) => `${reason} env[0].valueFrom.fieldRef.fieldPath`)),
  ]),
  ['all variables of a Secret', { envFrom: [{ secretRef: { name: 'x' } }] }, []],
  ['all variables of nothing', { envFrom: [{}] }, at('Invalid envFrom')],
  ['of both', { envFrom: [{ secretRef: { name: 'x' }, configMapRef: { name: 'y' } }] }, at('Invalid envFrom')],
  ['of a Secret without a name', { envFrom: [{ secretRef: {} }] }, at('Required envFrom[0].secretRef.name')],
  ['of a ConfigMap without a name', { envFrom: [{ configMapRef: {} }] }, at('Required envFrom[0].configMapRef.name')],
  // resources: without a request, the limit is one
  ['standard resources', { resources: { requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' } } }, []],
  ['a request of its limit', { resources: { requests: { cpu: '1' }, limits: { cpu: '1000m' } } }, []],
  [
    'a request above its limit',
    { resources: { requests: { cpu: '1001m' }, limits: { cpu: '1' } } },
    at('Invalid resources.requests'),
  ],
  [
    'a negative limit',
    { resources: { limits: { cpu: '-1m' } } },
    at('Invalid resources.limits[cpu]', 'Invalid resources.requests[cpu]'),
  ],
  [
    'an unknown resource',
    { resources: { limits: { gpu: '1' } } },
    at(
      'Invalid resources.limits[gpu]',
      'Invalid resources.limits[gpu]',
      'Invalid resources.requests[gpu]',
      'Invalid resources.requests[gpu]',
    ),
  ],
  ['a device', { resources: { requests: { 'a.b/gpu': '1' }, limits: { 'a.b/gpu': '1' } } }, []],
  ['a device without a limit', { resources: { requests: { 'a.b/gpu': '1' } } }, at('Required resources.limits')],
  [
    'fewer devices than the limit',
    { resources: { requests: { 'a.b/gpu': '1' }, limits: { 'a.b/gpu': '2' } } },
    at('Invalid resources.requests'),
  ],
  [
    'half a device',
    { resources: { limits: { 'a.b/gpu': '500m' } } },
    at('Invalid resources.limits[a.b/gpu]', 'Invalid resources.requests[a.b/gpu]'),
  ],
  ['huge pages', { resources: { requests: { 'hugepages-2Mi': '1Gi' }, limits: { 'hugepages-2Mi': '1Gi' } } }, []],
  [
    'huge pages without a limit',
    { resources: { requests: { 'hugepages-2Mi': '1Gi' } } },
    at('Required resources.limits'),
  ],
  // security
  ['a user', { securityContext: { runAsUser: 0, runAsGroup: 2147483647 } }, []],
  ['a negative user', { securityContext: { runAsUser: -1 } }, at('Invalid securityContext.runAsUser')],
  [
    'a group that is too high',
    { securityContext: { runAsGroup: 2147483648 } },
    at('Invalid securityContext.runAsGroup'),
  ],
  [
    'more privileges, without more privileges',
    { securityContext: { allowPrivilegeEscalation: false, privileged: true } },
    at('Invalid securityContext'),
  ],
  ['privileges', { securityContext: { allowPrivilegeEscalation: true, privileged: true } }, []],
  [
    'the capability of administrators, without more privileges',
    { securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } } },
    at('Invalid securityContext'),
  ],
  [
    'another capability, without more privileges',
    { securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ['NET_ADMIN'] } } },
    [],
  ],
  ['a profile', { securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a.json' } } }, []],
  ['an unconfined container', { securityContext: { seccompProfile: { type: 'Unconfined' } } }, []],
  [
    'an unknown profile',
    { securityContext: { seccompProfile: { type: 'Other' } } },
    at('NotSupported securityContext.seccompProfile.type'),
  ],
  [
    'a profile without a name',
    { securityContext: { seccompProfile: { type: 'Localhost' } } },
    at('Required securityContext.seccompProfile.localhostProfile'),
  ],
  [
    'a profile of the runtime with a name',
    { securityContext: { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' } } },
    at('Invalid securityContext.seccompProfile.localhostProfile'),
  ],
])('of a container: %s', (_, more, want) => expect(reported(main(more))).toEqual(want));

const mounted =
  (...mounts: object[]) =>
  (spec: Spec) => {
    spec.volumes = [{ name: 'a', emptyDir: {} }];
    spec.containers[0].volumeMounts = mounts.map((mount) => ({ name: 'a', mountPath: '/a', ...mount }));
  };
test.each<[string, (spec: Spec) => void, string[]]>([
  ['a mount', mounted({}), []],
  ['a mount of nothing', mounted({ name: '' }), at('Required volumeMounts[0].name', 'NotFound volumeMounts[0].name')],
  ['a mount of a volume that is not there', mounted({ name: 'b' }), at('NotFound volumeMounts[0].name')],
  ['a mount without a place', mounted({ mountPath: '' }), at('Required volumeMounts[0].mountPath')],
  ['two mounts in one place', mounted({}, {}), at('Invalid volumeMounts[1].mountPath')],
  ['two mounts of one volume', mounted({}, { mountPath: '/b' }), []],
  ['a mount that passes on mounts', mounted({ mountPropagation: 'Bidirectional' }), []],
  ['an unknown way of it', mounted({ mountPropagation: 'Both' }), at('NotSupported volumeMounts.mountPropagation')],
  ['a part of a volume', mounted({ subPath: 'a/..b/c' }), []],
  ['a part outside the volume', mounted({ subPath: 'a/../../b' }), at('Invalid volumeMounts.subPath')],
  ['a part of the root', mounted({ subPath: '/etc' }), at('Invalid volumeMounts.subPath')],
])('of mounts: %s', (_, change, want) => expect(reported(change)).toEqual(want));

const term = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
const required = (terms: object[]) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
test.each<[string, object, string[]]>([
  ['each restart policy', { restartPolicy: 'OnFailure' }, []],
  ['an unknown restart policy', { restartPolicy: 'Sometimes' }, ['NotSupported spec.restartPolicy']],
  ['DNS of the cluster on the node’s network', { dnsPolicy: 'ClusterFirstWithHostNet' }, []],
  ['an account', { serviceAccountName: 'robot' }, []],
  ['an account that cannot be', { serviceAccountName: 'A' }, ['Invalid spec.serviceAccountName']],
  ['a node that cannot be', { nodeName: 'A' }, ['Invalid spec.nodeName']],
  ['a priority that cannot be', { priorityClassName: 'A' }, ['Invalid spec.priorityClassName']],
  ['a gate', { readinessGates: [{ conditionType: 'a.b/c' }] }, []],
  [
    'a gate that is not a condition',
    { readinessGates: [{ conditionType: 'a b' }] },
    ['Invalid spec.readinessGates[0].conditionType'],
  ],
  ['where it must run', { affinity: required([term]) }, []],
  [
    'nowhere',
    { affinity: required([]) },
    ['Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'],
  ],
  ['groups', { securityContext: { fsGroup: 0, supplementalGroups: [0, 2147483647] } }, []],
  ['a negative group', { securityContext: { fsGroup: -1 } }, ['Invalid spec.securityContext.fsGroup']],
  [
    'invalid supplemental groups',
    { securityContext: { supplementalGroups: [1, -1, 2147483648] } },
    ['Invalid spec.securityContext.supplementalGroups[1]', 'Invalid spec.securityContext.supplementalGroups[2]'],
  ],
  ['when files change their group', { securityContext: { fsGroupChangePolicy: 'OnRootMismatch' } }, []],
  [
    'an unknown time',
    { securityContext: { fsGroupChangePolicy: 'Never' } },
    ['NotSupported spec.securityContext.fsGroupChangePolicy'],
  ],
  [
    'a profile for all',
    { securityContext: { seccompProfile: { type: 'x' } } },
    ['NotSupported spec.securityContext.seccompProfile.type'],
  ],
  [
    'processes of the Pod and of the node',
    { shareProcessNamespace: true, hostPID: true },
    ['Invalid spec.securityContext.shareProcessNamespace'],
  ],
  ['processes of the Pod', { shareProcessNamespace: true }, []],
])('of the Pod: %s', (_, more, want) => expect(reported((spec) => Object.assign(spec, more))).toEqual(want));

test.each<[object, string[]]>([
  [{ key: 'a', operator: 'Exists' }, []],
  [{ key: 'a', value: 'b' }, []],
  [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }, []],
  [{ operator: 'Exists' }, []],
  [{ operator: 'Equal', value: 'b' }, ['Invalid spec.tolerations[0].operator']],
  [{ value: 'b' }, ['Invalid spec.tolerations[0].operator']],
  [{ key: 'a b', operator: 'Exists' }, ['Invalid spec.tolerations[0].key']],
  [{ key: 'a', operator: 'Exists', value: 'b' }, ['Invalid spec.tolerations[0].operator']],
  [{ key: 'a', operator: 'In' }, ['NotSupported spec.tolerations[0].operator']],
  [{ key: 'a', operator: 'Exists', effect: 'PreferNoSchedule' }, []],
  [{ key: 'a', operator: 'Exists', effect: 'Never' }, ['NotSupported spec.tolerations[0].effect']],
  [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }, []],
  [
    { key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 },
    ['Invalid spec.tolerations[0].effect'],
  ],
  [{ key: 'a', operator: 'Exists', tolerationSeconds: 0 }, ['Invalid spec.tolerations[0].effect']],
])('of the toleration %j: %j', (toleration, want) =>
  expect(reported((spec) => (spec.tolerations = [toleration]))).toEqual(want),
);

const spread = (more: object) => (spec: Spec) =>
  (spec.topologySpreadConstraints = [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...more }]);
const podTerm = (more: object) => (spec: Spec) =>
  (spec.affinity = {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...more }] },
  });
const weight = (value: number) => (spec: Spec) =>
  (spec.affinity = {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: value, preference: {} }] },
  });
const PREFERRED = 'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]';
const REQUIRED = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';

test.each<[string, (spec: Spec) => void, string[]]>([
  ['an even spread', spread({}), []],
  ['no skew', spread({ maxSkew: 0 }), ['Invalid spec.topologySpreadConstraints[0].maxSkew']],
  ['no topology', spread({ topologyKey: '' }), ['Required spec.topologySpreadConstraints[0].topologyKey']],
  ['no domain', spread({ minDomains: 0 }), ['Invalid spec.topologySpreadConstraints[0].minDomains']],
  ['a weight of 0', weight(0), [`Invalid ${PREFERRED}.weight`]],
  ['a weight of 1', weight(1), []],
  ['a weight of 100', weight(100), []],
  ['a weight of 101', weight(101), [`Invalid ${PREFERRED}.weight`]],
  ['other Pods', podTerm({ labelSelector: { matchLabels: { a: 'b' } } }), []],
  [
    'a selector without values',
    podTerm({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    [`Required ${REQUIRED}.labelSelector.matchExpressions[0].values`],
  ],
  ['a gate twice', (s) => (s.schedulingGates = [{ name: 'a' }, { name: 'a' }]), ['Duplicate spec.schedulingGates[1]']],
  [
    'a gate and a node',
    (s) => Object.assign(s, { schedulingGates: [{ name: 'a' }], nodeName: 'n' }),
    ['Forbidden spec.nodeName'],
  ],
  ['an alias of nothing', (s) => (s.hostAliases = [{ ip: 'x' }]), ['Invalid spec.hostAliases[0].ip']],
  ['three name servers', (s) => (s.dnsConfig = { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3'] }), []],
  [
    'four name servers',
    (s) => (s.dnsConfig = { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] }),
    ['Invalid spec.dnsConfig.nameservers'],
  ],
  ['an unknown system', (s) => (s.os = { name: 'plan9' }), ['NotSupported spec.os']],
  [
    'a user namespace on the network of the host',
    (s) => Object.assign(s, { hostUsers: false, hostNetwork: true }),
    ['Forbidden spec.hostNetwork'],
  ],
])('of placement: %s', (_, change, want) => expect(reported(change)).toEqual(want));

test('a hook may sleep until the grace period ends', () => {
  const sleeping = (seconds: number) => (spec: Spec) => {
    spec.terminationGracePeriodSeconds = 60;
    spec.containers[0].lifecycle = { preStop: { sleep: { seconds } } };
  };
  expect(reported(sleeping(60))).toEqual([]);
  expect(reported(sleeping(61))).toEqual(['Invalid spec.containers[0].lifecycle.preStop.sleep']);
});

test('a block device is a claim that is not mounted', () => {
  const using =
    (volume: object, mounts: object[] = []) =>
    (spec: Spec) => {
      spec.volumes = [{ name: 'v', ...volume }];
      spec.containers[0].volumeDevices = [{ name: 'v', devicePath: '/dev/x' }];
      spec.containers[0].volumeMounts = mounts;
    };
  const claim = { persistentVolumeClaim: { claimName: 'c' } };
  expect(reported(using(claim))).toEqual([]);
  expect(reported(using({ emptyDir: {} }))).toEqual(['Invalid spec.containers[0].volumeDevices[0].name']);
  expect(reported(using(claim, [{ name: 'v', mountPath: '/x' }]))).toEqual([
    'Invalid spec.containers[0].volumeMounts[0].name',
    'Invalid spec.containers[0].volumeDevices[0].name',
  ]);
});
