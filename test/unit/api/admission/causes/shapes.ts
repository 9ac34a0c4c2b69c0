import type { Loose } from '../../fixtures';
import { both, device, disk, domain, nic, nodes, preferred, type Row, spec, spread, term } from './changes';

const numbers = (value: unknown) => Object.fromEntries(['a', 'b'].map((name) => [name, value]));
const unsigned = [-1, 0, 2 ** 32 - 1, 2 ** 32];
const signed = [-(2 ** 31) - 1, -(2 ** 31), 2 ** 31 - 1, 2 ** 31];

export const shapes: readonly Row[] = [
  ['no metadata', (_, vmi) => delete vmi.metadata],
  ['metadata of null', (_, vmi) => (vmi.metadata = null)],
  ['metadata that is a list', (_, vmi) => (vmi.metadata = [])],
  ['no spec', (_, vmi) => delete vmi.spec],
  ['a status that is wrong', (_, vmi) => (vmi.status = { phase: 1 })],
  ['a domain of null', spec({ domain: null })],
  ['no devices', (s) => delete s.domain.devices],
  [
    'nulls',
    both(
      spec({ nodeSelector: numbers(null), tolerations: [null, { key: null }] }),
      (_, vmi) => (vmi.metadata.creationTimestamp = null),
    ),
  ],
  ...['cores', 'sockets', 'threads', 'maxSockets'].flatMap((field) =>
    unsigned.map((value): Row => [`${field} of ${value}`, domain({ cpu: { [field]: value } })]),
  ),
  ...unsigned.map((value): Row => [
    `spinlocks of ${value}`,
    domain({ features: { hyperv: { spinlocks: { spinlocks: value } } } }),
  ]),
  ...unsigned.map((value): Row => [
    `a pool of ${value}`,
    domain({ ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: value } }),
  ]),
  ...signed.flatMap((value): Row[] => [
    [`a port of ${value}`, nic({ ports: [{ port: value }] })],
    [`a range from ${value}`, nic({ ports: undefined, portRanges: [{ start: value, end: 1, protocol: 'TCP' }] })],
    [`a range to ${value}`, nic({ ports: undefined, portRanges: [{ start: 1, end: value, protocol: 'TCP' }] })],
    [`a weight of ${value}`, preferred('nodeAffinity', value, { preference: term({ operator: 'In' }) })],
    [`a skew of ${value}`, spread({ maxSkew: value, minDomains: value })],
    [`a probe after ${value}`, spec({ livenessProbe: { guestAgentPing: {}, initialDelaySeconds: value } })],
  ]),
  ['an order beyond 32 bits', disk({ bootOrder: 2 ** 33 })],
  ['texts for numbers', domain({ cpu: { cores: '1' } })],
  ['a field that is misspelt', both(spec({ hostName: 'x' }), device({ disk: [] }))],
  ['a fraction of an amount', domain({ resources: { requests: { cpu: 0.5, memory: '1Gi' } } })],
  ['an amount that is not valid', domain({ memory: { guest: '1 GB' } })],
  ['an amount that is not a number', domain({ memory: { guest: true } })],
  ['an empty disk of no capacity', (s) => (s.volumes[1].emptyDisk = {})],
  [
    'a disk in memory of no capacity',
    (s) => (s.volumes[1] = { name: 'scratch', hostDisk: { path: '/x', type: 'DiskOrCreate' } }),
  ],
  ['probes of no port', spec({ livenessProbe: { tcpSocket: {} }, readinessProbe: { httpGet: {} } })],
  ['an interface of no name', device({ interfaces: [{ masquerade: {} }] })],
  ['a filesystem of no kind', device({ filesystems: [{ name: 'x' }] })],
  ['terms of no kind', spec({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } })],
  [
    'preferences of nothing',
    spec({ affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } } }),
  ],
  [
    'Pods of nothing',
    spec({ affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } } }),
  ],
  [
    'keys of no source',
    spec({
      accessCredentials: [
        { sshPublicKey: { propagationMethod: {} } },
        { userPassword: { propagationMethod: {} } },
        { sshPublicKey: { source: {} } },
      ],
    }),
  ],
  [
    'an agent of no users',
    spec({ accessCredentials: [{ sshPublicKey: { source: {}, propagationMethod: { qemuGuestAgent: {} } } }] }),
  ],
  ...['Always', 'IfNotPresent', 'Never', 'Maybe'].map((imagePullPolicy): Row => [
    `the pull policy ${imagePullPolicy}`,
    both(
      (s) => (s.volumes[0].containerDisk.imagePullPolicy = imagePullPolicy),
      domain({ firmware: { kernelBoot: { container: { image: 'x', kernelPath: '/k', imagePullPolicy } } } }),
    ),
  ]),
  ...['HTTP', 'HTTPS', 'FTP'].map((scheme): Row => [
    `the scheme ${scheme}`,
    spec({ livenessProbe: { httpGet: { port: 1, scheme } }, readinessProbe: { httpGet: { port: 1, scheme } } }),
  ]),
  ...['Equal', 'Exists', 'Like'].map((operator): Row => [
    `the toleration ${operator}`,
    spec({ tolerations: [{ key: 'a', operator }] }),
  ]),
  ...['NoExecute', 'NoSchedule', 'PreferNoSchedule', 'Never'].map((effect): Row => [
    `the effect ${effect}`,
    spec({ tolerations: [{ key: 'a', effect }] }),
  ]),
  ...['DoNotSchedule', 'ScheduleAnyway', '', 'Never'].map((whenUnsatisfiable): Row => [
    `a spread that is "${whenUnsatisfiable}"`,
    spread({ whenUnsatisfiable }),
  ]),
  ['a spread that is not named', spread({ whenUnsatisfiable: undefined })],
  ...['Honor', 'Ignore', 'Some'].map((policy): Row => [
    `the policies ${policy}`,
    spread({ nodeAffinityPolicy: policy, nodeTaintsPolicy: policy }),
  ]),
  ...['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn', 'Like', ''].map((operator): Row => [
    `the operator "${operator}"`,
    nodes(term({ operator, values: operator.includes('Exist') ? [] : ['1'] })),
  ]),
  [
    'operators that are not valid',
    both(
      spec({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'A', values: ['a'] }] }],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: {
                  matchExpressions: [{ key: 'a' } as Loose, { key: 'a', operator: 'B' }],
                  matchFields: [{ key: 'a', operator: 'C' }],
                },
              },
            ],
          },
        },
      }),
    ),
  ],
];
