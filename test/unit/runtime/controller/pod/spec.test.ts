import { compute, configured, container, render, withGates, withoutGates } from './fixtures';
import type { Change, More } from './fixtures';

const argsOf = (change: Change, more?: More): string => compute(render(change, more)).args?.join(' ') ?? '';
const annotated =
  (annotations: Record<string, string>): Change =>
  (v) =>
    (v.metadata.annotations = annotations);

test('the user’s settings for the Pod are applied, and unset ones are absent', () => {
  const said = {
    tolerations: [{ key: 'x', operator: 'Exists' as const }],
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' as const }],
    priorityClassName: 'high',
    schedulerName: 'mine',
    subdomain: 'sub',
    dnsPolicy: 'None' as const,
    dnsConfig: { nameservers: ['10.0.0.1'] },
    serviceAccountName: 'robot',
  };
  expect(render((v) => Object.assign(v.spec, said)).spec).toMatchObject(said);
  const bare = render((v) => Object.assign(v.spec, { tolerations: [], subdomain: '', schedulerName: '' })).spec;
  for (const name of Object.keys(said)) expect(bare).not.toHaveProperty(name);
});

test('the Pod ends after guest and launcher had their time', () => {
  const pod = render((v) => (v.spec.terminationGracePeriodSeconds = 60));
  expect(pod.spec).toMatchObject({ restartPolicy: 'Never', terminationGracePeriodSeconds: 90 });
  expect(compute(pod).args?.join(' ')).toContain('--grace-period-seconds 75');
  expect(render().spec.terminationGracePeriodSeconds).toBe(60);
  expect(render((v) => (v.spec.terminationGracePeriodSeconds = 0)).spec.terminationGracePeriodSeconds).toBe(30);
});

test.each<[string, Change, More]>([
  ['--image-volume', () => {}, {}],
  ['--upgrade-ordinal-ifaces', () => {}, {}],
  ['--run-as-nonroot', () => {}, {}],
  ['--hypervisor kvm', () => {}, { config: configured({ hypervisors: [{ name: 'hyperv-direct' }] }) }],
  ['--allow-emulation', () => {}, { config: configured({ developerConfiguration: { useEmulation: true } }) }],
  ['--vgpu-dedicated-hook', () => {}, { config: withGates('VGPULiveMigration') }],
  ['--vm-stats-collector', () => {}, { config: withGates('VMStatsCollector') }],
  ['--firmware-auto-selection', () => {}, { config: withGates('FirmwareAutoSelection') }],
  [
    '--disk-memory-limit 1048576',
    () => {},
    {
      config: configured({ developerConfiguration: { diskVerification: { memoryLimit: '1Mi' } } }),
    },
  ],
  ['--libvirt-log-filters 3:x 1:*', annotated({ 'kubevirt.io/libvirt-log-filters': '3:x 1:*' }), {}],
  ['--keep-after-failure', annotated({ 'kubevirt.io/keep-launcher-alive-after-failure': 'true' }), {}],
  ['--keep-after-failure', annotated({ 'kubevirt.io/keep-launcher-alive-after-failure': '' }), {}],
  ['--simulate-crash', annotated({ 'kubevirt.io/func-test-virt-launcher-fail-fast': '' }), {}],
])('the launcher’s arguments contain %s', (want, change, more) => expect(argsOf(change, more)).toContain(want));

test.each<[string, Change, More]>([
  ['--image-volume', () => {}, { config: withoutGates('ImageVolume') }],
  ['--keep-after-failure', annotated({ 'kubevirt.io/keep-launcher-alive-after-failure': 'false' }), {}],
  ['--allow-emulation', () => {}, {}],
])('the launcher’s arguments do not contain %s', (unwanted, change, more) =>
  expect(argsOf(change, more)).not.toContain(unwanted),
);

test('a cluster of several architectures is passed to the monitor', () => {
  const pod = render(() => {}, { config: withGates('CrossArchitectureVirtualization') });
  expect(compute(pod).command).toEqual(['/usr/bin/virt-launcher-monitor', '--allow-cross-arch-emulation']);
});

describe('verbosity', () => {
  const env = (labels: Record<string, string>, virtLauncher?: number) => {
    const config = configured({ developerConfiguration: { logVerbosity: { virtLauncher } } });
    const pod = render((v) => (v.metadata.labels = labels), { config });
    const names = ['VIRT_LAUNCHER_LOG_VERBOSITY', 'LIBVIRT_DEBUG_LOGS', 'VIRTIOFSD_DEBUG_LOGS'];
    const values = names.map((name) => compute(pod).env?.find((variable) => variable.name === name)?.value);
    return [...values, container(pod, 'guest-console-log')?.env?.[0].value];
  };
  test.each<[string, Record<string, string>, number | undefined, (string | undefined)[]]>([
    ['by default', {}, undefined, [undefined, undefined, undefined, '2']],
    ['of the cluster', {}, 4, ['4', undefined, undefined, '4']],
    ['of the VMI', { logVerbosity: '2' }, 4, ['2', undefined, undefined, '2']],
    ['above 5 lets everybody speak', { logVerbosity: '6' }, undefined, ['6', '1', '1', '6']],
    ['of libvirt alone', { debugLogs: 'TRUE' }, undefined, [undefined, '1', undefined, '2']],
    ['of virtiofsd alone', { virtiofsdDebugLogs: 'true' }, undefined, [undefined, undefined, '1', '2']],
  ])('%s', (_, labels, cluster, want) => expect(env(labels, cluster)).toEqual(want));

  test('that is not a number is rejected', () => {
    expect(() => env({ logVerbosity: 'loud' })).toThrow(
      'label logVerbosity: "loud" is not a whole number; set it to one, for example "2"',
    );
  });
});

test('the ports of interfaces are those of the Pod', () => {
  const pod = render(
    (v) =>
      (v.spec.domain.devices.interfaces![0].ports = [
        { name: 'http', port: 80 },
        { port: 53, protocol: 'UDP' },
      ]),
  );
  expect(compute(pod).ports).toEqual([
    { name: 'http', containerPort: 80, protocol: 'TCP' },
    { containerPort: 53, protocol: 'UDP' },
  ]);
});

describe('probes', () => {
  const ready = (readinessProbe: object) =>
    compute(render((v) => (v.spec.readinessProbe = readinessProbe))).readinessProbe;
  const agent = (seconds: number) => ['virt-probe', '--domainName', 'web_fedora', '--timeoutSeconds', String(seconds)];
  const times = { periodSeconds: 10, successThreshold: 1, failureThreshold: 3, initialDelaySeconds: 10 };
  test.each<[string, object, object]>([
    [
      'of the network wait for libvirt',
      { httpGet: { port: 80 }, initialDelaySeconds: 5, periodSeconds: 3 },
      { ...times, httpGet: { port: 80 }, initialDelaySeconds: 15, periodSeconds: 3, timeoutSeconds: 1 },
    ],
    ['of a port', { tcpSocket: { port: 22 } }, { ...times, tcpSocket: { port: 22 }, timeoutSeconds: 1 }],
    [
      'that run a program run it in the guest, and the kubelet waits a second longer',
      { exec: { command: ['cat', '/x'] }, timeoutSeconds: 4 },
      { ...times, timeoutSeconds: 5, exec: { command: [...agent(4), '--command', 'cat', '--', '/x'] } },
    ],
    [
      'that already call virt-probe are not changed',
      { exec: { command: ['virt-probe', 'x'] } },
      { ...times, timeoutSeconds: 1, exec: { command: ['virt-probe', 'x'] } },
    ],
    [
      'of the agent',
      { guestAgentPing: {}, failureThreshold: 7 },
      { ...times, failureThreshold: 7, timeoutSeconds: 2, exec: { command: [...agent(1), '--guestAgentPing'] } },
    ],
  ])('%s', (_, probe, want) => expect(ready(probe)).toEqual(want));
});

describe('security', () => {
  test('compute may bind low ports, the others have no privileges', () => {
    const pod = render();
    expect(compute(pod).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      runAsGroup: 107,
      runAsNonRoot: true,
      runAsUser: 107,
    });
    expect(pod.spec.securityContext).toEqual({ fsGroup: 107, runAsGroup: 107, runAsNonRoot: true, runAsUser: 107 });
    for (const { securityContext } of pod.spec.initContainers ?? []) {
      expect(securityContext).toMatchObject({ capabilities: { drop: ['ALL'] }, runAsNonRoot: true });
    }
  });
  test('no launcher runs as root', () => {
    const pod = render((v) => (v.status!.runtimeUser = 0), { config: withGates('Root') });
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 107 });
    expect(compute(pod).securityContext).toEqual(compute(render()).securityContext);
    expect(compute(pod).args).toContain('--run-as-nonroot');
  });
  test.each([
    [{ localhostProfile: 'p.json' }, { type: 'Localhost', localhostProfile: 'p.json' }],
    [{ runtimeDefaultProfile: true }, { type: 'RuntimeDefault' }],
    [{ runtimeDefaultProfile: false }, undefined],
  ])('seccomp: %j', (customProfile, want) => {
    const config = configured({ seccompConfiguration: { virtualMachineInstanceProfile: { customProfile } } });
    expect(render(() => {}, { config }).spec.securityContext?.seccompProfile).toEqual(want);
  });

  test.each([
    ['no profile is configured', {}, { type: 'RuntimeDefault' }],
    ['a profile of the node is', { localhostProfile: 'own.json' }, { type: 'Localhost', localhostProfile: 'own.json' }],
    ['none is wanted', { runtimeDefaultProfile: false }, undefined],
  ])('a namespace with the policy restricted, where %s', (_, customProfile, want) => {
    const config = configured({ seccompConfiguration: { virtualMachineInstanceProfile: { customProfile } } });
    const { securityContext } = render(() => {}, { config, isRestricted: true }).spec;
    expect(securityContext?.seccompProfile).toEqual(want);
  });
  test('SELinux: the type of the cluster, and no categories where Docker needs that', () => {
    const configuration = {
      selinuxLauncherType: 't',
      developerConfiguration: { featureGates: ['DockerSELinuxMCSWorkaround'], disabledFeatureGates: ['ImageVolume'] },
    };
    const pod = render(() => {}, { config: configured(configuration) });
    expect(pod.spec.securityContext?.seLinuxOptions).toEqual({ type: 't' });
    expect(compute(pod).securityContext?.seLinuxOptions).toBeUndefined();
    expect(container(pod, 'volumeroot')?.securityContext?.seLinuxOptions).toEqual({ type: 't', level: 's0' });
  });
});

test('the cluster chooses pull policy and runtime class', () => {
  const { spec } = render(() => {}, { config: configured({ imagePullPolicy: 'Always', defaultRuntimeClass: 'kata' }) });
  expect(spec.runtimeClassName).toBe('kata');
  expect(spec.containers[0].imagePullPolicy).toBe('Always');
  expect(compute(render()).imagePullPolicy).toBe('IfNotPresent');
});
