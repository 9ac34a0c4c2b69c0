import { attributesOf, authorize } from '../../../../src/runtime/api-server/authz';
import { SUBRESOURCES } from '../../../../src/runtime/api-server/registry';
import { route } from '../../../../src/runtime/api-server/routes';
import type { Route } from '../../../../src/runtime/api-server/routes';
import { resources } from '../../../../src/runtime/kube';
import type { KubeClient } from '../../../../src/runtime/kube';

type SubresourceRoute = Extract<Route, { to: 'subresource' }>;

const base = '/apis/subresources.kubevirt.io';
const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'get', 'put', ''];

/** The verb that a role must grant for each path, and its HTTP method. */
const granted: readonly [path: string, method: 'GET' | 'PUT', verb: string, resource: string, subresource?: string][] =
  [
    ['virtualmachines/web/start', 'PUT', 'update', 'virtualmachines', 'start'],
    ['virtualmachines/web/stop', 'PUT', 'update', 'virtualmachines', 'stop'],
    ['virtualmachines/web/restart', 'PUT', 'update', 'virtualmachines', 'restart'],
    ['virtualmachines/web/evacuate/cancel', 'PUT', 'update', 'virtualmachines', 'evacuate/cancel'],
    ['virtualmachines/web/addvolume', 'PUT', 'update', 'virtualmachines', 'addvolume'],
    ['virtualmachines/web/removevolume', 'PUT', 'update', 'virtualmachines', 'removevolume'],
    ['virtualmachines/web/memorydump', 'PUT', 'update', 'virtualmachines', 'memorydump'],
    ['virtualmachines/web/removememorydump', 'PUT', 'update', 'virtualmachines', 'removememorydump'],
    ['virtualmachines/web/expand-spec', 'GET', 'get', 'virtualmachines', 'expand-spec'],
    ['virtualmachines/web/portforward/22', 'GET', 'get', 'virtualmachines', 'portforward'],
    ['virtualmachines/web/portforward/22/udp', 'GET', 'get', 'virtualmachines', 'portforward'],
    ['expand-vm-spec', 'PUT', 'update', 'expand-vm-spec'],
    ['virtualmachineinstances/web/pause', 'PUT', 'update', 'virtualmachineinstances', 'pause'],
    ['virtualmachineinstances/web/unpause', 'PUT', 'update', 'virtualmachineinstances', 'unpause'],
    ['virtualmachineinstances/web/freeze', 'PUT', 'update', 'virtualmachineinstances', 'freeze'],
    ['virtualmachineinstances/web/unfreeze', 'PUT', 'update', 'virtualmachineinstances', 'unfreeze'],
    ['virtualmachineinstances/web/softreboot', 'PUT', 'update', 'virtualmachineinstances', 'softreboot'],
    ['virtualmachineinstances/web/reset', 'PUT', 'update', 'virtualmachineinstances', 'reset'],
    ['virtualmachineinstances/web/evacuate/cancel', 'PUT', 'update', 'virtualmachineinstances', 'evacuate/cancel'],
    ['virtualmachineinstances/web/addvolume', 'PUT', 'update', 'virtualmachineinstances', 'addvolume'],
    ['virtualmachineinstances/web/removevolume', 'PUT', 'update', 'virtualmachineinstances', 'removevolume'],
    ['virtualmachineinstances/web/backup', 'PUT', 'update', 'virtualmachineinstances', 'backup'],
    ['virtualmachineinstances/web/guestosinfo', 'GET', 'get', 'virtualmachineinstances', 'guestosinfo'],
    ['virtualmachineinstances/web/userlist', 'GET', 'get', 'virtualmachineinstances', 'userlist'],
    ['virtualmachineinstances/web/filesystemlist', 'GET', 'get', 'virtualmachineinstances', 'filesystemlist'],
    ['virtualmachineinstances/web/console', 'GET', 'get', 'virtualmachineinstances', 'console'],
    ['virtualmachineinstances/web/vnc', 'GET', 'get', 'virtualmachineinstances', 'vnc'],
    ['virtualmachineinstances/web/portforward/22', 'GET', 'get', 'virtualmachineinstances', 'portforward'],
  ];

test('every subresource has a row', () => {
  const rows = new Set(granted.map(([, , , resource, subresource = '']) => `${resource}/${subresource}`));
  expect([...rows].sort()).toEqual(SUBRESOURCES.map(({ owner, name }) => `${owner}/${name}`).sort());
});

const rows = granted.flatMap(([path, method, verb, resource, subresource]) =>
  ['v1', 'v1alpha3'].flatMap((version) =>
    METHODS.map((given) => ({
      title: `${given || 'no method'} ${version} ${path}`,
      given,
      path: `${base}/${version}/namespaces/default/${path}`,
      want:
        given === method
          ? {
              group: 'subresources.kubevirt.io',
              version,
              resource,
              ...(subresource ? { subresource } : {}),
              verb,
              namespace: 'default',
              name: subresource ? 'web' : '',
            }
          : `405: ${method}`,
    })),
  ),
);

test.each(rows)('$title', ({ given, path, want }) => {
  const to = route(given, path);
  expect(to.to === 'subresource' ? attributesOf(to) : to.to === 'wrong-method' && `405: ${to.allowed}`).toEqual(want);
});

describe('the question to the cluster', () => {
  const to = route('PUT', `${base}/v1/namespaces/default/virtualmachines/web/start`) as SubresourceRoute;
  const user = { username: 'jane', groups: ['a, b', 'dev'], extra: { 'acme.com/project': ['one'] } };
  let asked: unknown[] = [];
  const client = (status: object | undefined): KubeClient =>
    ({
      create: async (...question: unknown[]) => {
        asked.push(...question);
        return { status };
      },
    }) as unknown as KubeClient;
  beforeEach(() => {
    asked = [];
  });

  test('contains the user with groups and extras, and the requested action', async () => {
    await authorize(client({ allowed: true }), { ...user, uid: 'u-1' }, to);
    expect(asked).toEqual([
      resources.subjectAccessReviews,
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          user: 'jane',
          uid: 'u-1',
          groups: ['a, b', 'dev'],
          extra: { 'acme.com/project': ['one'] },
          resourceAttributes: attributesOf(to),
        },
      },
    ]);
  });

  test('has no uid if the user has none', async () => {
    await authorize(client({ allowed: true }), user, to);
    expect(asked[1]).not.toHaveProperty('spec.uid');
  });

  test.each<[string, object | undefined, string]>([
    ['denies', { allowed: false }, ''],
    ['denies with a reason', { allowed: false, reason: 'no role' }, ': no role'],
    ['has no status', {}, ''],
    ['has no answer', undefined, ''],
  ])('that %s is a 403 in Kubernetes’ words', async (_, status, why) => {
    const message =
      'virtualmachines.subresources.kubevirt.io "web" is forbidden: User "jane" cannot update resource ' +
      `"virtualmachines/start" in API group "subresources.kubevirt.io" in the namespace "default"${why}`;
    await expect(authorize(client(status), user, to)).rejects.toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message,
      details: { name: 'web', group: 'subresources.kubevirt.io', kind: 'virtualmachines' },
      remedy: 'grant verb "update" on "virtualmachines/start" (roles kubevirt.io:admin and kubevirt.io:edit have it)',
    });
  });

  test('about an action of a namespace names no subresource', async () => {
    const given = route('PUT', `${base}/v1/namespaces/default/expand-vm-spec`) as SubresourceRoute;
    await expect(authorize(client({}), user, given)).rejects.toThrow(
      'expand-vm-spec.subresources.kubevirt.io "" is forbidden: User "jane" cannot update resource "expand-vm-spec" in',
    );
  });

  test('rejects the request if it fails', async () => {
    const failing = { create: () => Promise.reject(new Error('down')) } as unknown as KubeClient;
    await expect(authorize(failing, user, to)).rejects.toThrow('down');
  });
});
