import {
  domain,
  spec,
  disk,
  volume,
  bound,
  both,
  text,
  term,
  nodes,
  preferred,
  pods,
  spread,
  key,
  type Row,
  second,
} from './changes';

export const placement: readonly Row[] = [
  // lifecycle and names
  ['a start that is not valid', spec({ startStrategy: 'Later' })],
  ['a paused start with a probe', spec({ startStrategy: 'Paused', livenessProbe: { exec: { command: ['a'] } } })],
  ['a paused start', spec({ startStrategy: 'Paused', readinessProbe: { exec: { command: ['a'] } } })],
  ['a negative time to stop', spec({ terminationGracePeriodSeconds: -1 })],
  ['no time to stop', spec({ terminationGracePeriodSeconds: 0 })],
  ...['LiveMigrate', 'LiveMigrateIfPossible', 'None', 'External', 'Live'].map((evictionStrategy): Row => [
    `the eviction strategy ${evictionStrategy}`,
    spec({ evictionStrategy }),
  ]),
  ['the platform’s unknown eviction strategy', () => undefined, 'noEviction'],
  ['a probe of nothing', spec({ readinessProbe: {}, livenessProbe: {} })],
  [
    'a probe of all kinds',
    spec({ readinessProbe: { httpGet: { port: 1 }, tcpSocket: { port: 1 }, exec: {}, guestAgentPing: {} } }),
  ],
  [
    'probes over a network that is not the Pod’s',
    both(
      bound({ bridge: {} }, { multus: { networkName: 'x' } }),
      spec({ readinessProbe: { httpGet: { port: 1 } }, livenessProbe: { tcpSocket: { port: 1 } } }),
    ),
  ],
  ['probes over one network of two', both(second({}, {}), spec({ readinessProbe: { httpGet: { port: 1 } } }))],
  ['a hostname that is not valid', spec({ hostname: 'A_' })],
  ['a subdomain that is not valid', spec({ subdomain: 'A_' })],
  ['a subdomain with dots', spec({ subdomain: 'a.b' })],
  ['a ServiceAccount that is not valid', spec({ serviceAccountName: 'A_' })],
  [
    'two ServiceAccounts',
    both(spec({ serviceAccountName: 'a' }), volume({ serviceAccount: { serviceAccountName: 'b' } })),
  ],
  ['a ServiceAccount of no name', both(spec({ serviceAccountName: 'a' }), volume({ serviceAccount: {} }))],
  [
    'a ServiceAccount twice',
    both(spec({ serviceAccountName: 'a' }), volume({ serviceAccount: { serviceAccountName: 'a' } })),
  ],
  // DNS
  ['a policy of no kind', spec({ dnsPolicy: 'Some' })],
  ...['ClusterFirstWithHostNet', 'ClusterFirst', 'Default'].map((dnsPolicy): Row => [
    `the DNS policy ${dnsPolicy}`,
    spec({ dnsPolicy }),
  ]),
  ['no resolver', spec({ dnsPolicy: 'None' })],
  ['a server alone', spec({ dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } })],
  ['no server', spec({ dnsPolicy: 'None', dnsConfig: { searches: ['a'] } })],
  [
    'three servers and six searches',
    spec({ dnsConfig: { nameservers: ['1.1.1.1', '::1', '1.1.1.2'], searches: ['a', 'b', 'c', 'd', 'e', 'f'] } }),
  ],
  [
    'four servers and seven searches',
    spec({
      dnsConfig: {
        nameservers: ['1.1.1.1', 'x', 'fe80::1%eth0', '::'],
        searches: ['a', 'b', 'c', 'd', 'e', 'f', 'G_'],
      },
    }),
  ],
  [
    'searches of 256 characters',
    spec({ dnsConfig: { searches: [`${text(63)}.${text(63)}`, `${text(63)}.${text(64)}`] } }),
  ],
  ['searches of 256 bytes', spec({ dnsConfig: { searches: [`${text(63)}.${text(63)}`, `${text(63)}.${text(63)}`] } })],
  [
    'searches of 257 bytes',
    spec({ dnsConfig: { searches: [`${text(63)}.${text(63)}`, `${text(63)}.${text(63)}`, 'a'] } }),
  ],
  ['options without a name', spec({ dnsConfig: { options: [{ name: 'a' }, { value: 'b' }] } })],
  // scheduling
  ['no node terms', nodes()],
  ...['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'].flatMap((operator): Row[] => [
    [`${operator} with no value`, nodes(term({ operator, values: [] }))],
    [`${operator} with one value`, nodes(term({ operator, values: ['1'] }))],
    [`${operator} with two values`, nodes(term({ operator, values: ['1', '2'] }))],
    [`${operator} of node names`, nodes({ matchFields: [{ key: 'metadata.name', operator, values: ['a'] }] })],
  ]),
  ['two node names', nodes({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a', 'b'] }] })],
  ['a field of nodes that is not valid', nodes({ matchFields: [{ key: 'a', operator: 'In', values: ['b'] }] })],
  ['a node name that is not valid', nodes({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['A_'] }] })],
  [
    'a node label that is not valid',
    nodes(term({ key: 'a b', operator: 'Exists', values: [] }), term({ key: '', operator: 'In' })),
  ],
  ...[0, 1, 100, 101].flatMap((weight): Row[] => [
    [`a node of weight ${weight}`, preferred('nodeAffinity', weight, { preference: term({ operator: 'In' }) })],
    [`a Pod of weight ${weight}`, preferred('podAffinity', weight, { podAffinityTerm: { topologyKey: 'a' } })],
  ]),
  ['a preference that is wrong', preferred('nodeAffinity', 1, { preference: term({ operator: 'Exists' }) })],
  ['a preferred Pod that is wrong', preferred('podAntiAffinity', 1, { podAffinityTerm: { topologyKey: 'a b' } })],
  ['Pods of no topology', pods('podAffinity', {})],
  ['Pods of a namespace that is not valid', pods('podAntiAffinity', { topologyKey: 'a', namespaces: ['a', 'B_'] })],
  [
    'labels of Pods that are not valid',
    pods('podAffinity', {
      topologyKey: 'a',
      labelSelector: { matchLabels: { 'a b': 'c', d: 'e f', g: 'h' } },
      namespaceSelector: {
        matchExpressions: [
          { key: 'a', operator: 'In', values: ['b', 'c d'] },
          { key: 'a', operator: 'Like' },
        ],
      },
    }),
  ],
  [
    'Pods of labels',
    pods('podAffinity', { topologyKey: 'a', labelSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }),
  ],
  ['a skew of zero', spread({ maxSkew: 0 })],
  ['a skew of one', spread({})],
  ['two zones', spread({}, { topologyKey: 'host' }, { whenUnsatisfiable: 'ScheduleAnyway' })],
  ['a zone twice', spread({}, {})],
  ['a spread of no topology', spread({ topologyKey: '' })],
  [
    'a spread that selects nothing',
    spread({ labelSelector: { matchLabels: { 'a b': 'c' }, matchExpressions: [{ key: 'a', operator: 'In' }] } }),
  ],
  // credentials
  ['credentials of nothing', spec({ accessCredentials: [{}] })],
  [
    'credentials of two kinds',
    spec({
      accessCredentials: [
        {
          sshPublicKey: {
            propagationMethod: { qemuGuestAgent: { users: ['a'] } },
            source: { secret: { secretName: 'x' } },
          },
          userPassword: { propagationMethod: {}, source: {} },
        },
      ],
    }),
  ],
  ['a key of no source', key({ noCloud: {} }, {})],
  ['a key of no method', key({})],
  ['a key on a config drive', key({ configDrive: {} })],
  ['a key in cloud-init', key({ noCloud: {} })],
  [
    'a key in cloud-init without user data',
    both(key({ noCloud: {} }), (s) => {
      s.volumes.pop();
      s.domain.devices.disks.pop();
    }),
  ],
  [
    'a key on a config drive that is there',
    both(key({ configDrive: {} }), (s) => (s.volumes[2] = { name: 'init', cloudInitConfigDrive: { userData: 'x' } })),
  ],
  [
    'a key in cloud-init beside a config drive',
    both(key({ noCloud: {} }), (s) => (s.volumes[2] = { name: 'init', cloudInitConfigDrive: { userData: 'x' } })),
  ],
  ['a key of no user', key({ qemuGuestAgent: { users: [] } })],
  ['a key by two ways', key({ noCloud: {}, qemuGuestAgent: { users: ['a'] } })],
  [
    'a password',
    spec({
      accessCredentials: [
        { userPassword: { propagationMethod: { qemuGuestAgent: {} }, source: { secret: { secretName: 'x' } } } },
      ],
    }),
  ],
  // metadata and doubts
  [
    'reserved labels',
    (_, vmi) =>
      (vmi.metadata.labels = Object.fromEntries(
        ['created-by', 'migrationJobUID', 'nodeName', 'migrationTargetNodeName', 'schedulable', 'install-strategy'].map(
          (name) => [`kubevirt.io/${name}`, 'x'],
        ),
      )),
  ],
  ['a label that is not valid', (_, vmi) => (vmi.metadata.labels = { 'a b': 'c', d: 'e f', g: 1 })],
  [
    'Ignition and sidecars behind their gates',
    (_, vmi) =>
      (vmi.metadata.annotations = { 'kubevirt.io/ignitiondata': 'x', 'hooks.kubevirt.io/hookSidecars': '[]' }),
    'default',
  ],
  [
    'Ignition and sidecars',
    (_, vmi) =>
      (vmi.metadata.annotations = { 'kubevirt.io/ignitiondata': 'x', 'hooks.kubevirt.io/hookSidecars': '[]' }),
  ],
  ['a name that is not valid', (_, vmi) => (vmi.metadata.name = 'A_')],
  ['a name of 63', (_, vmi) => (vmi.metadata.name = text(63))],
  ['a name of 64', (_, vmi) => (vmi.metadata.name = text(64))],
  ['CPUs of zero', domain({ cpu: { cores: 0, sockets: 0, threads: 0, maxSockets: 0 } })],
  ['a guest of a mebibyte', domain({ memory: { guest: '1Mi' } })],
  ['a guest of less', domain({ memory: { guest: '1048575' } })],
  [
    'a guest above its limit is only warned of',
    domain({ memory: { guest: '2Gi' }, resources: { limits: { memory: '1Gi' } } }),
  ],
  ['a guest of its limit', domain({ memory: { guest: '1Gi' }, resources: { limits: { memory: '1Gi' } } })],
  ['a UUID that is not valid', domain({ firmware: { uuid: 'x' } })],
  ['a UUID', domain({ firmware: { uuid: '5D307CA9-b3ef-428c-8861-06e72d69f223' } })],
  ...[20, 21, 36, 37].flatMap((length): Row[] => [
    [`a virtio serial of ${length}`, disk({ serial: text(length) })],
    [`a SATA serial of ${length}`, disk({ disk: { bus: 'sata' }, serial: text(length) })],
  ]),
  ['cloud-init twice', volume({ cloudInitConfigDrive: { userData: 'x' } })],
  ['slirp of old', bound({ slirp: {} }), 'slirp'],
  ['labels of nodes that are not valid', spec({ nodeSelector: { 'a b': 'c', d: 'e f', g: 'h' } })],
];
