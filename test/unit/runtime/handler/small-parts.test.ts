import { CALLER_COMMON_NAME, callerProblem } from '../../../../src/runtime/handler/server/identity';
import { freezeSeconds, route } from '../../../../src/runtime/handler/server/routes';

describe('which request', () => {
  const base = '/v1/namespaces/ns/virtualmachineinstances/web';
  test.each([
    ['GET', `${base}/console`, true, { kind: 'stream', stream: 'console' }],
    ['GET', `${base}/vnc?preserveSession=false`, true, { kind: 'stream', stream: 'vnc' }],
    ['GET', `${base}/portforward/22/tcp`, true, { kind: 'portForward', port: 22, protocol: 'tcp' }],
    ['GET', `${base}/portforward/53/udp`, true, { kind: 'portForward', port: 53, protocol: 'udp' }],
    ['GET', `${base}/portforward/80`, true, { kind: 'portForward', port: 80, protocol: 'tcp' }],
    ['PUT', `${base}/freeze`, false, { kind: 'freeze' }],
    ['PUT', `${base}/unfreeze`, false, { kind: 'action', action: 'unfreeze' }],
    ['PUT', `${base}/softreboot`, false, { kind: 'action', action: 'softReboot' }],
    ['GET', `${base}/guestosinfo`, false, { kind: 'info', info: 'guestInfo' }],
  ])('%s %s', (method, url, upgrade, request) => {
    expect(route(method, url, upgrade)).toEqual({ namespace: 'ns', name: 'web', request });
  });
  test.each([
    ['GET', `${base}/pause`, false, 405],
    ['PUT', `${base}/console`, false, 405],
    ['GET', `${base}/console`, false, 405],
    ['GET', `${base}/guestosinfo`, true, 405],
    ['GET', `${base}/portforward/0/tcp`, true, 404],
    ['GET', `${base}/portforward/65536/tcp`, true, 404],
    ['GET', `${base}/portforward/22/sctp`, true, 404],
    ['GET', `${base}/constructor`, false, 404],
    ['GET', `${base}/`, false, 404],
    ['GET', '/v1/namespaces//virtualmachineinstances/web/console', true, 404],
    ['GET', '/v1/namespaces/%zz/virtualmachineinstances/web/console', true, 404],
    ['GET', '/', false, 404],
  ])('%s %s is refused', (method, url, upgrade, code) => expect(route(method, url, upgrade)).toMatchObject({ code }));
});

test('only virt-api’s certificate is let in', () => {
  const of = (CN: unknown) => callerProblem({ subject: { CN } } as never);
  expect(of(CALLER_COMMON_NAME)).toBeUndefined();
  expect(of('kubevirt.io:system:node:virt-handler')).toContain('may not call');
  expect(of([CALLER_COMMON_NAME, 'x'])).toContain('one common name');
  expect(callerProblem(undefined)).toContain('required');
  expect(callerProblem({} as never)).toContain('required');
});

test.each([
  [{ unfreezeTimeout: '1m0s' }, 60],
  [{ unfreezeTimeout: '1500ms' }, 2],
  [{ unfreezeTimeout: '9999h' }, 3600],
  [{ unfreezeTimeout: '0s' }, 300],
  [{ unfreezeTimeout: 60 }, 300],
  [{}, 300],
])('a freeze with the options %j is thawed after %d s', (options, want) => expect(freezeSeconds(options)).toBe(want));
