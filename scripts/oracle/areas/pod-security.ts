import { create, Object, patch, pod, Step } from './scenario';
import { inNamespace } from './quotas';

type Json = Record<string, unknown>;

const SECURE = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** Changes of a Pod that the restricted level allows: spec, container and security context. */
const changes: readonly (readonly [string, Json, Json?, Json?])[] = [
  ['restricted', {}],
  ['baseline', {}, {}, { securityContext: {} }],
  ['host network', { hostNetwork: true }],
  ['host pid and ipc', { hostPID: true, hostIPC: true }],
  ['host path', { volumes: [{ name: 'v', hostPath: { path: '/' } }] }],
  [
    'two host paths',
    {
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', hostPath: { path: '/' } },
      ],
    },
  ],
  ['host port', {}, { ports: [{ containerPort: 80, hostPort: 80 }] }],
  [
    'two host ports',
    {},
    {
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 81 },
      ],
    },
  ],
  ['privileged', {}, {}, { securityContext: { ...SECURE, privileged: true, allowPrivilegeEscalation: undefined } }],
  [
    'capabilities',
    {},
    {},
    { securityContext: { ...SECURE, capabilities: { add: ['NET_ADMIN', 'SYS_TIME', 'CHOWN'], drop: ['ALL'] } } },
  ],
  [
    'bind service',
    {},
    {},
    { securityContext: { ...SECURE, capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } } },
  ],
  ['drops nothing', {}, {}, { securityContext: { ...SECURE, capabilities: {} } }],
  ['escalation', {}, {}, { securityContext: { ...SECURE, allowPrivilegeEscalation: true } }],
  ['root', {}, {}, { securityContext: { ...SECURE, runAsUser: 0 } }],
  ['root pod', { securityContext: { runAsUser: 0 } }],
  [
    'non root false',
    { securityContext: { runAsNonRoot: false } },
    {},
    { securityContext: { ...SECURE, runAsNonRoot: undefined } },
  ],
  [
    'non root container false',
    { securityContext: { runAsNonRoot: true } },
    {},
    { securityContext: { ...SECURE, runAsNonRoot: false } },
  ],
  ['unconfined', {}, {}, { securityContext: { ...SECURE, seccompProfile: { type: 'Unconfined' } } }],
  ['unconfined pod', { securityContext: { seccompProfile: { type: 'Unconfined' } } }],
  ['no seccomp', {}, {}, { securityContext: { ...SECURE, seccompProfile: undefined } }],
  ['app armor', { securityContext: { appArmorProfile: { type: 'Unconfined' } } }],
  ['selinux', { securityContext: { seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' } } }],
  ['selinux allowed', { securityContext: { seLinuxOptions: { type: 'container_t' } } }],
  ['proc mount', { hostUsers: false }, {}, { securityContext: { ...SECURE, procMount: 'Unmasked' } }],
  [
    'sysctls',
    {
      securityContext: {
        sysctls: [
          { name: 'kernel.msgmax', value: '1' },
          { name: 'net.ipv4.tcp_syncookies', value: '1' },
        ],
      },
    },
  ],
  [
    'volume types',
    {
      volumes: [
        { name: 'v', nfs: { server: 's', path: '/' } },
        { name: 'w', iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:x', lun: 0 } },
        { name: 'e', emptyDir: {} },
      ],
    },
  ],
  ['host process', { hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } }],
  ['probe host', {}, { livenessProbe: { httpGet: { port: 80, host: '1.2.3.4' } } }],
  ['lifecycle host', {}, { lifecycle: { preStop: { tcpSocket: { port: 80, host: '1.2.3.4' } } } }],
  ['init', { initContainers: [{ name: 'i', image: 'i' }] }],
  [
    'everything',
    { hostNetwork: true, hostPID: true, volumes: [{ name: 'v', hostPath: { path: '/' } }] },
    { ports: [{ containerPort: 80, hostPort: 80 }] },
    { securityContext: { privileged: true } },
  ],
  ['windows', { os: { name: 'windows' } }, {}, { securityContext: {} }],
];

function podOf(namespace: string, i: number): Object {
  const [, spec, container = {}, replaced] = changes[i]!;
  return pod(`p${i}`, spec, { securityContext: SECURE, ...container, ...replaced }, { namespace });
}

const level = (mode: string): string => `pod-security.kubernetes.io/${mode}`;

export function podSecurity(): Step[] {
  const all = (namespace: string, query = 'dryRun=All'): Step[] =>
    changes.map(([name], i) => create(name, podOf(namespace, i), { query }));
  const deployment = (namespace: string): Object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { hostNetwork: true, containers: [{ name: 'c', image: 'i' }] },
      },
    },
  });
  const others = (namespace: string): Step[] => [
    create('deployment', deployment(namespace), { query: 'dryRun=All' }),
    create(
      'job',
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j', namespace },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
      { query: 'dryRun=All' },
    ),
    create(
      'cron job',
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'j', namespace },
        spec: {
          schedule: '0 0 * * *',
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
          },
        },
      },
      { query: 'dryRun=All' },
    ),
  ];
  const versions = ['v1.0', 'v1.18', 'v1.21', 'v1.22', 'v1.25', 'v1.29', 'v1.32', 'v1.34', 'latest'];
  const labelled = (labels: Json): Object => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'areas-labels', labels } as Object['metadata'],
  });
  return [
    ...inNamespace('restricted', (namespace) => [...all(namespace), ...others(namespace)], {
      [level('enforce')]: 'restricted',
    }),
    ...inNamespace('baseline', (namespace) => [...all(namespace), ...others(namespace)], {
      [level('enforce')]: 'baseline',
    }),
    ...inNamespace('warn', (namespace) => [...all(namespace), ...others(namespace)], {
      [level('warn')]: 'restricted',
      [level('audit')]: 'restricted',
    }),
    ...inNamespace('warn-baseline', (namespace) => [...all(namespace).slice(0, 8), ...others(namespace)], {
      [level('warn')]: 'baseline',
      [level('enforce')]: 'privileged',
    }),
    ...versions.flatMap((version) =>
      inNamespace(`at-${version.replace('.', '-')}`, (namespace) => all(namespace), {
        [level('enforce')]: 'restricted',
        [level('enforce-version')]: version,
      }),
    ),
    ...inNamespace('change', (namespace) => {
      const one = `/api/v1/namespaces/${namespace}`;
      const labels = (values: Json): Json => ({ metadata: { labels: values } });
      return [
        create('privileged', podOf(namespace, 8), { silent: true }),
        create('host', podOf(namespace, 2), { silent: true }),
        create('restricted', podOf(namespace, 0), { silent: true }),
        create('baseline', podOf(namespace, 1), { silent: true }),
        create('baseline again', pod('same', {}, {}, { namespace }), { silent: true }),
        patch('baseline, dry run', `${one}?dryRun=All`, labels({ [level('enforce')]: 'baseline' })),
        patch('baseline', one, labels({ [level('enforce')]: 'baseline' })),
        patch('restricted', one, labels({ [level('enforce')]: 'restricted' })),
        patch('other label', one, labels({ x: 'y' })),
        patch('version', one, labels({ [level('enforce-version')]: 'v1.20' })),
        patch('invalid level', one, labels({ [level('enforce')]: 'nope' })),
        patch('invalid version', one, labels({ [level('enforce-version')]: '1.x' })),
        patch('invalid warning', one, labels({ [level('warn')]: 'nope' })),
        patch('future version', one, labels({ [level('enforce-version')]: 'v1.99' })),
        patch('privileged', one, labels({ [level('enforce')]: 'privileged' })),
        patch('warn', one, labels({ [level('warn')]: 'restricted' })),
        patch('pod labels', `${one}/pods/p8`, { metadata: { labels: { a: 'b' } } }),
      ];
    }),
    ...[
      { [level('enforce')]: 'restricted' },
      { [level('enforce')]: 'nope' },
      { [level('enforce-version')]: 'nope' },
      { [level('warn')]: 'nope', [level('audit')]: 'x' },
      { [level('enforce')]: '' },
      { [level('other')]: 'x' },
      { [level('enforce-version')]: 'v1.99', [level('enforce')]: 'restricted' },
    ].map((labels) => create(`namespace ${JSON.stringify(labels)}`, labelled(labels), { query: 'dryRun=All' })),
  ];
}
