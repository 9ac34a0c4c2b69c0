import { instanceNameOf, withSharedPaths } from '../../../../src/api/kinds/launcher-pod';
import { admitStatus } from '../../../../src/api/kinds/status';
import { validVm, validVmi } from '../fixtures';
import { configured, context, type Loose, named } from './fixtures';

const launcher = (more: object = {}): Loose => ({
  kind: 'Pod',
  metadata: {
    name: 'virt-launcher-web-x',
    namespace: 'default',
    labels: { 'kubevirt.io': 'virt-launcher' },
    annotations: { 'kubevirt.io/domain': 'web' },
    ownerReferences: [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: 'u' }],
  },
  spec: { nodeName: 'n', containers: [] },
  ...more,
});
describe('a path that is shared with the guest', () => {
  const shared = (path: string, readOnly = true): Loose => {
    const given: Loose = validVmi();
    given.spec.domain.devices.filesystems = [{ name: 'token', virtiofs: {} }];
    given.spec.volumes.push({ name: 'token', containerPath: { path, readOnly } });
    return given;
  };
  const pod = (source: object = { emptyDir: {} }, ...more: Loose[]): Loose => ({
    ...launcher(),
    spec: {
      containers: [
        {
          name: 'compute',
          image: 'launcher:1',
          volumeMounts: [
            { name: 'data', mountPath: '/var/run' },
            { name: 'inner', mountPath: '/var/run/secrets' },
          ],
        },
        ...more,
      ],
      volumes: [
        { name: 'data', hostPath: {} },
        { name: 'inner', ...source },
      ],
    },
  });
  const added = (given: Loose, of: Loose, configuration: Loose = {}) =>
    withSharedPaths(of, given, configured(configuration)).spec.containers.slice(1);

  test('gets a server of the innermost mount', () => {
    expect(added(shared('/var/run/secrets/a/b'), pod())).toMatchObject([
      {
        name: 'virtiofs-token',
        image: 'launcher:1',
        args: expect.arrayContaining(['--socket-path=/var/run/kubevirt/virtiofs-containers/token.sock']),
        volumeMounts: [
          { name: 'virtiofs-containers' },
          { name: 'inner', mountPath: '/virtiofs-data/token', subPath: 'a/b', readOnly: true },
        ],
        resources: { requests: { cpu: '10m', memory: '1M' }, limits: { cpu: '100m', memory: '80M' } },
        securityContext: { runAsUser: 107, capabilities: { drop: ['ALL'] } },
      },
    ]);
  });

  test('of a token is read as its owner', () => {
    const token = { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
    const [container] = added(shared('/var/run/secrets'), pod(token)) as Loose[];
    expect(container.args).toContain('--translate-uid=host:107:0:1');
    expect(container.volumeMounts[1]).not.toHaveProperty('subPath');
  });

  test('has the resources of the configuration, and for sure when the guest has', () => {
    const configuration = {
      supportContainerResources: [
        { type: 'virtiofs', resources: { limits: { cpu: '1' }, requests: { memory: '5M' } } },
      ],
    };
    const given = shared('/var/run/secrets');
    const of = () => (added(given, pod(), configuration) as Loose[])[0].resources;
    expect(of()).toEqual({ requests: { cpu: '10m', memory: '5M' }, limits: { cpu: '1', memory: '80M' } });
    given.spec.domain.cpu.dedicatedCpuPlacement = true;
    expect(of().requests).toEqual({ cpu: '1', memory: '80M' });
  });

  test.each<[string, Loose, Loose]>([
    ['that nobody mounts', shared('/elsewhere'), pod()],
    ['of a host', shared('/var/run/x'), pod()],
    ['that the guest may write', shared('/var/run/secrets', false), pod()],
    ['that is served already', shared('/var/run/secrets'), pod({ emptyDir: {} }, { name: 'virtiofs-token' })],
    ['that no file system shows', { ...shared('/var/run/secrets'), spec: validVmi().spec }, pod()],
  ])('%s gets none', (_, given, of) => expect(withSharedPaths(of, given, configured())).toBe(of));

  test('is found by the owner of its Pod', () => {
    expect(instanceNameOf(launcher())).toBe('web');
    expect(instanceNameOf({ ...launcher(), metadata: { labels: { 'kubevirt.io': 'hotplug-disk' } } })).toBeUndefined();
  });
});

describe('the status of a VM', () => {
  const machine = (status: object): Loose => ({ ...validVm(), status });
  const request = {
    addVolumeOptions: {
      name: 'new',
      disk: { name: 'new', disk: { bus: 'scsi' } },
      volumeSource: { dataVolume: { name: 'new' } },
    },
  };
  const validated = (given: Loose, old?: Loose): string[] => named(admitStatus(given, old, context()));

  test.each<[string, Loose, string[]]>([
    ['may ask for a volume', machine({ volumeRequests: [request] }), []],
    [
      'asks once',
      machine({ volumeRequests: [request, request] }),
      ['volume-request status.volumeRequests as Status.volumeRequests'],
    ],
    ['has the right types', machine({ ready: 'yes' }), ['schema-type status.ready']],
  ])('%s', (_, given, want) => expect(validated(given)).toEqual(want));

  test('cannot change the run strategy during a restore', () => {
    const halted = machine({});
    halted.spec.runStrategy = 'Halted';
    expect(validated(machine({ restoreInProgress: 'r' }), halted)).toEqual(['restore-lock spec']);
  });

  test('of other kinds has only to be of the right types', () => {
    const migration = { ...validVmi(), kind: 'VirtualMachineInstanceMigration', spec: {}, status: { phase: 1 } };
    expect(validated(migration)).toEqual(['schema-type status.phase']);
  });
});
