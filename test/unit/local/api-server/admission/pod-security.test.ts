import { PodLike } from '../../../../../src/local/api-server/admission/pod-security/baseline';
import { Level, violationsOf } from '../../../../../src/local/api-server/admission/pod-security/checks';
import { namespaceWarnings } from '../../../../../src/local/api-server/admission/pod-security/plugin';
import { policyOf, show } from '../../../../../src/local/api-server/admission/pod-security/policy';
import { AnyObject } from '../../../../../src/local/api-server/types';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

const GOOD = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const pod = (context: object | undefined, spec: object = {}, more: object = {}): PodLike => ({
  metadata: {},
  spec: { containers: [{ name: 'c', image: 'i', securityContext: context, ...more }], ...spec },
});
const reported = (object: PodLike, level: Level, version: number | 'latest' = 'latest'): string[] =>
  violationsOf(object, { level, version }).map(({ reason, detail }) => `${reason} (${detail})`);

test.each<[string, PodLike, string[]]>([
  ['a plain Pod', pod(undefined), []],
  [
    'a privileged container',
    pod({ privileged: true }),
    ['privileged (container "c" must not set securityContext.privileged=true)'],
  ],
  ['allowed capabilities', pod({ capabilities: { add: ['CHOWN', 'SYS_CHROOT'] } }), []],
  [
    'other capabilities',
    pod({ capabilities: { add: ['SYS_TIME', 'NET_ADMIN', 'CHOWN'] } }),
    [
      'non-default capabilities (container "c" must not include "NET_ADMIN", "SYS_TIME" in securityContext.capabilities.add)',
    ],
  ],
  [
    'host namespaces',
    pod({}, { hostNetwork: true, hostPID: true, hostIPC: false }),
    ['host namespaces (hostNetwork=true, hostPID=true)'],
  ],
  ['a host path', pod({}, { volumes: [{ name: 'v', hostPath: {} }] }), ['hostPath volumes (volume "v")']],
  [
    'host ports',
    pod({}, {}, { ports: [{ hostPort: 80 }, { hostPort: 8080 }, { hostPort: 0 }] }),
    ['hostPort (container "c" uses hostPorts 80, 8080)'],
  ],
  [
    'a host in a probe',
    pod({}, {}, { livenessProbe: { httpGet: { host: 'h' } } }),
    ['probe or lifecycle host (container "c" uses probe or lifecycle host "h")'],
  ],
  [
    'an unmasked /proc',
    pod({ procMount: 'Unmasked' }),
    ['procMount (container "c" must not set securityContext.procMount to "Unmasked")'],
  ],
  ['an unmasked /proc in a user namespace', pod({ procMount: 'Unmasked' }, { hostUsers: false }), []],
  [
    'SELinux options',
    pod({ seLinuxOptions: { type: 'x', user: 'u', role: 'r' } }),
    [
      'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set; role may not be set)',
    ],
  ],
  [
    'no seccomp',
    pod({}, { securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    ['seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")'],
  ],
  [
    'other sysctls',
    pod({}, { securityContext: { sysctls: [{ name: 'kernel.x' }, { name: 'net.ipv4.tcp_rmem' }] } }),
    ['forbidden sysctls (kernel.x)'],
  ],
  [
    'no AppArmor',
    pod({ appArmorProfile: { type: 'Unconfined' } }),
    ['forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")'],
  ],
  [
    'a Windows host process',
    pod({ windowsOptions: { hostProcess: true } }),
    ['hostProcess (container "c" must not set securityContext.windowsOptions.hostProcess=true)'],
  ],
])('baseline checks %s', (_, object, want) => expect(reported(object, 'baseline')).toEqual(want));

test.each<[string, PodLike, string[]]>([
  ['a Pod with everything', pod(GOOD), []],
  [
    'a plain Pod',
    pod(undefined),
    [
      'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
      'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])',
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
      'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
  ],
  ['the one allowed capability', pod({ ...GOOD, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }), []],
  [
    'another capability',
    pod({ ...GOOD, capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
    ['unrestricted capabilities (container "c" must not include "CHOWN" in securityContext.capabilities.add)'],
  ],
  [
    'volume types',
    pod(GOOD, {
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', hostPath: {} },
        { name: 'd', nfs: {} },
      ],
    }),
    ['restricted volume types (volumes "b", "d" use restricted volume types "hostPath", "nfs")'],
  ],
  ['root', pod({ ...GOOD, runAsUser: 0 }), ['runAsUser=0 (container "c" must not set runAsUser=0)']],
  ['root in a user namespace', pod({ ...GOOD, runAsUser: 0, runAsNonRoot: false }, { hostUsers: false }), []],
  [
    'values of the whole Pod',
    pod(
      { ...GOOD, runAsNonRoot: undefined, seccompProfile: undefined },
      { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost' } } },
    ),
    [],
  ],
])('restricted checks %s', (_, object, want) => expect(reported(object, 'restricted')).toEqual(want));

test.each<[number, string[]]>([
  [18, ['runAsNonRoot != true']],
  [19, ['runAsNonRoot != true', 'seccompProfile']],
  [21, ['runAsNonRoot != true', 'seccompProfile']],
  [22, ['unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile']],
  [23, ['unrestricted capabilities', 'runAsNonRoot != true', 'runAsUser=0', 'seccompProfile']],
  [99, ['unrestricted capabilities', 'runAsNonRoot != true', 'runAsUser=0', 'seccompProfile']],
])('restricted:v1.%s applies the checks of that version', (version, want) => {
  const object = pod({ allowPrivilegeEscalation: false, runAsUser: 0 });
  expect(violationsOf(object, { level: 'restricted', version }).map(({ reason }) => reason)).toEqual(want);
});

test.each<[string, Record<string, string>, [string, string, string], string[]]>([
  ['no labels', {}, ['privileged:latest', 'privileged:latest', 'privileged:latest'], []],
  [
    'enforce',
    { enforce: 'baseline', 'enforce-version': 'v1.30' },
    ['baseline:v1.30', 'privileged:latest', 'baseline:v1.30'],
    [],
  ],
  [
    'its own warn level',
    { enforce: 'restricted', warn: 'privileged' },
    ['restricted:latest', 'privileged:latest', 'privileged:latest'],
    [],
  ],
  [
    'an unknown level',
    { enforce: 'x' },
    ['restricted:latest', 'privileged:latest', 'privileged:latest'],
    [
      'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted',
    ],
  ],
  [
    'an unknown version',
    { 'warn-version': 'v2.0' },
    ['privileged:latest', 'privileged:latest', 'privileged:latest'],
    ['metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "v2.0": must be "latest" or "v1.x"'],
  ],
])('labels with %s are read', (_, given, want, wrong) => {
  const at = Fields.root('metadata.labels');
  const labels = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
  );
  const { enforce, audit, warn } = policyOf(labels, at);
  expect([enforce, audit, warn].map(show)).toEqual(want);
  expect(at.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual(wrong);
});

test('a stricter level warns about existing Pods, grouped by their violations', () => {
  const named = (name: string, spec: object) => ({ ...pod({}, spec), metadata: { name } }) as unknown as AnyObject;
  const host = { hostNetwork: true };
  const pods = [
    named('b', host),
    named('a', host),
    named('x', {}),
    named('v', { volumes: [{ name: 'v', hostPath: {} }] }),
  ];
  expect(namespaceWarnings('ns', pods, { level: 'baseline', version: 'latest' })).toEqual([
    'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
    'a (and 1 other pod): host namespaces',
    'v: hostPath volumes',
  ]);
});
