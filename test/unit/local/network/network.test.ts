import { gatewayName, vethName } from '../../../../src/local/network/names';
import { addressAt, freeSubnets, macOf, nextHost } from '../../../../src/local/network/subnet';
import { serviceTable } from '../../../../src/local/network/service-table';
import { serviceVariables } from '../../../../src/local/network/service-variables';
import {
  ipv6Bytes,
  parseQuery,
  reverseName,
  truncated,
  writeResponse,
} from '../../../../src/local/network/dns-message';
import { zoneOf } from '../../../../src/local/network/dns-zone';
import type { EndpointSlice, Service } from '../../../../src/local/core-v1';
import fc from '../../../support/fast-check';

test.each<[string, string[], string]>([
  ['nothing is routed', ['default'], '10.77.0.0/24'],
  ['the first is taken', ['10.77.0.0/24'], '10.77.1.0/24'],
  ['a part of it is taken', ['10.77.0.128/25'], '10.77.1.0/24'],
  ['an address in it is taken', ['10.77.0.9'], '10.77.1.0/24'],
  ['all of 10.77 is taken', ['10.77.0.0/16'], '10.78.0.0/24'],
  ['IPv6 is taken', ['fd77:7638:1::/64'], '10.77.1.0/24'],
])('a free subnet is found when %s', (_, taken, want) => expect(freeSubnets(taken, true).ipv4).toBe(want));

test('if all networks are taken, the error lists them', () =>
  expect(() => freeSubnets(['10.0.0.0/8'], false)).toThrow(/10\.77\.0\.0\/16 to 10\.79\.0\.0\/16.*free one/));

test('addresses are assigned once, and a released one is not reused immediately', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 2, max: 254 }), { maxLength: 252 }),
      fc.integer({ min: 1, max: 254 }),
      (used, last) => {
        const host = nextHost(new Set(used), last);
        expect(used).not.toContain(host);
        expect(host).toBeGreaterThanOrEqual(2);
        expect(host).toBeLessThanOrEqual(254);
        if (used.length < 252) expect(host).not.toBe(last);
      },
    ),
  );
  expect(() => nextHost(new Set(Array.from({ length: 253 }, (_, index) => index + 2)), 1)).toThrow(
    /all 253 Pod addresses/,
  );
  expect(addressAt({ ipv4: '10.77.3.0/24', ipv6: 'fd77:7638:4::/64' }, 30)).toEqual({
    ipv4: '10.77.3.30',
    ipv6: 'fd77:7638:4::1e',
  });
  expect(macOf('10.77.3.30')).toBe('0a:58:0a:4d:03:1e');
});

test('names of links fit into 15 characters', () => {
  expect(vethName('12345678', 'uid').length).toBe(15);
  expect(gatewayName('12345678').length).toBeLessThanOrEqual(15);
  expect(() => gatewayName('too-long-id')).toThrow(/1 to 8/);
});

const service = (name: string, spec: Service['spec']): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'ns' },
  spec,
});
const slice = (name: string, addresses: string[], change: Partial<EndpointSlice> = {}): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: `${name}-1`, namespace: 'ns', labels: { 'kubernetes.io/service-name': name } },
  addressType: 'IPv4',
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  ...change,
});
const subnets = { ipv4: '10.77.0.0/24', ipv6: 'fd77:7638:1::/64' };
const table = (services: Service[], slices: EndpointSlice[], hostPorts = []) =>
  serviceTable({ id: 'x', subnets, cluster: Object.values(subnets), services, slices, hostPorts });

test('a Service leads to one endpoint, to several by chance, and rejects without any', () => {
  const ports = [{ port: 80 }];
  const one = table([service('s', { clusterIP: '10.96.0.5', ports })], [slice('s', ['10.77.0.2'])]);
  expect(one).toContain('10.96.0.5 . tcp . 80 : goto to-1');
  expect(one).toContain('meta l4proto tcp dnat ip to 10.77.0.2:8080');
  expect(one).toContain('10.77.0.2 . 10.77.0.2');
  const two = table([service('s', { clusterIP: '10.96.0.5', ports })], [slice('s', ['10.77.0.3', '10.77.0.2'])]);
  expect(two).toContain('numgen random mod 2 map { 0 : 10.77.0.2 . 8080, 1 : 10.77.0.3 . 8080 }');
  const sticky = table(
    [service('s', { clusterIP: '10.96.0.5', ports, sessionAffinity: 'ClientIP' })],
    [slice('s', ['10.77.0.3', '10.77.0.2'])],
  );
  expect(sticky).toContain('jhash ip saddr mod 2');
  const none = table(
    [service('s', { clusterIP: '10.96.0.5', ports })],
    [slice('s', ['10.77.0.2'], { endpoints: [{ addresses: ['10.77.0.2'], conditions: { ready: false } }] })],
  );
  expect(none).toContain('elements = { 10.96.0.5 . tcp . 80 }');
  expect(none).not.toContain('dnat');
});

test('a terminating endpoint serves while no other exists, the host keeps its own address', () => {
  const ports = [{ port: 80 }];
  const ending = { addresses: ['10.77.0.2'], conditions: { ready: false, serving: true, terminating: true } };
  expect(table([service('s', { clusterIP: '10.96.0.5', ports })], [slice('s', [], { endpoints: [ending] })])).toContain(
    'dnat ip to 10.77.0.2:8080',
  );
  const host = table([service('s', { clusterIP: '10.96.0.5', ports })], [slice('s', ['127.0.0.1'])]);
  expect(host).not.toContain('127.0.0.1 . 127.0.0.1');
});

test('node ports and both families', () => {
  const text = table(
    [
      service('s', {
        clusterIP: '10.96.0.5',
        clusterIPs: ['10.96.0.5', 'fd00::5'],
        ports: [{ port: 80, nodePort: 30080 }],
      }),
    ],
    [slice('s', ['10.77.0.2']), slice('s', ['fd77:7638:1::2'], { addressType: 'IPv6' })],
  );
  expect(text).toContain('tcp . 30080 : goto to-1');
  expect(text).toContain('fd00::5 . tcp . 80 : goto to-2');
  expect(text).toContain('dnat ip6 to [fd77:7638:1::2]:8080');
});

test('headless, external and other Services have no rules', () => {
  const text = table(
    [
      service('h', { clusterIP: 'None', ports: [{ port: 80 }] }),
      service('e', { type: 'ExternalName', externalName: 'x.org' }),
    ],
    [slice('h', ['10.77.0.2'])],
  );
  expect(text).not.toContain('dnat');
});

const query = (name: string, type: number, extra = Buffer.alloc(0)): Buffer => {
  const head = Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, extra.length ? 1 : 0]);
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, type, 0, 1]), extra]);
};

test('a query is read in lower case, with the size that its client accepts', () => {
  expect(parseQuery(query('Web.NS.svc', 1))).toMatchObject({ id: 7, name: 'web.ns.svc', type: 1, udpSize: 512 });
  expect(parseQuery(query('a', 1, Buffer.from([0, 0, 41, 16, 0, 0, 0, 0, 0, 0, 0])))?.udpSize).toBe(4096);
});

test('no message breaks the parser', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const question = parseQuery(Buffer.from(bytes));
      if (question) expect(question.name.length).toBeLessThanOrEqual(255);
    }),
  );
});

test('an answer repeats id and question, and too long a one is cut for UDP', () => {
  const question = parseQuery(query('a.b', 1))!;
  const response = writeResponse(question, {
    rcode: 0,
    zone: 'b',
    answers: [{ type: 'A', name: 'a.b', value: '10.0.0.9' }],
  });
  expect(response.subarray(0, 12).toString('hex')).toBe('000785800001000100000000');
  expect([...response.subarray(-4)]).toEqual([10, 0, 0, 9]);
  const short = truncated(response, question);
  expect([short.readUInt16BE(2) & 0x0200, short.readUInt16BE(6)]).toEqual([0x0200, 0]);
  expect(reverseName('10.77.0.5')).toBe('5.0.77.10.in-addr.arpa');
  expect(ipv6Bytes('fd77::1:2').toString('hex')).toBe('fd770000000000000000000000010002');
});

test('names are those of the specification', () => {
  const zone = zoneOf(
    'cluster.local',
    [
      service('web', { clusterIP: '10.96.0.5', ports: [{ name: 'http', port: 80 }] }),
      service('db', { clusterIP: 'None' }),
      service('out', { type: 'ExternalName', externalName: 'example.org' }),
    ],
    [
      slice('db', [], {
        endpoints: [
          { addresses: ['10.77.0.2'], hostname: 'db-0', conditions: { ready: true } },
          { addresses: ['10.77.0.3'], conditions: { ready: false } },
        ],
      }),
    ],
  );
  const values = (name: string) => zone.lookup(name)?.map((answer) => `${answer.type} ${answer.value}`);
  expect(values('web.ns.svc.cluster.local')).toEqual(['A 10.96.0.5']);
  expect(values('_http._tcp.web.ns.svc.cluster.local')).toEqual(['SRV web.ns.svc.cluster.local']);
  expect(values('db.ns.svc.cluster.local')).toEqual(['A 10.77.0.2']);
  expect(values('db-0.db.ns.svc.cluster.local')).toEqual(['A 10.77.0.2']);
  expect(values('2.0.77.10.in-addr.arpa')).toEqual(['PTR db-0.db.ns.svc.cluster.local']);
  expect(values('out.ns.svc.cluster.local')).toEqual(['CNAME example.org']);
  expect(values('10-77-0-9.ns.pod.cluster.local')).toEqual(['A 10.77.0.9']);
  expect(values('ns.svc.cluster.local')).toEqual([]);
  expect(values('none.ns.svc.cluster.local')).toBeUndefined();
  expect([zone.owns('example.org'), zone.owns('x.cluster.local')]).toEqual([false, true]);
});

test('Pods get the variables of their namespace and always those of the API server', () => {
  const kubernetes = {
    ...service('kubernetes', { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] }),
    metadata: { name: 'kubernetes', namespace: 'default' },
  };
  const services = [kubernetes, service('my-db', { clusterIP: '10.96.0.7', ports: [{ port: 5432 }] })];
  const of = (enableServiceLinks: boolean) =>
    Object.fromEntries(
      serviceVariables(
        { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'ns' }, spec: { containers: [], enableServiceLinks } },
        services,
      ),
    );
  expect(of(true)).toMatchObject({
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
    KUBERNETES_SERVICE_PORT_HTTPS: '443',
    MY_DB_SERVICE_PORT: '5432',
    MY_DB_PORT_5432_TCP_ADDR: '10.96.0.7',
  });
  expect(Object.keys(of(false)).some((name) => name.startsWith('MY_DB'))).toBe(false);
});
