import { apiResourceList } from '../../../../src/runtime/api-server/discovery';
import { attributesOf } from '../../../../src/runtime/api-server/authz';
import { route, SUBRESOURCES } from '../../../../src/runtime/api-server/routes';

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
  ['GET', '/healthz', 'health'],
  ['GET', '/openapi/v2', 'openapi-v2'],
  ['GET', '/openapi/v3', 'openapi-v3'],
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
  ['GET', `${base}/virtualmachineinstances/web/vnc/screenshot`, 'unserved virtualmachineinstances/vnc/screenshot'],
  ['PUT', `${base}/virtualmachines/web/addvolume`, 'unserved virtualmachines/addvolume'],
  ['GET', '/apis/subresources.kubevirt.io/v1/guestfs', 'unserved guestfs'],
  ['PUT', `${base}/virtualmachines/web`, 'nothing'],
  ['PUT', `${base}/virtualmachines/..%2fother/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/%2e%2e/start`, 'nothing'],
  ['PUT', `${base}/virtualmachines/%zz/start`, 'nothing'],
  ['GET', '/metrics', 'nothing'],
])('%s %s goes to: %s', (method, path, expected) => {
  expect(tell(method, path)).toBe(expected);
});

test('a role is asked for the whole subresource, and never for its parameters', () => {
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
