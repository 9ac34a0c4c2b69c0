import { podName, renderPod } from '../../../../../src/runtime/controller/pod';
import { wholeUnits } from '../../../../../src/runtime/controller/pod/amounts';
import { memoryOverhead } from '../../../../../src/runtime/controller/pod/memory-overhead';
import { compute, configured, input, render, running, vmi, withGates } from '../fixtures';
import type { Change } from '../fixtures';

test('the same VMI gives the same Pod, under a name of its own', () => {
  expect(render()).toEqual(render());
  expect(podName(vmi())).toMatch(/^virt-launcher-fedora-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(podName(vmi())).not.toBe(podName(vmi({}, (v) => (v.metadata.uid = 'other'))));
  expect(podName(vmi({}, (v) => (v.metadata.name = 'x'.repeat(253)))).length).toBeLessThanOrEqual(253);
});

test('the VMI controls its Pod, and labels find it', () => {
  const { metadata } = render();
  expect(metadata.ownerReferences).toEqual([
    {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      name: 'fedora',
      uid: 'vmi-uid',
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  expect(metadata.labels).toEqual({
    app: 'web',
    'kubevirt.io': 'virt-launcher',
    'kubevirt.io/created-by': 'vmi-uid',
    'vm.kubevirt.io/name': 'fedora',
    'vmi.kubevirt.io/id': 'fedora',
  });
  expect(metadata.annotations).not.toHaveProperty('virt8s.io/template-hash');
});

test('compute has no privilege but to bind low ports, and the Pod ends after guest and launcher had their time', () => {
  const pod = render((v) => (v.spec.terminationGracePeriodSeconds = 60));
  expect(compute(pod).securityContext).toEqual({
    allowPrivilegeEscalation: false,
    capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
    runAsGroup: 107,
    runAsNonRoot: true,
    runAsUser: 107,
  });
  expect(pod.spec).toMatchObject({
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 90,
    automountServiceAccountToken: false,
  });
  expect(compute(pod).args?.join(' ')).toContain('--grace-period-seconds 75');
  expect(
    pod.spec.containers
      .concat(pod.spec.initContainers ?? [])
      .every((c) => c.securityContext?.capabilities?.drop?.includes('ALL')),
  ).toBe(true);
});

const overheadOf = (change: Change, ratio?: string): bigint =>
  wholeUnits(memoryOverhead(vmi({}, change), configured({ additionalGuestMemoryOverheadRatio: ratio })));

describe('resources', () => {
  const of = (change: Change, config = configured({})) => compute(render(change, config)).resources;
  test.each<[string, Change, ReturnType<typeof configured>, object]>([
    [
      'the guest and what its Pod needs beside, a tenth of a CPU, and the devices',
      () => {},
      configured({}),
      {
        limits: {
          'devices.kubevirt.io/kvm': '1',
          'devices.kubevirt.io/tun': '1',
          'devices.kubevirt.io/vhost-net': '1',
        },
        requests: { cpu: '100m', 'ephemeral-storage': '50M', memory: '1312Mi' },
      },
    ],
    [
      'no KVM and no vhost under emulation',
      () => {},
      configured({ developerConfiguration: { useEmulation: true } }),
      {
        limits: { 'devices.kubevirt.io/tun': '1' },
        requests: { cpu: '100m', 'ephemeral-storage': '50M', memory: '1312Mi' },
      },
    ],
    [
      'more vCPUs than the ratio are whole CPUs',
      (v) => (v.spec.domain.cpu = { cores: 4, sockets: 2, threads: 2 }),
      configured({ developerConfiguration: { cpuAllocationRatio: 4 } }),
      { requests: { cpu: '4', memory: '1432Mi' } },
    ],
    [
      'overcommitted memory',
      () => {},
      configured({ developerConfiguration: { memoryOvercommit: 200 } }),
      { requests: { memory: '800Mi' } },
    ],
    [
      'what the user requests and limits, with the overhead on both',
      (v) =>
        (v.spec.domain.resources = {
          requests: { memory: '2Gi', cpu: '1' },
          limits: { memory: '3Gi', 'ephemeral-storage': '1G' },
        }),
      configured({}),
      { requests: { cpu: '1', memory: '2340Mi' }, limits: { memory: '3364Mi', 'ephemeral-storage': '1050M' } },
    ],
    [
      'the overhead left to chance when the user says so',
      (v) => (v.spec.domain.resources = { requests: { memory: '1Gi' }, overcommitGuestOverhead: true }),
      configured({}),
      { requests: { memory: '1Gi' } },
    ],
    [
      'huge pages for the guest, memory for the rest',
      (v) => (v.spec.domain.memory = { guest: '1Gi', hugepages: { pageSize: '2Mi' } }),
      configured({}),
      { limits: { 'hugepages-2Mi': '1Gi' }, requests: { 'hugepages-2Mi': '1Gi', memory: '288Mi' } },
    ],
    [
      'whole CPUs of its own, and one for the emulator',
      (v) => (v.spec.domain.cpu = { cores: 2, dedicatedCpuPlacement: true, isolateEmulatorThread: true }),
      withGates('CPUManager'),
      { limits: { cpu: '3', memory: '1420Mi' }, requests: { cpu: '3', memory: '1420Mi' } },
    ],
    [
      'host devices by name',
      (v) =>
        (v.spec.domain.devices.gpus = [
          { name: 'a', deviceName: 'x.com/gpu' },
          { name: 'b', deviceName: 'x.com/gpu' },
        ]),
      configured({}),
      { limits: { 'x.com/gpu': '2' }, requests: { 'x.com/gpu': '2', memory: '2336Mi' } },
    ],
  ])('%s', (_, change, config, want) => expect(of(change, config)).toMatchObject(want));

  test('side containers of a guaranteed Pod have equal requests and limits', () => {
    const pod = render((v) => (v.spec.domain.cpu = { cores: 1, dedicatedCpuPlacement: true }));
    for (const { resources } of pod.spec.initContainers ?? []) {
      expect(resources?.requests).toMatchObject(resources?.limits ?? {});
    }
  });

  test.each<[string, Change, string | undefined, bigint]>([
    ['one vCPU with graphics', () => {}, undefined, 288n],
    ['without graphics', (v) => (v.spec.domain.devices.autoattachGraphicsDevice = false), undefined, 256n],
    ['four vCPUs', (v) => (v.spec.domain.cpu = { cores: 4 }), undefined, 312n],
    ['a TPM', (v) => (v.spec.domain.devices.tpm = {}), undefined, 341n],
    ['an SR-IOV NIC', (v) => (v.spec.domain.devices.interfaces = [{ name: 'a', sriov: {} }]), undefined, 1312n],
    ['an exec probe', (v) => (v.spec.readinessProbe = { exec: { command: ['x'] } }), undefined, 398n],
    ['an arm64 guest', (v) => (v.spec.architecture = 'arm64'), undefined, 416n],
    [
      'reserved on top',
      (v) => (v.spec.domain.memory = { guest: '1Gi', reservedOverhead: { addedOverhead: '12Mi' } }),
      undefined,
      300n,
    ],
    ['a ratio of the cluster', () => {}, '1.5', 432n],
  ])('overhead: %s', (_, change, ratio, mebibytes) => expect(overheadOf(change, ratio)).toBe(mebibytes * 1048576n));
});

describe('placement', () => {
  const selector = (change: Change, config = configured({})) => render(change, config).spec.nodeSelector;
  test('only nodes with a handler, of the architecture and with the machine type', () => {
    expect(
      selector(
        (v) => (v.spec.nodeSelector = { rack: '7' }),
        configured({ developerConfiguration: { nodeSelectors: { zone: 'a' } } }),
      ),
    ).toEqual({
      'kubevirt.io/schedulable': 'true',
      'kubernetes.io/arch': 'amd64',
      'machine-type.node.kubevirt.io/q35': 'true',
      rack: '7',
      zone: 'a',
    });
  });
  test('with the CPU model and the features that the guest requires', () => {
    const features = [
      { name: 'avx' },
      { name: 'sse', policy: 'require' as const },
      { name: 'x', policy: 'optional' as const },
    ];
    expect(selector((v) => (v.spec.domain.cpu = { model: 'Penryn', features }))).toMatchObject({
      'cpu-model.node.kubevirt.io/Penryn': 'true',
      'cpu-feature.node.kubevirt.io/avx': 'true',
      'cpu-feature.node.kubevirt.io/sse': 'true',
    });
    expect(
      Object.keys(selector((v) => (v.spec.domain.cpu = { model: 'host-passthrough' })) ?? {}).join(),
    ).not.toContain('cpu-model');
  });
  test('with Hyper-V features only when the cluster is strict', () => {
    const change: Change = (v) => (v.spec.domain.features = { hyperv: { vpindex: {}, synic: { enabled: false } } });
    expect(Object.keys(selector(change) ?? {}).join()).not.toContain('hyperv');
    expect(selector(change, withGates('HypervStrictCheck'))).toMatchObject({
      'hyperv.node.kubevirt.io/vpindex': 'true',
    });
    expect(selector(change, withGates('HypervStrictCheck'))).not.toHaveProperty('hyperv.node.kubevirt.io/synic');
  });
  test('each alternative of the user excludes what the guest cannot bear', () => {
    const term = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' as const }] });
    const pod = render((v) => {
      v.spec.domain.cpu = { model: 'host-model', features: [{ name: 'bad', policy: 'forbid' }] };
      v.spec.affinity = {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('a'), term('b')] } },
        podAffinity: {},
      };
    });
    const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
    expect(terms?.map(({ matchExpressions }) => matchExpressions?.map(({ key }) => key))).toEqual([
      ['a', 'node-labeller.kubevirt.io/obsolete-host-model', 'cpu-feature.node.kubevirt.io/bad'],
      ['b', 'node-labeller.kubevirt.io/obsolete-host-model', 'cpu-feature.node.kubevirt.io/bad'],
    ]);
    expect(pod.spec.affinity?.podAffinity).toEqual({});
  });
  test('what the user says of the Pod is the Pod’s', () => {
    const said = {
      tolerations: [{ key: 'x', operator: 'Exists' as const }],
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' as const }],
      priorityClassName: 'high',
      schedulerName: 'mine',
      subdomain: 'sub',
      dnsPolicy: 'None' as const,
      dnsConfig: { nameservers: ['10.0.0.1'] },
    };
    expect(render((v) => Object.assign(v.spec, said)).spec).toMatchObject(said);
    expect(render((v) => (v.spec.hostname = 'web.example')).spec.hostname).toBe('web');
    expect(render((v) => (v.metadata.name = `${'x'.repeat(62)}.y`)).spec.hostname).toBe('x'.repeat(62));
  });
});

test('the ports of interfaces are those of the Pod', () => {
  expect(compute(render()).ports).toEqual([{ name: 'http', containerPort: 80, protocol: 'TCP' }]);
});

test('probes of the guest are run by the kubelet, through the launcher where they need the agent', () => {
  const pod = render((v) => {
    v.spec.readinessProbe = { httpGet: { port: 80 }, initialDelaySeconds: 5, periodSeconds: 3 };
    v.spec.livenessProbe = { exec: { command: ['cat', '/x'] }, timeoutSeconds: 4 };
  });
  expect(compute(pod).readinessProbe).toEqual({ httpGet: { port: 80 }, initialDelaySeconds: 15, periodSeconds: 3 });
  expect(compute(pod).livenessProbe?.exec?.command).toEqual([
    'virt-probe',
    '--domainName',
    'web_fedora',
    '--timeoutSeconds',
    '4',
    '--command',
    'cat',
    '--',
    '/x',
  ]);
});

test.each<[string, Change, ReturnType<typeof configured>, boolean]>([
  ['is logged', () => {}, configured({}), true],
  ['is not, when there is none', (v) => (v.spec.domain.devices.autoattachSerialConsole = false), configured({}), false],
  ['is not, when the VM says so', (v) => (v.spec.domain.devices.logSerialConsole = false), configured({}), false],
  [
    'is not, when the cluster says so',
    () => {},
    configured({ virtualMachineOptions: { disableSerialConsoleLog: {} } }),
    false,
  ],
  [
    'is, when the VM insists',
    (v) => (v.spec.domain.devices.logSerialConsole = true),
    configured({ virtualMachineOptions: { disableSerialConsoleLog: {} } }),
    true,
  ],
])('the serial console %s', (_, change, config, want) => {
  expect(render(change, config).spec.initContainers?.some(({ name }) => name === 'guest-console-log') ?? false).toBe(
    want,
  );
});

test('secondary networks are asked of Multus under names that follow from theirs', () => {
  const pod = render((v) => {
    v.spec.networks = [
      { name: 'a', multus: { networkName: 'other/net' } },
      { name: 'b', multus: { networkName: 'own' } },
    ];
    v.spec.domain.devices.interfaces = [
      { name: 'a', bridge: {}, macAddress: '02:00:00:00:00:01' },
      { name: 'b', bridge: {} },
    ];
  });
  expect(JSON.parse(pod.metadata.annotations?.['k8s.v1.cni.cncf.io/networks'] ?? '')).toEqual([
    { name: 'net', namespace: 'other', mac: '02:00:00:00:00:01', interface: 'podca978112ca1' },
    { name: 'own', namespace: 'web', interface: 'pod3e23e816003' },
  ]);
});

test('sidecars run only where the cluster allows them', () => {
  const change: Change = (v) =>
    (v.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': '[{"image":"hook:1","args":["-v"]}]' });
  expect(render(change).spec.containers).toHaveLength(1);
  const pod = render(change, withGates('Sidecar'));
  expect(pod.spec.containers[1]).toMatchObject({
    name: 'hook-sidecar-0',
    image: 'hook:1',
    args: ['-v'],
    volumeMounts: [{ subPath: 'hook-sidecar-0' }],
  });
  expect(compute(pod).args?.join(' ')).toContain('--hook-sidecars 1');
});

test('a running VMI is rendered for its machine type, as the domain has it', () => {
  const of = running((v) => (v.status!.machine = { type: 'pc-q35-10.0' }));
  expect(renderPod(input(of)).spec.nodeSelector).toHaveProperty(['machine-type.node.kubevirt.io/pc-q35-10.0']);
});
