import { clusterConfig, VirtualMachineInstance, virtualMachineInstanceOf } from '../../../../src/api';
import { expandedByPolicy, expandInstance, expandVirtualMachine } from '../../../../src/api/instancetype';
import { configured, Loose } from '../fixtures';
import { cluster, instancetype, preference, sizedVm, reported } from './fixtures';

describe('the VMI of a VM', () => {
  const made = (
    pref: Loose,
    change: (vm: Loose) => void = () => {},
    config = clusterConfig(),
  ): VirtualMachineInstance => {
    const vm = sizedVm((each) => {
      each.spec.preference = { name: 'linux' };
      change(each);
    });
    return virtualMachineInstanceOf(vm, cluster([instancetype(), preference(pref)], config));
  };

  test('has the size of its instance type, and an annotation with its name', () => {
    const { metadata, spec } = made({});
    expect(spec.domain).toMatchObject({ cpu: { sockets: 2 }, memory: { guest: '2Gi' } });
    expect(metadata.annotations).toEqual({
      'kubevirt.io/cluster-instancetype-name': 'small',
      'kubevirt.io/cluster-preference-name': 'linux',
    });
  });

  test('annotates objects of the namespace, too', () => {
    const vm = sizedVm((each) => (each.spec.instancetype.kind = 'virtualmachineinstancetypes'));
    const type = instancetype({}, 'VirtualMachineInstancetype');
    expect(virtualMachineInstanceOf(vm, cluster([type])).metadata.annotations).toEqual({
      'kubevirt.io/instancetype-name': 'small',
    });
  });

  test('annotates preferences of the namespace without an instance type, too', () => {
    const vm = sizedVm((each) => {
      delete each.spec.instancetype;
      each.spec.preference = { name: 'linux', kind: 'VirtualMachinePreference' };
      each.spec.template.spec.domain.memory = { guest: '1Gi' };
    });
    const wish = preference({ devices: { preferredDiskBus: 'scsi' } }, 'VirtualMachinePreference');
    const { metadata, spec } = virtualMachineInstanceOf(vm, cluster([wish]));
    expect(metadata.annotations).toEqual({ 'kubevirt.io/preference-name': 'linux' });
    expect(spec.domain.devices.disks).toEqual([{ name: 'root', disk: { bus: 'scsi' } }]);
  });

  test('has no annotation while they do not exist', () => {
    expect(virtualMachineInstanceOf(sizedVm(), cluster()).metadata.annotations).toBeUndefined();
  });

  test('gets no input device that is not requested, and no second one', () => {
    const inputs = [{ name: 'own', type: 'tablet', bus: 'usb' }];
    const own = (devices: Loose) => (vm: Loose) => Object.assign(vm.spec.template.spec.domain.devices, devices);
    expect(made({}).spec.domain.devices.inputs).toBeUndefined();
    expect(made({}, own({ inputs })).spec.domain.devices.inputs).toEqual(inputs);
    expect(made({}, own({ inputs, autoattachInputDevice: true })).spec.domain.devices.inputs).toEqual(inputs);
  });

  test('has one socket when its only vCPU shall be spread', () => {
    const cpu = { preferredCPUTopology: 'spread' };
    const vm = sizedVm((each) => (each.spec.preference = { name: 'linux' }));
    const one = instancetype({ cpu: { guest: 1 } });
    const { spec } = virtualMachineInstanceOf(vm, cluster([one, preference({ cpu })]));
    expect(spec.domain.cpu).toMatchObject({ sockets: 1, cores: 1, threads: 1 });
  });

  test('gets an input device that only the preference requests, of its preferred kind', () => {
    const devices = {
      preferredAutoattachInputDevice: true,
      preferredInputBus: 'virtio',
      preferredInputType: 'keyboard',
    };
    expect(made({ devices }).spec.domain.devices.inputs).toEqual([
      { name: 'default-0', bus: 'virtio', type: 'keyboard' },
    ]);
  });

  test('has disks and the Pod network before the preference looks at them', () => {
    const devices = { preferredDiskBus: 'virtio', preferredInterfaceModel: 'e1000e' };
    const { domain, networks } = made({ devices }).spec;
    expect(domain.devices.disks).toEqual([{ name: 'root', disk: { bus: 'virtio' } }]);
    expect(domain.devices.interfaces).toEqual([{ name: 'default', bridge: {}, model: 'e1000e' }]);
    expect(networks).toEqual([{ name: 'default', pod: {} }]);
  });

  test('gets no network if only the preference disables it', () => {
    const { domain, networks } = made({ devices: { preferredAutoattachPodInterface: false } }).spec;
    expect([domain.devices.interfaces, networks]).toEqual([undefined, undefined]);
  });
});

describe('a VM that is expanded', () => {
  const objects = [instancetype(), preference({ devices: { preferredDiskBus: 'virtio' } })];

  test('has no references', () => {
    const given = sizedVm((vm) => {
      vm.spec.preference = { name: 'linux' };
      vm.status = { instancetypeRef: { name: 'small' }, preferenceRef: { name: 'linux' }, ready: true };
    });
    const before = structuredClone(given);
    const { vm, errors, problems } = expandVirtualMachine(given, cluster(objects));
    expect([errors, problems]).toEqual([[], []]);
    expect(Object.keys(vm.spec).sort()).toEqual(['runStrategy', 'template']);
    expect(vm.status).toEqual({ ready: true });
    expect(vm.spec.template.spec?.domain.devices.disks).toEqual([{ name: 'root', disk: { bus: 'virtio' } }]);
    expect(given).toEqual(before);
  });

  test('may refer to a preference alone, and have a template without a spec', () => {
    const given = sizedVm((vm) => {
      delete vm.spec.instancetype;
      delete vm.spec.template.spec;
      vm.spec.preference = { name: 'linux' };
    });
    const { vm, problems } = expandVirtualMachine(given, cluster([preference({ preferredSubdomain: 'sub' })]));
    expect(problems).toEqual([]);
    expect(vm.spec.template.spec).toMatchObject({ subdomain: 'sub', domain: { devices: { interfaces: [{}] } } });
    expect(vm.spec).not.toHaveProperty('preference');
  });

  test('does not change if it refers to nothing or to a missing object', () => {
    const alone = sizedVm((vm) => delete vm.spec.instancetype);
    expect(expandVirtualMachine(alone, cluster(objects))).toEqual({ vm: alone, errors: [], problems: [] });
    expect(expandVirtualMachine(alone, cluster(objects)).vm).toBe(alone);
    const lost = sizedVm();
    const { vm, errors, problems } = expandVirtualMachine(lost, cluster());
    expect(vm).toBe(lost);
    expect(errors).toEqual([]);
    expect(reported(problems)).toEqual(['FieldValueNotFound spec.instancetype']);
  });

  test('is equivalent to the VM with references', () => {
    const context = cluster(objects);
    const given = sizedVm((vm) => (vm.spec.preference = { name: 'linux' }));
    const direct = virtualMachineInstanceOf(given, context);
    const expanded = virtualMachineInstanceOf(expandVirtualMachine(given, context).vm, context);
    expect(expanded.spec.domain.cpu).toEqual(direct.spec.domain.cpu);
    expect(expanded.spec.domain.memory).toEqual(direct.spec.domain.memory);
    expect(expanded.spec.domain.devices).toEqual(direct.spec.domain.devices);
  });

  test.each<[string, (vm: Loose) => void, Loose, string[]]>([
    [
      'has no field that its instance type sets',
      (vm) => (vm.spec.template.spec.domain.memory = { guest: '1Gi' }),
      {},
      ['FieldValueInvalid spec.template.spec.domain.memory.guest'],
    ],
    [
      'needs a network that the platform permits',
      () => {},
      { network: { permitBridgeInterfaceOnPodNetwork: false } },
      ['FieldValueInvalid spec.template.spec.domain.devices.interfaces'],
    ],
  ])('%s', (_, change, configuration, want) => {
    const given = sizedVm(change);
    const { vm, errors } = expandVirtualMachine(given, cluster(objects, configured(configuration)));
    expect(reported(errors)).toEqual(want);
    expect(vm).toBe(given);
  });

  test.each<['reference' | 'expand' | 'expandAll', boolean, boolean]>([
    ['reference', false, false],
    ['expand', false, true],
    ['expand', true, false],
    ['expandAll', true, true],
  ])('policy %s, a copy is kept: %s; expanded: %s', (referencePolicy, keeps, want) => {
    const given = sizedVm((vm) => {
      if (keeps) vm.status = { instancetypeRef: { name: 'other', controllerRevisionRef: { name: 'r' } } };
    });
    const context = cluster(objects, configured({ instancetype: { referencePolicy } }));
    expect(expandedByPolicy(given, context).spec.instancetype === undefined).toBe(want);
  });
});

test.each([
  ['nothing', undefined],
  ['too little', {}],
])('an instance type that says %s gives nothing, and does no harm', (_, less) => {
  const { spec, errors } = expandInstance(sizedVm(), cluster([{ ...instancetype(), spec: less }]));
  expect(errors).toEqual([]);
  expect(spec.domain.memory?.guest).toBe('0');
  expect(spec.domain.cpu?.sockets).toBe(0);
});
