import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../../src/api';
import { review } from '../../../../src/runtime/api-server/admission/review';
import type { AdmissionRequest } from '../../../../src/runtime/api-server/admission/review';
import { createWebhooks } from '../../../../src/runtime/api-server/admission/webhooks';
import { isComponent } from '../../../../src/runtime/api-server/admission/identity';
import { applyPatch } from 'rfc6902';

const handler = 'system:serviceaccount:kubevirt:kubevirt-handler';
const webhooks = createWebhooks({ namespace: 'kubevirt', kubeVirt: () => undefined });
const spec = { domain: { devices: {}, memory: { guest: '256Mi' } } };
const vmi = (more: object = {}): VirtualMachineInstance =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'web', namespace: 'default' },
    spec,
    ...more,
  }) as VirtualMachineInstance;
const vm = (more: object = {}): VirtualMachine =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'default' },
    spec: { runStrategy: 'Always', template: { spec }, ...more },
  }) as VirtualMachine;

const ask = (
  path: string,
  operation: 'CREATE' | 'UPDATE',
  object: KubeObject,
  oldObject?: KubeObject,
  user = 'jane',
) => {
  const request: AdmissionRequest = {
    uid: 'u',
    kind: { group: 'kubevirt.io', version: 'v1', kind: object.kind },
    resource: { group: 'kubevirt.io', version: 'v1', resource: `${object.kind.toLowerCase()}s` },
    operation,
    userInfo: { username: user },
    object,
    oldObject,
  };
  const admit = webhooks.get(path);
  if (!admit) throw new Error(`no webhook ${path}`);
  const { response } = review(request, admit);
  const after = structuredClone(object);
  if (response.patch) applyPatch(after, JSON.parse(Buffer.from(response.patch, 'base64').toString('utf8')));
  return { ...response, after: after as VirtualMachineInstance };
};

test.each([
  [handler, true],
  ['system:serviceaccount:kubevirt:kubevirt-controller', true],
  ['system:serviceaccount:other:kubevirt-controller', false],
  ['system:serviceaccount:kubevirt:default', false],
  ['kubernetes-admin', false],
  [undefined, false],
])('%s is a component: %s', (user, expected) => {
  expect(isComponent(user, 'kubevirt')).toBe(expected);
});

test('a VMI is created Pending, with its defaults, whatever status its creator wrote', () => {
  const { after } = ask(
    '/virtualmachineinstances-mutate',
    'CREATE',
    vmi({ status: { phase: 'Running', nodeName: 'n' } }),
  );
  expect(after.status).toMatchObject({ phase: 'Pending' });
  expect(after.status).not.toHaveProperty('nodeName');
  expect(after.spec.domain.machine?.type).toBe('q35');
});

test("a user's write does not change the status of a VMI, a component's does", () => {
  const before = vmi({ status: { phase: 'Running' } });
  const written = vmi({ status: { phase: 'Failed' } });
  expect(ask('/virtualmachineinstances-mutate', 'UPDATE', written, before).after.status).toEqual({ phase: 'Running' });
  expect(ask('/virtualmachineinstances-mutate', 'UPDATE', written, before, handler).after.status).toEqual({
    phase: 'Failed',
  });
});

test("a user's write does not change the spec of a VMI, a component's does", () => {
  const changed = vmi({ spec: { ...spec, hostname: 'other' } });
  const path = '/virtualmachineinstances-validate-update';
  expect(ask(path, 'UPDATE', changed, vmi()).status?.message).toMatch(/^spec: update of VMI object is restricted/);
  expect(ask(path, 'UPDATE', changed, vmi(), handler).allowed).toBe(true);
});

test('a bad VM is refused with the field, on creation and on update', () => {
  const bad = vm({
    template: { spec: { ...spec, volumes: [{ name: 'a' }, { name: 'a', emptyDisk: { capacity: '1Gi' } }] } },
  });
  for (const operation of ['CREATE', 'UPDATE'] as const) {
    const { allowed, status } = ask('/virtualmachines-validate', operation, bad, vm());
    expect(allowed).toBe(false);
    expect(status?.details?.causes?.map(({ field }) => field).join()).toContain('spec.template.spec.volumes');
  }
});

test('a good VM passes; the older field is warned of', () => {
  expect(ask('/virtualmachines-validate', 'CREATE', vm())).toMatchObject({ allowed: true });
  const { warnings } = ask('/virtualmachines-validate', 'CREATE', vm({ runStrategy: undefined, running: true }));
  expect(warnings).toEqual(['spec.running is deprecated, please use spec.runStrategy instead.']);
});

test('garbage is refused, not a crash', () => {
  for (const path of webhooks.keys()) {
    const object = {
      apiVersion: 'kubevirt.io/v1',
      kind: path.includes('instance') ? 'VirtualMachineInstance' : 'VirtualMachine',
    };
    for (const body of [{}, { spec: 'x' }, { spec: { template: [], domain: 3 } }]) {
      expect(() =>
        ask(path, 'CREATE', { ...object, metadata: { name: 'x' }, ...body } as KubeObject, vmi()),
      ).not.toThrow();
    }
  }
});
