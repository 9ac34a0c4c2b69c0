/** @needs guest */
import { BLANK, eventually, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';

/** The engine's programs and parts run with the permissions that they declare, and those suffice. */
describe('the identities of an engine', () => {
  let engine: SuiteEngine;
  beforeAll(async () => void (engine = await SuiteEngine.begin()));
  afterAll(async () => expect(await engine.end()).toEqual([]));

  test('suffice to start, restart and delete a VM with a claim', async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '256Mi' } } },
    };
    const vm = JSON.parse(JSON.stringify(tinyVm('known', { graceSeconds: 0, image: BLANK })));
    const { spec } = vm.spec.template;
    spec.volumes.push({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
    spec.domain.devices.disks = [...(spec.domain.devices.disks ?? []), { name: 'data', disk: { bus: 'virtio' } }];
    const earlier = engine.audit().length;
    await engine.mustApply(claim);
    await engine.mustApply(vm);
    await engine.vmBecomes('known', 'Running');
    expect((await engine.virt8s('restart', 'known')).code).toBe(0);
    await engine.vmBecomes('known', 'Running');
    await engine.kubectl('delete', 'vm', 'known', '--timeout=5m');
    await engine.kubectl('delete', 'pvc', 'data', '--timeout=5m');
    await eventually(async () => expect(await engine.list('pv')).toEqual([]));

    const audit = engine.audit().slice(earlier);
    const refused = audit.filter(({ code }) => code === 403);
    expect(
      refused.map(({ user, verb, resource, subresource, name }) => [user, verb, resource, subresource, name]),
    ).toEqual([]);
    const users = new Set(audit.map(({ user }) => user));
    for (const user of [
      'system:kube-scheduler',
      'system:local-storage',
      'system:serviceaccount:kubevirt:kubevirt-apiserver',
      'system:serviceaccount:kubevirt:kubevirt-controller',
      'system:serviceaccount:kubevirt:kubevirt-handler',
    ]) {
      expect(users).toContain(user);
    }
    expect([...users].filter((user) => user.startsWith('system:node:'))).toHaveLength(1);
  });

  test('do not include a Pod without a role', async () => {
    await engine.mustApply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { key: 'value' },
    });
    const account = `system:serviceaccount:${engine.namespace}:default`;
    for (const what of [
      ['get', 'configmaps'],
      ['get', 'pods', '-A'],
      ['delete', 'configmap', 'settings'],
      ['get', 'vms'],
    ]) {
      const answer = await engine.run('kubectl', [...what, '--as', account]);
      expect(answer.stderr).toMatch(/Forbidden.*User "system:serviceaccount:[\w-]+:default" cannot/s);
    }
  });
});
