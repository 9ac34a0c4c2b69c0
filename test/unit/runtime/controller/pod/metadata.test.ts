import { createHash } from 'node:crypto';
import { podName } from '../../../../../src/runtime/controller/pod';
import { render, stored } from './fixtures';
import type { Change } from './fixtures';

test('the same VMI gives the same Pod, under a name of its own', () => {
  expect(render()).toEqual(render());
  expect(podName(stored())).toMatch(/^virt-launcher-fedora-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(podName(stored())).not.toBe(podName(stored((v) => (v.metadata.uid = 'other'))));
  expect(podName(stored((v) => (v.metadata.name = 'x'.repeat(253)))).length).toBeLessThanOrEqual(253);
});

test('rendering leaves the VMI as it was', () => {
  const vmi = stored();
  const before = structuredClone(vmi);
  render((v) => Object.assign(v, vmi));
  expect(vmi).toEqual(before);
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
});

test('a long name is cut in the label that finds it, and ends with its own hash', () => {
  const name = 'x'.repeat(64);
  const hash = createHash('sha1').update(name).digest('hex').slice(0, 8);
  const pod = render((v) => (v.metadata.name = name));
  expect(pod.metadata.labels?.['vmi.kubevirt.io/id']).toBe(`${'x'.repeat(54)}-${hash}`);
});

test('the Pod has the VMI’s annotations, except those that do not concern it', () => {
  const { annotations } = render(
    (v) =>
      (v.metadata.annotations = {
        mine: 'x',
        'kubevirt.io/vm-generation': '3',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
        'kubevirt.io/latest-observed-api-version': 'v1',
        'kubevirt.io/storage-observed-api-version': 'v1',
        'virt8s.io/started-paused': 'false',
        'virt8s.io/started-under': 'Manual',
        'virt8s.io/template-hash': 'y',
        'kubevirt.io/domain': 'given',
      }),
  ).metadata;
  expect(annotations).toMatchObject({
    mine: 'x',
    'kubevirt.io/vm-generation': '3',
    'kubevirt.io/domain': 'given',
    'kubectl.kubernetes.io/default-container': 'compute',
    'kubevirt.io/migrationTransportUnix': 'true',
    'descheduler.alpha.kubernetes.io/request-evict-only': '',
  });
  expect(Object.keys(annotations ?? {}).join()).not.toMatch(/last-applied|observed-api|virt8s/);
});

test.each([
  [undefined, true],
  ['true', false],
  ['1', false],
  ['false', true],
  ['yes', true],
])('backups freeze the guest unless %j disables it', (skip, want) => {
  const { annotations } = render(
    (v) => (v.metadata.annotations = skip === undefined ? {} : { 'kubevirt.io/skip-backup-hooks': skip }),
  ).metadata;
  expect('pre.hook.backup.velero.io/command' in (annotations ?? {})).toBe(want);
});

test.each<[string, Change, string]>([
  ['the one of the VMI', (v) => (v.spec.hostname = 'web'), 'web'],
  ['the first label of its name', (v) => (v.metadata.name = `${'x'.repeat(62)}.y`), 'x'.repeat(62)],
  ['cut to what DNS allows', (v) => (v.metadata.name = 'x'.repeat(70)), 'x'.repeat(63)],
  ['without a dash at the cut', (v) => (v.metadata.name = `${'x'.repeat(60)}---b`), 'x'.repeat(60)],
])('the host name is %s', (_, change, want) => {
  const pod = render(change);
  expect([pod.spec.hostname, pod.metadata.labels?.['vm.kubevirt.io/name']]).toEqual([want, want]);
});

test.each([
  ['true', true],
  ['True', true],
  ['false', false],
])('a service mesh is enabled by the VMI (%s), and gets the account’s token', (inject, mounts) => {
  const pod = render((v) => (v.metadata.annotations = { 'sidecar.istio.io/inject': inject }));
  expect(pod.metadata.labels?.['sidecar.istio.io/inject']).toBe(inject);
  expect(pod.spec.automountServiceAccountToken).toBe(mounts);
});
