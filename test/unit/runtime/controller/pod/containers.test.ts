import { compute, configured, container, dedicated, mountsOf, render, volumeOf, withoutGates } from './fixtures';
import type { Change } from './fixtures';

test.each<[string, Change, object, boolean]>([
  ['is logged', () => {}, {}, true],
  ['is not logged if the VM has none', (v) => (v.spec.domain.devices.autoattachSerialConsole = false), {}, false],
  ['is not logged if the VM disables it', (v) => (v.spec.domain.devices.logSerialConsole = false), {}, false],
  [
    'is not logged if the cluster disables it',
    () => {},
    { virtualMachineOptions: { disableSerialConsoleLog: {} } },
    false,
  ],
  [
    'is, when the VM insists',
    (v) => (v.spec.domain.devices.logSerialConsole = true),
    { virtualMachineOptions: { disableSerialConsoleLog: {} } },
    true,
  ],
])('the serial console %s', (_, change, configuration, want) => {
  const log = container(render(change, { config: configured(configuration) }), 'guest-console-log');
  expect(log !== undefined).toBe(want);
  if (log) expect(log).toMatchObject({ restartPolicy: 'Always', command: ['/usr/bin/virt-tail'] });
});

describe('a file system of the guest', () => {
  const sharing =
    (volume: object, name = 'f'): Change =>
    (v) => {
      v.spec.volumes!.push({ name, ...volume });
      v.spec.domain.devices.filesystems = [{ name, virtiofs: {} }];
    };
  const daemon = (volume: object) => container(render(sharing(volume)), 'virtiofs-f');
  test.each<[string, object, string]>([
    ['a ConfigMap', { configMap: { name: 'c' } }, '/var/run/kubevirt-private/config-map/f'],
    ['a Secret', { secret: { secretName: 's' } }, '/var/run/kubevirt-private/secret/f'],
    ['the downward API', { downwardAPI: { fields: [] } }, '/var/run/kubevirt-private/downwardapi/f'],
    ['a claim', { persistentVolumeClaim: { claimName: 'p' } }, '/f'],
  ])('is served by a daemon: %s', (_, volume, path) => {
    expect(daemon(volume)).toMatchObject({
      command: ['/usr/libexec/virtiofsd'],
      volumeMounts: [
        { name: 'virtiofs-containers', mountPath: '/var/run/kubevirt/virtiofs-containers' },
        { name: 'f', mountPath: path },
      ],
    });
    expect(daemon(volume)?.args).toContain(`--shared-dir=${path}`);
    expect(mountsOf(render(sharing(volume)), 'virtiofs-containers')).toHaveLength(1);
  });
  test('of a ServiceAccount is where Kubernetes mounts the token, and belongs to the guest’s root', () => {
    const account = daemon({ serviceAccount: { serviceAccountName: 'robot' } });
    expect(account?.args?.slice(-1)).toEqual(['--translate-uid=host:107:0:1']);
    expect(account?.volumeMounts).toHaveLength(1);
  });
  test('that another webhook mounts has no daemon yet', () => {
    const pod = render(sharing({ containerPath: { path: '/x', readOnly: true } }));
    expect(container(pod, 'virtiofs-f')).toBeUndefined();
    expect(volumeOf(pod, 'virtiofs-containers')).toBeDefined();
  });
});

const hooks =
  (...sidecars: object[]): Change =>
  (v) =>
    (v.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': JSON.stringify(sidecars) });

describe('hook sidecars', () => {
  test('see the socket that the launcher looks for, and their own files', () => {
    const pod = render(
      hooks(
        { image: 'hook:1', imagePullPolicy: 'Always', args: ['-v'], command: ['/run'] },
        { configMap: { name: 'scripts', key: 'a.sh', hookPath: '/usr/bin/onDefineDomain' } },
        { image: 'hook:3', pvc: { name: 'debug', volumePath: '/debug', sharedComputePath: '/var/run/debug' } },
      ),
      { sidecarImage: 'shim:1' },
    );
    expect(container(pod, 'hook-sidecar-0')).toMatchObject({
      image: 'hook:1',
      imagePullPolicy: 'Always',
      command: ['/run'],
      args: ['-v'],
      volumeMounts: [{ name: 'hook-sidecar-sockets', mountPath: '/var/run/kubevirt-hooks', subPath: 'hook-sidecar-0' }],
    });
    expect(container(pod, 'hook-sidecar-0')?.env?.slice(-1)).toEqual([
      { name: 'CONTAINER_NAME', value: 'hook-sidecar-0' },
    ]);
    expect(container(pod, 'hook-sidecar-1')?.image).toBe('shim:1');
    expect(container(pod, 'hook-sidecar-1')?.volumeMounts?.[1]).toEqual({
      name: 'scripts',
      mountPath: '/usr/bin/onDefineDomain',
      subPath: 'a.sh',
    });
    expect(volumeOf(pod, 'scripts')).toEqual({ name: 'scripts', configMap: { name: 'scripts', defaultMode: 0o755 } });
    expect(mountsOf(pod, 'debug')).toEqual([{ name: 'debug', mountPath: '/var/run/debug' }]);
    expect(compute(pod).args?.join(' ')).toContain('--hook-sidecars 3');
  });
  test('share a script', () => {
    const configMap = { name: 'scripts', key: 'a.sh', hookPath: '/x' };
    const pod = render(hooks({ configMap }, { configMap }));
    expect(pod.spec.volumes?.filter(({ name }) => name === 'scripts')).toHaveLength(1);
  });
  test.each([
    [
      'not valid JSON',
      '{',
      /^annotation hooks.kubevirt.io\/hookSidecars is not valid JSON: .*; write an array of sidecars$/,
    ],
    ['not an array', '{}', 'annotation hooks.kubevirt.io/hookSidecars must be a JSON array of sidecars'],
  ])('are refused when the annotation is %s', (_, text, error) => {
    const change: Change = (v) => (v.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': text });
    expect(() => render(change)).toThrow(error);
  });
  test('that are null count as empty', () => {
    const change: Change = (v) => (v.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': 'null' });
    expect(render(change).spec.containers).toHaveLength(1);
  });
});

describe('network binding plugins', () => {
  const network = { binding: { p: { sidecarImage: 'plugin:1', downwardAPI: 'device-info' }, q: {} } };
  const using =
    (...names: string[]): Change =>
    (v) =>
      (v.spec.domain.devices.interfaces = names.map((name, i) => ({ name: `n${i}`, binding: { name } })));
  test('bring a sidecar, once each, that sees the networks’ devices', () => {
    const pod = render(using('p', 'q', 'p'), { config: configured({ network }) });
    expect(pod.spec.containers.map(({ name }) => name)).toEqual(['compute', 'hook-sidecar-0']);
    expect(container(pod, 'hook-sidecar-0')).toMatchObject({ image: 'plugin:1', imagePullPolicy: 'IfNotPresent' });
    expect(container(pod, 'hook-sidecar-0')?.env).toContainEqual({ name: 'NETWORK_BINDING_PLUGIN_NAME', value: 'p' });
    expect(container(pod, 'hook-sidecar-0')?.volumeMounts).toContainEqual({
      name: 'network-info-annotation',
      mountPath: '/etc/podinfo',
    });
    expect(mountsOf(pod, 'network-info-annotation')).toHaveLength(1);
  });
  test('that the configuration does not know are rejected', () => {
    expect(() => render(using('z'), { config: configured({ network }) })).toThrow(
      'network binding plugin "z" is not in the KubeVirt configuration (network.binding); register it or use one of p, q',
    );
  });
});

describe('resources of the containers beside compute', () => {
  const everything: Change = (v) => {
    hooks({ image: 'hook:1' })(v);
    v.spec.volumes!.push({ name: 'f', configMap: { name: 'c' } });
    v.spec.domain.devices.filesystems = [{ name: 'f', virtiofs: {} }];
  };
  const config = withoutGates('ImageVolume');
  const of = (change: Change, configuration = config) => {
    const pod = render((v) => (everything(v), change(v)), { config: configuration });
    const names = ['volumeroot', 'container-disk-binary', 'guest-console-log', 'virtiofs-f', 'hook-sidecar-0'];
    return Object.fromEntries(names.map((name) => [name, container(pod, name)?.resources]));
  };
  test('are small', () => {
    expect(of(() => {})).toEqual({
      volumeroot: {
        requests: { cpu: '1m', memory: '1M', 'ephemeral-storage': '50M' },
        limits: { cpu: '10m', memory: '40M' },
      },
      'container-disk-binary': { requests: { cpu: '10m', memory: '1M' }, limits: { cpu: '100m', memory: '40M' } },
      'guest-console-log': { requests: { cpu: '5m', memory: '35M' }, limits: { cpu: '15m', memory: '60M' } },
      'virtiofs-f': { requests: { cpu: '10m', memory: '1M' }, limits: { cpu: '100m', memory: '80M' } },
      'hook-sidecar-0': {},
    });
  });
  test('equal their limits in a guaranteed Pod', () => {
    const all = of(dedicated);
    expect(all['hook-sidecar-0']).toEqual({
      requests: { cpu: '200m', memory: '64M' },
      limits: { cpu: '200m', memory: '64M' },
    });
    expect(all['container-disk-binary']?.limits?.cpu).toBe('10m');
    for (const resources of Object.values(all)) expect(resources?.requests).toMatchObject(resources?.limits ?? {});
  });
  test('have the configured CPU and memory', () => {
    const sizes = { requests: { cpu: '2m', 'ephemeral-storage': '1G' }, limits: { cpu: '0', memory: '9M' } };
    const supportContainerResources = ['container-disk', 'sidecar'].map((type) => ({ type, resources: sizes }));
    const developerConfiguration = { disabledFeatureGates: ['ImageVolume'] };
    const all = of(() => {}, configured({ supportContainerResources, developerConfiguration }));
    expect(all.volumeroot).toEqual({
      requests: { cpu: '2m', memory: '1M', 'ephemeral-storage': '50M' },
      limits: { cpu: '10m', memory: '9M' },
    });
    expect(all['hook-sidecar-0']).toEqual({ requests: { cpu: '2m' }, limits: { memory: '9M' } });
  });
});
