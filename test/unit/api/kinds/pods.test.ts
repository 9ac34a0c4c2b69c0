import { decideEviction } from '../../../../src/api/kinds/eviction';
import { instanceNameOf, withSharedPaths } from '../../../../src/api/kinds/launcher-pod';
import { admitStatus } from '../../../../src/api/kinds/status';
import { validVm, validVmi } from '../fixtures';
import { cluster, configured, context, type Loose, named } from './fixtures';

const vmi = (status: object = {}, evictionStrategy?: string): Loose => ({
  ...validVmi(),
  spec: { ...validVmi().spec, ...(evictionStrategy && { evictionStrategy }) },
  status: { nodeName: 'n', ...status },
});
const movable = { conditions: [{ type: 'LiveMigratable', status: 'True' }] };
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
const disk = (): Loose => ({
  kind: 'Pod',
  metadata: {
    name: 'hp-volume-a',
    namespace: 'default',
    labels: { 'kubevirt.io': 'hotplug-disk' },
    ownerReferences: [{ kind: 'Pod', name: 'virt-launcher-web-x' }],
  },
});
const said = (pod: Loose, objects: Loose[], configuration: Loose = {}): string => {
  const decision = decideEviction(pod, {}, false, { config: configured(configuration), ...cluster(...objects) });
  if (decision.allowed) return 'goes';
  return decision.evacuate ? `leaves ${decision.evacuate.nodeName}` : decision.message;
};

test.each<[string, string, Loose, Loose[], Loose?]>([
  ['of another program', 'goes', { kind: 'Pod', metadata: { name: 'a' } }, []],
  ['that has ended', 'goes', launcher({ status: { phase: 'Failed' } }), [vmi({}, 'LiveMigrate')]],
  ['without a strategy', 'goes', launcher(), [vmi()]],
  ['of a guest that stays until the end', 'goes', launcher(), [vmi(movable, 'None')]],
  ['of a guest that moves', 'leaves n', launcher(), [vmi(movable, 'LiveMigrate')]],
  ['of a guest that moves as all do', 'leaves n', launcher(), [vmi(movable)], { evictionStrategy: 'LiveMigrate' }],
  ['of a guest that others move', 'leaves n', launcher(), [vmi({}, 'External')]],
  ['of a guest that moves if it can', 'leaves n', launcher(), [vmi(movable, 'LiveMigrateIfPossible')]],
  ['of a guest that would, but cannot', 'goes', launcher(), [vmi({}, 'LiveMigrateIfPossible')]],
  [
    'of a guest that must, but cannot',
    'VMI web is configured with an eviction strategy but is not live-migratable',
    launcher(),
    [vmi({}, 'LiveMigrate')],
  ],
  [
    'of a guest on its way',
    'Evacuation in progress: Eviction triggered evacuation of VMI "default/web"',
    launcher(),
    [vmi({ ...movable, evacuationNodeName: 'n' }, 'LiveMigrate')],
  ],
  [
    'to which a guest is moving',
    'Eviction request for target Pod',
    launcher({ spec: { nodeName: 'other', containers: [] } }),
    [vmi(movable, 'LiveMigrate')],
  ],
  [
    'of a lost guest',
    'kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "web" not found',
    launcher(),
    [],
  ],
  [
    'of a disk that is in use',
    'cannot evict hotplug pod: hp-volume-a associated with running vmi: web in namespace default',
    disk(),
    [launcher(), vmi()],
  ],
  ['of a disk whose guest is gone', 'goes', disk(), [launcher()]],
  ['of a disk whose guest has ended', 'goes', disk(), [launcher({ status: { phase: 'Succeeded' } }), vmi()]],
  ['of a disk of nobody', 'goes', disk(), []],
])('a Pod %s: %s', (_, want, ...[pod, objects, configuration]) => {
  expect(said(pod, objects, configuration)).toBe(want);
});

test('who evicts is kept: the descheduler, and whether it only tries', () => {
  const where = { config: configured(), ...cluster(vmi(movable, 'LiveMigrate')) };
  const by = {
    metadata: { annotations: { 'requested-by': 'sigs.k8s.io/descheduler' } },
    deleteOptions: { dryRun: ['All'] },
  };
  expect(decideEviction(launcher(), by, false, where)).toMatchObject({
    evacuate: { byDescheduler: true, dryRun: true },
  });
  expect(decideEviction(launcher(), {}, true, where)).toMatchObject({
    evacuate: { byDescheduler: false, dryRun: true },
  });
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
    expect(instanceNameOf(disk())).toBeUndefined();
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
  const judged = (given: Loose, old?: Loose): string[] => named(admitStatus(given, old, context()));

  test.each<[string, Loose, string[]]>([
    ['may ask for a volume', machine({ volumeRequests: [request] }), []],
    [
      'asks once',
      machine({ volumeRequests: [request, request] }),
      ['volume-request status.volumeRequests as Status.volumeRequests'],
    ],
    ['has the right types', machine({ ready: 'yes' }), ['schema-type status.ready']],
  ])('%s', (_, given, want) => expect(judged(given)).toEqual(want));

  test('cannot change the run strategy during a restore', () => {
    const halted = machine({});
    halted.spec.runStrategy = 'Halted';
    expect(judged(machine({ restoreInProgress: 'r' }), halted)).toEqual(['restore-lock spec']);
  });

  test('of other kinds has only to be of the right types', () => {
    const migration = { ...validVmi(), kind: 'VirtualMachineInstanceMigration', spec: {}, status: { phase: 1 } };
    expect(judged(migration)).toEqual(['schema-type status.phase']);
  });
});
