import { desiredSlices, isReady, portsOf } from '../../../../../src/local/api-server/controllers/endpoint-slices';
import type { AnyObject } from '../../../../../src/local/api-server/types';

const pod = (spec: object = {}, status: object = {}, metadata: object = {}): AnyObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u', ...metadata },
    spec: { containers: [{ ports: [{ name: 'http', containerPort: 8080 }] }], nodeName: 'one', ...spec },
    status: {
      phase: 'Running',
      podIPs: [{ ip: '10.0.0.1' }],
      conditions: [{ type: 'Ready', status: 'True' }],
      ...status,
    },
  }) as AnyObject;
const service = (spec: object = {}): AnyObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { ports: [{ port: 80 }], ...spec },
  }) as AnyObject;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- endpoints are data
const endpoint = (of: AnyObject, given = service()): any => desiredSlices(given, [of])[0]!.endpoints[0];

test.each<[string, AnyObject, AnyObject, object]>([
  ['a ready Pod', pod(), service(), { ready: true, serving: true, terminating: false }],
  [
    'a Pod that is not ready',
    pod({}, { conditions: [{ type: 'Ready', status: 'False' }] }),
    service(),
    { ready: false, serving: false, terminating: false },
  ],
  [
    'a ready Pod that ends',
    pod({}, {}, { deletionTimestamp: 'now' }),
    service(),
    { ready: false, serving: true, terminating: true },
  ],
  [
    'a Pod that is published before it is ready',
    pod({}, { conditions: [] }),
    service({ publishNotReadyAddresses: true }),
    { ready: true, serving: false, terminating: false },
  ],
])('the conditions of %s', (_, of, given, conditions) => expect(endpoint(of, given).conditions).toEqual(conditions));

test.each([
  ['has the host name of a Pod in the subdomain of the Service', { hostname: 'a', subdomain: 'web' }, 'a'],
  ['has none of a Pod in another subdomain', { hostname: 'a', subdomain: 'other' }, undefined],
  ['has none of a Pod without one', { subdomain: 'web' }, undefined],
])('an endpoint %s', (_, spec, hostname) => expect(endpoint(pod(spec)).hostname).toBe(hostname));

test('an endpoint names its Pod and node', () => {
  expect(endpoint(pod())).toMatchObject({
    addresses: ['10.0.0.1'],
    nodeName: 'one',
    targetRef: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u' },
  });
  expect('nodeName' in endpoint(pod({ nodeName: undefined }))).toBe(false);
});

test.each([
  ['Succeeded', 0],
  ['Failed', 0],
  ['Running', 1],
  ['Pending', 1],
])('a Pod that is %s makes %d endpoints', (phase, count) => {
  expect(desiredSlices(service(), [pod({}, { phase })])[0]!.endpoints).toHaveLength(count);
});

test('each family has a slice, with the addresses of that family', () => {
  const both = pod({}, { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] });
  const slices = desiredSlices(service({ ipFamilies: ['IPv4', 'IPv6'] }), [both]);
  expect(slices.map(({ addressType, endpoints }) => [addressType, endpoints.length])).toEqual([
    ['IPv4', 1],
    ['IPv6', 1],
  ]);
  const [, six] = desiredSlices(service({ ipFamilies: ['IPv4', 'IPv6'] }), [pod()]);
  expect(six).toEqual({ addressType: 'IPv6', endpoints: [], ports: [] });
});

test.each<[string, object, object[]]>([
  ['a number', { port: 80, targetPort: 81 }, [{ name: '', port: 81, protocol: 'TCP' }]],
  ['its own number', { port: 80 }, [{ name: '', port: 80, protocol: 'TCP' }]],
  ['a name', { port: 80, targetPort: 'http', name: 'w' }, [{ name: 'w', port: 8080, protocol: 'TCP' }]],
  ['a name of another protocol', { port: 80, targetPort: 'http', protocol: 'UDP' }, []],
  ['a name that the Pod does not have', { port: 80, targetPort: 'other' }, []],
  [
    'a number with its application protocol',
    { port: 80, appProtocol: 'http' },
    [{ name: '', port: 80, protocol: 'TCP', appProtocol: 'http' }],
  ],
])('a port is resolved to %s', (_, port, want) => expect(portsOf(service({ ports: [port] }), pod())).toEqual(want));

test.each([
  [[{ type: 'Ready', status: 'True' }], true],
  [[{ type: 'Ready', status: 'False' }], false],
  [[{ type: 'ContainersReady', status: 'True' }], false],
  [undefined, false],
])('a Pod with the conditions %j is ready: %s', (conditions, ready) => {
  expect(isReady(pod({}, { conditions }))).toBe(ready);
});
