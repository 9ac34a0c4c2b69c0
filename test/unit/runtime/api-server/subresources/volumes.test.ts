import { clusterConfig } from '../../../../../src/api/cluster-config';
import type { VirtualMachine, VirtualMachineInstance, Volume } from '../../../../../src/api';
import {
  addRequest,
  decideForInstance,
  decideForVm,
  removeRequest,
} from '../../../../../src/runtime/api-server/subresources/volumes';

const config = clusterConfig(undefined);
const source = { persistentVolumeClaim: { claimName: 'c' } };
const disk = { name: 'ignored', disk: { bus: 'scsi' as const } };
const add = (name = 'data', claimName = 'c') =>
  addRequest({ name, disk, volumeSource: { persistentVolumeClaim: { claimName } } }, config);
const remove = (name: string) => removeRequest({ name }, config);
const root: Volume = { name: 'root', containerDisk: { image: 'a' } };
const plugged: Volume = { name: 'old', persistentVolumeClaim: { claimName: 'used', hotpluggable: true } };
const spec = {
  domain: { devices: { disks: [{ name: 'root' }, { name: 'old', ...{ disk: {} } }] } },
  volumes: [root, plugged],
};
const vm = { metadata: { name: 'web', resourceVersion: '7' }, spec: { template: { spec } } } as VirtualMachine;
const vmi = (more: object = {}, metadata: object = {}): VirtualMachineInstance =>
  ({
    metadata: { name: 'web', resourceVersion: '8', ...metadata },
    spec,
    status: { phase: 'Running', ...more },
  }) as never;

test.each<[string, object, RegExp]>([
  ['without a name', { disk, volumeSource: source }, /requires name to be set/],
  ['without a disk', { name: 'a', volumeSource: source }, /requires disk to not be nil/],
  ['without a source', { name: 'a', disk }, /requires VolumeSource to not be nil/],
  ['with an empty source', { name: 'a', disk, volumeSource: {} }, /requires one VolumeSource/],
  ['on a bus without hotplug', { name: 'a', disk: { disk: { bus: 'sata' } }, volumeSource: source }, /\[sata\] is not/],
])('a request %s is rejected', (_, options, message) => {
  expect(() => addRequest(options, config)).toThrow(message);
});

test('a volume is added to the template as hotpluggable, with the name of the request', () => {
  expect(decideForVm(vm, add())).toMatchObject({
    patch: {
      metadata: { resourceVersion: '7' },
      spec: {
        template: {
          spec: {
            volumes: [root, plugged, { name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }],
            domain: {
              devices: { disks: [{ name: 'root' }, { name: 'old' }, { name: 'data', disk: { bus: 'scsi' } }] },
            },
          },
        },
      },
    },
  });
});

test('a volume is removed from the template', () => {
  const { patch } = decideForVm(vm, remove('old')) as { patch: { spec: { template: { spec: typeof spec } } } };
  expect(patch.spec.template.spec).toEqual({ volumes: [root], domain: { devices: { disks: [{ name: 'root' }] } } });
});

test.each([
  ['a name that is in use', add('root'), 'Unable to add volume [root] because volume with that name already exists'],
  ['a claim that is in use', add('data', 'used'), 'Unable to add volume source [used] because it already exists'],
  ['an unknown volume', remove('none'), 'Unable to remove volume [none] because it does not exist'],
  ['the boot disk', remove('root'), 'Unable to remove volume [root] because it is not hotpluggable'],
])('%s is rejected with 409', (_, request, message) => {
  for (const decision of [decideForVm(vm, request), decideForInstance(vmi(), request)]) {
    expect(decision).toMatchObject({ refusal: { code: 409, message: expect.stringContaining(message) } });
  }
});

test('an instance remembers the volumes that its VM does not have', () => {
  const annotation = 'kubevirt.io/ephemeral-hotplug-volumes';
  expect(decideForInstance(vmi(), add())).toMatchObject({
    patch: { metadata: { annotations: { [annotation]: 'data' } } },
  });
  const has = vmi({}, { annotations: { [annotation]: 'old' } });
  expect(decideForInstance(has, remove('old'))).toMatchObject({
    patch: { metadata: { annotations: { [annotation]: null } } },
  });
});

test.each<[string, VirtualMachineInstance, ReturnType<typeof remove>, RegExp]>([
  ['that does not run', vmi({ phase: 'Scheduled' }), add(), /VMI is not running/],
  ['that still releases the name', vmi({ volumeStatus: [{ name: 'data', target: '' }] }), add(), /already exists/],
  [
    'for a volume of its VM',
    vmi({}, { ownerReferences: [{ controller: true, kind: 'VirtualMachine' }] }),
    remove('old'),
    /it is a volume of the VM/,
  ],
])('an instance %s rejects the request', (_, of, request, message) => {
  expect(decideForInstance(of, request)).toMatchObject({ refusal: { message: expect.stringMatching(message) } });
});
