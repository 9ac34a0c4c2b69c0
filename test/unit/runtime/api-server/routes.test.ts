import { apiResourceList } from '../../../../src/runtime/api-server/discovery';
import { attributesOf } from '../../../../src/runtime/api-server/authz';
import { SUBRESOURCES } from '../../../../src/runtime/api-server/registry';
import { route } from '../../../../src/runtime/api-server/routes';

const base = '/apis/subresources.kubevirt.io/v1/namespaces/default';

/** A route in one line. */
function tell(method: string, path: string): string {
  const to = route(method, path);
  if (to.to !== 'subresource') return [to.to, ...Object.values(to).slice(1)].join(' ');
  const params = Object.entries(to.params).map(([name, value]) => `${name}=${value}`);
  return [to.version, to.namespace, to.subresource.owner, to.name, to.subresource.name, ...params].join(' ');
}

test.each([
  ['GET', '/apis', 'groups'],
  ['GET', '/apis/subresources.kubevirt.io', 'group'],
  ['GET', '/apis/subresources.kubevirt.io/v1alpha3', 'resources v1alpha3'],
  ['GET', '/apis/subresources.kubevirt.io/v1/', 'resources v1'],
  ['GET', '/apis/subresources.kubevirt.io/v2', 'nothing'],
  ['GET', '/apis/subresources.kubevirt.io/v1/version', 'version v1'],
  ['GET', '/apis/upload.cdi.kubevirt.io', 'upload-group'],
  ['GET', '/apis/upload.cdi.kubevirt.io/v1beta1', 'upload-resources v1beta1'],
  ['GET', '/apis/upload.cdi.kubevirt.io/v1', 'nothing'],
  ['GET', '/healthz', 'health'],
  ['HEAD', '/healthz', 'health'],
  ['POST', '/healthz', 'wrong-method GET'],
  ['GET', '/healthz/x', 'nothing'],
  ['GET', '/readyz', 'ready'],
  ['GET', '/readyz/', 'ready'],
  ['GET', '/readyz/x', 'nothing'],
  ['GET', '/', 'nothing'],
  ['GET', '', 'nothing'],
  ['GET', 'healthz', 'nothing'],
  ['GET', '//healthz', 'nothing'],
  ['GET', '/apis/', 'groups'],
  ['DELETE', '/apis', 'wrong-method GET'],
  ['GET', '/apis/kubevirt.io', 'nothing'],
  ['PUT', '/apis/subresources.kubevirt.io', 'wrong-method GET'],
  ['PATCH', '/apis/subresources.kubevirt.io/v1', 'wrong-method GET'],
  ['GET', '/apis/subresources.kubevirt.io/V1', 'nothing'],
  ['GET', '/APIS/subresources.kubevirt.io/v1', 'nothing'],
  ['GET', '/apis/subresources.kubevirt.io/v1/healthz', 'health'],
  ['GET', '/apis/subresources.kubevirt.io/v1/healthz/x', 'nothing'],
  ['GET', '/apis/subresources.kubevirt.io/v1/other', 'nothing'],
  ['POST', '/apis/subresources.kubevirt.io/v1/version', 'wrong-method GET'],
  ['GET', '/openapi', 'nothing'],
  ['GET', '/openapi/v1', 'nothing'],
  ['GET', '/openapi/v2/x', 'nothing'],
  [
    'GET',
    '/apis/subresources.kubevirt.io/v1/start-cluster-profiler',
    'unserved start-cluster-profiler profile the process of the component on its node',
  ],
  [
    'GET',
    '/apis/subresources.kubevirt.io/v1/stop-cluster-profiler',
    'unserved stop-cluster-profiler profile the process of the component on its node',
  ],
  [
    'GET',
    '/apis/subresources.kubevirt.io/v1/dump-cluster-profiler',
    'unserved dump-cluster-profiler profile the process of the component on its node',
  ],
  ['GET', '/openapi/v2', 'openapi-v2'],
  ['GET', '/openapi/v3', 'openapi-v3'],
  ['GET', '/openapi/v3/apis/subresources.kubevirt.io/v1', 'openapi-v3-group v1'],
  ['GET', '/openapi/v3/apis/upload.cdi.kubevirt.io/v1alpha1', 'nothing'],
  ['GET', '/openapi/v3/apis/subresources.kubevirt.io/v1beta1', 'nothing'],
  ['GET', '/openapi/v3/apis/kubevirt.io/v1', 'nothing'],
  ['GET', '/openapi/v2/apis/subresources.kubevirt.io/v1', 'nothing'],
  ['PUT', '/openapi/v3/apis/subresources.kubevirt.io/v1', 'wrong-method GET'],
  ['PUT', `${base}/virtualmachines/web/start`, 'v1 default virtualmachines web start'],
  ['GET', `${base}/virtualmachines/web/start`, 'wrong-method PUT'],
  ['PUT', `${base}/virtualmachineinstances/web/start`, 'nothing'],
  ['GET', `${base}/virtualmachineinstances/web/console`, 'v1 default virtualmachineinstances web console'],
  ['GET', `${base}/virtualmachines/web/portforward/22`, 'v1 default virtualmachines web portforward port=22'],
  [
    'GET',
    `${base}/virtualmachineinstances/web/portforward/53/udp`,
    'v1 default virtualmachineinstances web portforward port=53 protocol=udp',
  ],
  ['GET', `${base}/virtualmachineinstances/web/portforward`, 'nothing'],
  ['GET', `${base}/virtualmachineinstances/web/portforward/22/tcp/x`, 'nothing'],
  [
    'GET',
    `${base}/virtualmachineinstances/web/vnc/screenshot`,
    'unserved virtualmachineinstances/vnc/screenshot open vnc and take the screenshot in the viewer',
  ],
  ['PUT', `${base}/virtualmachines/web/memorydump`, 'v1 default virtualmachines web memorydump'],
  ['PUT', `${base}/virtualmachines/web/constructor`, 'nothing'],
  [
    'GET',
    '/apis/subresources.kubevirt.io/v1/guestfs',
    'unserved guestfs stop the VM and run libguestfs-tools in a Pod that mounts its claim',
  ],
  ['PUT', `${base}/virtualmachines/web`, 'nothing'],
  ['PUT', `${base}/virtualmachines/..%2fother/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/%2e%2e/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/%zz/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/%2e/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/./start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/../start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/a%2f%2e%2e%2fb/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines//start`, 'nothing'],
  ['PUT', `${base}//virtualmachines/web/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web/start/`, 'v1 default virtualmachines web start'],
  ['PUT', `${base}/virtualmachines/web/start//`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web/start/x`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web/START`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web/star`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web/starts`, 'nothing'],
  ['PUT', `${base}/VirtualMachines/web/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/WEB/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/%77eb/%73tart`, 'v1 default virtualmachines web start'],
  ['PUT', `${base}/virtualmachines/web%1b/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web%00/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/${'a'.repeat(253)}/start`, `v1 default virtualmachines ${'a'.repeat(253)} start`],
  ['PUT', `${base}/virtualmachines/${'a'.repeat(254)}/start`, 'nothing'],
  ['PUT', `${base.replace('default', '%2e%2e')}/virtualmachines/web/start`, 'nothing'],
  ['PUT', `${base.replace('default', 'a.b')}/virtualmachines/web/start`, 'nothing'],
  ['PUT', `${base.replace('default', 'a'.repeat(64))}/virtualmachines/web/start`, 'nothing'],
  ['PUT', `${base.replace('namespaces', 'nodes')}/virtualmachines/web/start`, 'nothing'],
  ['PUT', '/apis/subresources.kubevirt.io/v1/namespaces/default', 'nothing'],
  ['PUT', '/apis/subresources.kubevirt.io/v1/virtualmachines/web/start', 'nothing'],
  ['PUT', `${base}/virtualmachines/web/evacuate/cancel`, 'v1 default virtualmachines web evacuate/cancel'],
  ['PUT', `${base}/virtualmachines/web/evacuate`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web/evacuate/cancel/x`, 'nothing'],
  ['PUT', `${base}/virtualmachines/web/evacuate%2fcancel`, 'nothing'],
  ['PUT', `${base}/expand-vm-spec`, 'v1 default expand-vm-spec  '],
  ['GET', `${base}/expand-vm-spec`, 'wrong-method PUT'],
  ['PUT', `${base}/expand-vm-spec/web`, 'nothing'],
  ['GET', `${base}/virtualmachineinstances/web/portforward/`, 'nothing'],
  ['GET', '/metrics', 'nothing'],
])('%s %s is routed to: %s', (method, path, expected) => {
  expect(tell(method, path)).toBe(expected);
});

test('a role must grant the whole subresource, without its parameters', () => {
  const to = route('GET', `${base}/virtualmachineinstances/web/portforward/22/tcp`);
  expect(to.to === 'subresource' && attributesOf(to)).toEqual({
    group: 'subresources.kubevirt.io',
    version: 'v1',
    resource: 'virtualmachineinstances',
    subresource: 'portforward',
    verb: 'get',
    namespace: 'default',
    name: 'web',
  });
});

test('discovery lists every subresource once, with the verb that a role must grant', () => {
  const names = apiResourceList('v1').resources.map(({ name, verbs }) => `${verbs.join()} ${name}`);
  expect(names).toHaveLength(SUBRESOURCES.length);
  expect(names).toEqual(
    expect.arrayContaining(['update virtualmachines/start', 'get virtualmachineinstances/console']),
  );
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['virtualmachines/web/migrate', 'restart the VM'],
  ['virtualmachineinstances/web/redefine-checkpoint', 'the next backup of the tracker is a full one'],
])('%s is not served, and the answer has an alternative', (path, remedy) => {
  expect(route('PUT', `${base}/${path}`)).toMatchObject({ to: 'unserved', remedy: expect.stringContaining(remedy) });
});
