import { launcherPodName } from '../../../../src/api/launcher-name';
import { plannedDisks } from '../../../../src/runtime/handler/container-disk/plan';
import { containerId, ownerOf, trimPod } from '../../../../src/runtime/handler/kube-types';
import type { Pod } from '../../../../src/runtime/handler/kube-types';
import { podName } from '../../../../src/runtime/controller/pod/metadata';
import { pod, vmi } from './fixtures';

describe('the VMI of a Pod', () => {
  const owned = (ref: object, name = launcherPodName('web', 'u')): Pod =>
    trimPod({ ...pod(), metadata: { ...pod().metadata, name, ownerReferences: [ref as never] } });
  const ref = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: 'u', controller: true };

  test('is its controller', () => {
    expect(ownerOf(owned(ref))).toEqual({ namespace: 'ns', name: 'web', uid: 'u' });
  });

  test('is recognised by the name that virt-controller derives', () => {
    expect(ownerOf(owned({ ...ref, uid: 'vmi-uid' }, podName(vmi())))).toMatchObject({ uid: 'vmi-uid' });
  });

  test.each([
    ['a mere owner', owned({ ...ref, controller: false })],
    ['another kind', owned({ ...ref, kind: 'VirtualMachine' })],
    ['the same kind of another group', owned({ ...ref, apiVersion: 'evil.io/v1' })],
    ['the VMI whose reference a Pod of another name copies', owned(ref, 'virt-launcher-web-abcde')],
    ['the VMI of the same name that was there before', owned({ ...ref, uid: 'u2' })],
    ['the VMI of another name with the same UID', owned({ ...ref, name: 'web2' })],
  ])('%s is not', (_, foreign) => expect(ownerOf(foreign)).toBeUndefined());
});

test('trimming keeps the fields that decisions need', () => {
  const full = { ...pod(), spec: { ...pod().spec, nodeName: 'n', tolerations: [{}] } } as Pod;
  const trimmed = trimPod(full);
  expect(trimmed.spec).not.toHaveProperty('tolerations');
  expect(plannedDisks(vmi(), trimmed)).toEqual(plannedDisks(vmi(), full));
  expect(ownerOf(trimmed)).toEqual(ownerOf(full));
  expect(trimmed.status?.containerStatuses).toEqual(full.status?.containerStatuses);
});

test('an id that could be part of many cgroup paths is rejected', () => {
  const id = '0123456789abcdef'.repeat(4);
  const of = (containerID?: string) => containerId({ name: 'c', containerID });
  expect(of(`crun://${id}`)).toBe(id);
  for (const bad of [undefined, '', id, 'crun://', 'crun://a', 'crun://../../x', `crun://${id}/x`]) {
    expect(of(bad)).toBeUndefined();
  }
});
