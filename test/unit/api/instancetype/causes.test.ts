import { join } from 'node:path';
import { admissionOf, type Finding, type KubeObject } from '../../../../src/api';
import {
  checkRequirements,
  expandInstance,
  expandVirtualMachine,
  inferMatchers,
} from '../../../../src/api/instancetype';
import { expectCauses } from '../admission/causes';
import { configured, type Loose } from '../fixtures';
import { cluster, instancetype, preference, sizedVm } from './fixtures';

const reported = (name: string, rows: readonly (readonly [string, readonly Finding[]])[]): void =>
  expectCauses(name, rows, join(__dirname, 'causes'));

test('every mistake in an instance type or preference is reported with its cause and remedy', () => {
  const validated = (object: Loose): Finding[] => admissionOf(object as KubeObject)!.create(object, cluster());
  const memory = (more: Loose): Loose => instancetype({ memory: { guest: '1Gi', ...more } });
  const cpu = (preferredCPUTopology: string, spreadOptions?: Loose): Loose =>
    preference({ cpu: { preferredCPUTopology, ...(spreadOptions ? { spreadOptions } : {}) } });
  const huge = { hugepages: { pageSize: '2Mi' } };
  const rows: [string, Loose][] = [
    ...[-1, 0, 100, 101].map((percent): [string, Loose] => [
      `memory of which ${percent} % is overcommitted`,
      memory({ overcommitPercent: percent }),
    ]),
    ['huge pages', memory(huge)],
    ['huge pages of which nothing is overcommitted', memory({ ...huge, overcommitPercent: 0 })],
    ['huge pages of which 1 % is overcommitted', memory({ ...huge, overcommitPercent: 1 })],
    ...['sockets', 'cores', 'threads', 'spread', 'any', 'socket', 'constructor', ''].map(
      (topology): [string, Loose] => [`the topology "${topology}"`, cpu(topology)],
    ),
    ...['preferSockets', 'preferCores', 'preferThreads', 'preferSpread', 'preferAny'].map((old): [string, Loose] => [
      `the older word ${old}`,
      cpu(old),
    ]),
    ...['SocketsCores', 'CoresThreads', 'SocketsCoresThreads', 'constructor'].map((across): [string, Loose] => [
      `vCPUs that are spread over ${across}`,
      cpu('spread', { across }),
    ]),
    ...[0, 1, 3].map((ratio): [string, Loose] => [`vCPUs that are spread by ${ratio}`, cpu('spread', { ratio })]),
    ...[1, 2, 3].map((ratio): [string, Loose] => [
      `vCPUs that are spread over threads by ${ratio}`,
      cpu('spread', { across: 'CoresThreads', ratio }),
    ]),
    ['a ratio of zero where nothing is spread', cpu('cores', { ratio: 0 })],
  ];
  reported(
    'objects',
    rows.map(([sentence, object]) => [sentence, validated(object)]),
  );
});

test('every mistake in a reference is reported with its cause and remedy', () => {
  const object = (kind: string, name: string, more: Loose = {}): Loose => ({
    kind,
    metadata: { name, namespace: 'default' },
    ...more,
  });
  const claim = { name: 'root', persistentVolumeClaim: { claimName: 'disk' } };
  const volumes =
    (...all: Loose[]) =>
    (vm: Loose): void => {
      vm.spec.template.spec.volumes = all;
    };
  const template =
    (spec: Loose) =>
    (vm: Loose): void => {
      volumes({ name: 'root', dataVolume: { name: 'dv' } })(vm);
      vm.spec.dataVolumeTemplates = [{ metadata: { name: 'dv' }, spec }];
    };
  const dataSource = { sourceRef: { kind: 'DataSource', name: 'ds' } };
  const root = { inferFromVolume: 'root' };
  const fields = ['instancetype', 'preference'] as const;
  const references: [string, Loose][] = [
    ['without a name', {}],
    ['with a name and a volume', { name: 'a', ...root }],
    ['with a kind and a volume', { kind: 'VirtualMachineInstancetype', ...root }],
    ...['Reject', 'Ignore', 'Maybe', ''].map((policy): [string, Loose] => [
      `with the policy "${policy}"`,
      { name: 'a', inferFromVolumeFailurePolicy: policy },
    ]),
  ];
  const inferred: [string, (vm: Loose) => void, Loose[]][] = [
    ['an unknown volume of two', volumes({ name: 'a' }, { name: 'b' }), []],
    ['a volume that the VM lacks', volumes(), []],
    [
      'a volume where the guest has no list of them',
      (vm) => {
        delete vm.spec.template.spec.volumes;
      },
      [],
    ],
    ['a volume of a template without a spec', (vm) => delete vm.spec.template.spec, []],
    ['a volume that suggests nothing', volumes({ name: 'root', emptyDisk: { capacity: '1Gi' } }), []],
    ['a claim that is not there', volumes(claim), []],
    [
      'a claim that is not there, of a VM without a namespace',
      (vm) => {
        volumes(claim)(vm);
        delete vm.metadata.namespace;
      },
      [],
    ],
    ['a claim without a name', volumes({ name: 'root', persistentVolumeClaim: {} }), []],
    ['a claim without labels', volumes(claim), [object('PersistentVolumeClaim', 'disk')]],
    ['a snapshot that is not there', template({ source: { snapshot: { name: 'snap', namespace: 'default' } } }), []],
    ['a snapshot without a name', template({ source: { snapshot: { namespace: 'default' } } }), []],
    ['a disk image', template({ source: { http: { url: 'http://a' } } }), []],
    ['a DataSource that is not there', template(dataSource), []],
    ['a DataSource without a name', template({ sourceRef: { kind: 'DataSource' } }), []],
    ['a reference to another kind', template({ sourceRef: { kind: 'Pod', name: 'a' } }), []],
    ['a DataSource without a spec', template(dataSource), [object('DataSource', 'ds')]],
    ['a DataSource of no source', template(dataSource), [object('DataSource', 'ds', { spec: {} })]],
  ];
  const revision = { metadata: { name: 'r', namespace: 'default' }, kind: 'ControllerRevision' };
  const kept = (data: Loose): Loose => ({ ...revision, data });
  const v1beta1 = 'instancetype.kubevirt.io/v1beta1';
  const lost: [string, Loose, Loose, Loose[]][] = [
    ['an object that is not there', { name: 'a' }, undefined, []],
    ['an object of the namespace that is not there', { name: 'a', kind: 'virtualmachineinstancetypes' }, undefined, []],
    ['an object without a name', {}, undefined, []],
    ['an object of another kind', { name: 'a', kind: 'Pod' }, undefined, []],
    ['a revision that is not there', { name: 'a', revisionName: 'r' }, undefined, []],
    ['a revision of the status that is not there', { name: 'a' }, { controllerRevisionRef: { name: 'r' } }, []],
    ...[
      ['nothing', undefined],
      ['null', null],
      ['another group', { apiVersion: 'apps/v1', kind: 'VirtualMachineInstancetype', spec: {} }],
      ['another kind', { apiVersion: v1beta1, kind: 'Pod', spec: {} }],
      ['no spec', { apiVersion: v1beta1, kind: 'VirtualMachineInstancetype' }],
      ['no spec and no kind', { apiVersion: v1beta1 }],
      ['null for a spec', { apiVersion: v1beta1, spec: null }],
    ].map(([what, data]): [string, Loose, Loose, Loose[]] => [
      `a revision of ${what as string}`,
      { name: 'a', revisionName: 'r' },
      undefined,
      [kept(data)],
    ]),
  ];
  reported('references', [
    ...fields.flatMap((field) =>
      references.map(([sentence, matcher]): [string, Finding[]] => {
        const vm = sizedVm((each) => {
          delete each.spec.instancetype;
          each.spec[field] = matcher;
        });
        return [`a reference to the ${field} ${sentence}`, inferMatchers(vm, cluster()).errors];
      }),
    ),
    ...fields.map((field): [string, Finding[]] => {
      const of = (name: string): ReturnType<typeof sizedVm> =>
        sizedVm((vm) => (vm.spec[field] = { name, revisionName: 'r' }));
      return [`a new ${field} with the former revision`, inferMatchers(of('b'), cluster(), of('a')).errors];
    }),
    ...fields.flatMap((field) =>
      inferred.map(([sentence, change, objects]): [string, Finding[]] => {
        const vm = sizedVm((each) => {
          delete each.spec.instancetype;
          each.spec[field] = root;
          change(each);
        });
        return [`the ${field} from ${sentence}`, inferMatchers(vm, cluster(objects)).errors];
      }),
    ),
    ...lost.map(([sentence, matcher, instancetypeRef, objects]): [string, readonly Finding[]] => {
      const vm = sizedVm((each) => {
        each.spec.instancetype = matcher;
        each.status = { instancetypeRef };
      });
      return [`a size of ${sentence}`, expandInstance(vm, cluster(objects)).problems];
    }),
    [
      'a preference of another kind',
      expandInstance(
        sizedVm((vm) => (vm.spec.preference = { name: 'a', kind: 'Pod' })),
        cluster([instancetype()]),
      ).problems,
    ],
  ]);
});

test('every conflict of a VM with its instance type is reported with its cause and remedy', () => {
  const type = instancetype({
    cpu: { guest: 2, model: 'Haswell', dedicatedCPUPlacement: true },
    memory: { guest: '2Gi', maxGuest: '8Gi', hugepages: { pageSize: '2Mi' } },
    annotations: { key: 'a' },
  });
  const domain =
    (change: Loose) =>
    (vm: Loose): void =>
      Object.assign(vm.spec.template.spec.domain, change);
  const conflicts: [string, (vm: Loose) => void][] = [
    ['sockets', domain({ cpu: { sockets: 1 } })],
    ['a model', domain({ cpu: { model: 'x' } })],
    ['pinned CPUs', domain({ cpu: { dedicatedCpuPlacement: true } })],
    ['guest memory', domain({ memory: { guest: '1Gi' } })],
    ['huge pages', domain({ memory: { hugepages: { pageSize: '1Gi' } } })],
    ['most memory', domain({ memory: { maxGuest: '1Gi' } })],
    ['a request of memory', domain({ resources: { requests: { memory: '1Gi' } } })],
    ['a limit of memory', domain({ resources: { limits: { memory: '1Gi' } } })],
    ['an annotation', (vm) => (vm.spec.template.metadata = { annotations: { key: 'b' } })],
  ];
  const spread = (guest: number, spreadOptions: Loose): Finding[] => {
    const vm = sizedVm((each) => (each.spec.preference = { name: 'linux' }));
    const cpu = { preferredCPUTopology: 'spread', spreadOptions };
    return expandInstance(vm, cluster([instancetype({ cpu: { guest } }), preference({ cpu })])).errors;
  };
  const bridged = configured({ network: { permitBridgeInterfaceOnPodNetwork: false } });
  reported('conflicts', [
    ...conflicts.map(([sentence, change]): [string, Finding[]] => [
      sentence,
      expandInstance(sizedVm(change), cluster([type])).errors,
    ]),
    ['three vCPUs spread by two', spread(3, {})],
    ['four vCPUs spread by one', spread(4, { ratio: 1 })],
    ['four vCPUs spread by zero', spread(4, { ratio: 0 })],
    ['three vCPUs spread over threads', spread(3, { across: 'CoresThreads' })],
    ...[4, 5, 6, 8].map((guest): [string, Finding[]] => [
      `${guest} vCPUs spread over all`,
      spread(guest, { across: 'SocketsCoresThreads' }),
    ]),
    ['three vCPUs spread over something else', spread(3, { across: 'Nodes' })],
    [
      'a default network that is not permitted',
      expandVirtualMachine(sizedVm(), cluster([instancetype()], bridged)).errors,
    ],
  ]);
});

test('every shortfall of what a preference requires is reported with its cause and remedy', () => {
  const four = { cpu: { guest: 4 } };
  const memory = { memory: { guest: '2Gi' } };
  const domain = (change: Loose = {}): Loose => ({ architecture: 'amd64', domain: { devices: {}, ...change } });
  const size = (guest: number, amount: string): Loose => ({ cpu: { guest }, memory: { guest: amount } });
  const prefer = (preferredCPUTopology: string, across?: string): Loose => ({
    cpu: { preferredCPUTopology, spreadOptions: { across } },
  });
  const one = { cpu: { sockets: 1, cores: 1, threads: 1 } };
  const rows: [string, Loose, Loose, Loose][] = [
    ['vCPUs of the instance type', size(3, '1Gi'), { requirements: four }, domain()],
    ['memory of the instance type', size(4, '1Gi'), { requirements: memory }, domain()],
    [
      'memory that the VM has beside an instance type',
      size(4, '4Gi'),
      { requirements: memory },
      domain({ memory: { guest: '1Gi' } }),
    ],
    ['CPUs where none are named', undefined, { requirements: four }, domain()],
    ...['sockets', 'cores', 'threads', 'any', 'spread'].map((topology): [string, Loose, Loose, Loose] => [
      `vCPUs as ${topology}`,
      undefined,
      { requirements: four, ...prefer(topology) },
      domain(one),
    ]),
    ...['SocketsCores', 'CoresThreads', 'SocketsCoresThreads'].map((across): [string, Loose, Loose, Loose] => [
      `vCPUs that are spread over ${across}`,
      undefined,
      { requirements: four, ...prefer('spread', across) },
      domain(one),
    ]),
    [
      'eight as two of each',
      undefined,
      { requirements: { cpu: { guest: 8 } }, ...prefer('spread', 'SocketsCoresThreads') },
      domain({ cpu: { sockets: 2, cores: 2, threads: 2 } }),
    ],
    ['sockets that are not named', undefined, { requirements: four }, domain({ cpu: { cores: 4 } })],
    ['vCPUs of an unknown topology', undefined, { requirements: four, ...prefer('sideways') }, domain(one)],
    [
      'vCPUs that are spread over something unknown',
      undefined,
      { requirements: four, ...prefer('spread', 'constructor') },
      domain(one),
    ],
    ['memory', undefined, { requirements: memory }, domain({ memory: { guest: '1Gi' } })],
    ['memory where none is named', undefined, { requirements: memory }, domain()],
    ['an amount of memory that is not valid', undefined, { requirements: { memory: { guest: 'lots' } } }, domain()],
    [
      'more than an amount that is not valid',
      undefined,
      { requirements: memory },
      domain({ memory: { guest: 'lots' } }),
    ],
    ['another architecture', undefined, { requirements: { architecture: 'arm64' } }, domain()],
    [
      'an architecture where none is named',
      undefined,
      { requirements: { architecture: 'arm64' } },
      { domain: { devices: {} } },
    ],
    ['the same architecture', undefined, { requirements: { architecture: 'amd64' } }, domain()],
  ];
  reported(
    'requirements',
    rows.map(([sentence, type, wish, spec]) => [sentence, checkRequirements(type, wish, spec)]),
  );
});
