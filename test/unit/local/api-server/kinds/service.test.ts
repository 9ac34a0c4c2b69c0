import { StatusError } from '../../../../../src/local/api-server/errors';
import { serviceKind } from '../../../../../src/local/api-server/kinds/service';
import { ServiceAllocator } from '../../../../../src/local/api-server/kinds/service-allocator';
import { StrategyContext } from '../../../../../src/local/api-server/registry/kind';
import type { Store } from '../../../../../src/local/api-server/store/store';
import { AnyObject } from '../../../../../src/local/api-server/types';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

type Json = Record<string, unknown>;

const stored = [{ spec: { clusterIPs: ['10.96.0.9'], ports: [{ nodePort: 30_009 }] } }];
const kind = serviceKind(new ServiceAllocator({ list: () => stored } as unknown as Store, ['10.96.0.0/24']));
const warnings: string[] = [];
const context = (dryRun: boolean): StrategyContext => ({
  user: { username: 'u' } as StrategyContext['user'],
  now: '',
  dryRun,
  warn: (message) => void warnings.push(message),
});
const ports = [{ port: 80 }];

function decoded(spec: Json): AnyObject {
  const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'n' }, spec } as AnyObject;
  kind.decode(object);
  return object;
}

/** The prepared Service, or the causes of its rejection. */
function written(spec: Json, before?: Json, dryRun = true): { spec: Json; causes: string[] } {
  const object = decoded(structuredClone(spec));
  const fields = Fields.root();
  try {
    if (before) {
      const old = decoded(structuredClone(before));
      kind.prepareForUpdate(object, old, context(dryRun));
      kind.validateUpdate(object, old, fields);
    } else {
      kind.prepareForCreate(object, context(dryRun));
      kind.validate(object, fields);
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const details = error.status.details?.causes ?? [{ field: '', message: error.message }];
    return { spec: object.spec, causes: details.map(({ field, message }) => `${field}: ${message}`) };
  }
  return { spec: object.spec, causes: fields.causes.map(({ field, message }) => `${field}: ${message}`) };
}

test.each<[name: string, spec: Json, want: string[]]>([
  ['a Service', { ports }, []],
  ['no ports', {}, ['spec.ports: Required value']],
  ['no ports of a headless Service', { clusterIP: 'None' }, []],
  [
    'port 0, which is also the target',
    { ports: [{ port: 0 }] },
    [
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
  ],
  ['port 65535', { ports: [{ port: 65_535 }] }, []],
  [
    'port 65536',
    { ports: [{ port: 65_536, targetPort: 1 }] },
    ['spec.ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive'],
  ],
  [
    'addresses without the first one',
    { ports, clusterIPs: ['10.96.0.8'] },
    ['spec.clusterIPs: Invalid value: ["10.96.0.8"]: must be empty when `clusterIP` is not specified'],
  ],
  [
    'an invalid address',
    { ports, clusterIP: 'x' },
    ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'another family than that of the address',
    { ports, clusterIP: '10.96.0.8', ipFamilies: ['IPv6'] },
    ['spec.clusterIPs[0]: Invalid value: "10.96.0.8": expected an IPv6 value as indicated by `ipFamilies[0]`'],
  ],
  [
    'a family that the cluster does not have',
    { ports, ipFamilies: ['IPv6'] },
    ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
  ],
  [
    'a name with an address',
    { type: 'ExternalName', externalName: 'a.example', clusterIP: '10.96.0.8' },
    ['spec.clusterIPs: Forbidden: may not be set for ExternalName services'],
  ],
  [
    'a port for health checks that nothing checks',
    { ports, healthCheckNodePort: 30_001 },
    [
      "spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
  ],
  [
    'a node port in use',
    { type: 'NodePort', ports: [{ port: 80, nodePort: 30_009 }] },
    ['spec.ports[0].nodePort: Invalid value: 30009: provided port is already allocated'],
  ],
  [
    'a port for health checks in use',
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports, healthCheckNodePort: 30_009 },
    [': failed to allocate requested HealthCheck NodePort 30009: provided port is already allocated'],
  ],
])('validates %s', (_, spec, want) => {
  expect(written(spec).causes).toEqual(want.map((text) => expect.stringContaining(text)));
});

test('a dry run reserves nothing and shows examples', () => {
  const spec = { type: 'NodePort', clusterIP: '10.96.0.20', ports: [{ port: 80, nodePort: 30_020 }] };
  expect([written(spec).causes, written(spec).causes]).toEqual([[], []]);
  const { spec: shown } = written({
    type: 'NodePort',
    ports: [
      { port: 80, name: 'a' },
      { port: 81, name: 'b' },
    ],
  });
  expect(shown).toMatchObject({ clusterIP: '10.96.0.0', ports: [{ nodePort: 32_769 }, { nodePort: 32_770 }] });
  expect([written(spec, undefined, false).causes, written(spec, undefined, false).causes]).toEqual([
    [],
    [expect.stringContaining('provided IP is already allocated')],
  ]);
});

const given = {
  clusterIP: '10.96.0.30',
  clusterIPs: ['10.96.0.30'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
};
const nodePort = { ...given, type: 'NodePort', ports: [{ port: 80, nodePort: 30_030 }] };

test.each<[name: string, before: Json, after: Json, spec: Json, causes: string[]]>([
  ['keeps what was allocated', nodePort, { type: 'NodePort', ports }, nodePort, []],
  [
    'drops node ports that the new type does not have',
    nodePort,
    { ...nodePort, type: 'ClusterIP' },
    { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
    [],
  ],
  [
    'drops the address of a name',
    nodePort,
    { ...given, type: 'ExternalName', externalName: 'a.example', ports },
    { clusterIP: undefined, clusterIPs: undefined, ipFamilies: undefined },
    [],
  ],
  [
    'rejects another address',
    nodePort,
    { ...nodePort, clusterIP: '10.96.0.31' },
    {},
    ['spec.clusterIPs[0]: Invalid value: ["10.96.0.31"]: may not change once set'],
  ],
  [
    'allocates a port when health checks begin',
    { ...nodePort, type: 'LoadBalancer' },
    { ...nodePort, type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    { healthCheckNodePort: 32_769 },
    [],
  ],
])('an update %s', (_, before, after, spec, causes) => {
  const found = written(after, before);
  expect(found.causes).toEqual(causes);
  for (const [field, value] of Object.entries(spec)) {
    if (value === undefined) expect(found.spec[field]).toBeUndefined();
    else expect({ value: found.spec[field] }).toMatchObject({ value });
  }
});

test('warns of fields that are ignored or deprecated', () => {
  warnings.length = 0;
  written({ ports, externalIPs: ['10.0.0.1'], externalName: 'x', trafficDistribution: 'PreferClose' });
  written({ clusterIP: 'None', externalIPs: ['10.0.0.1'], loadBalancerIP: '10.0.0.1', sessionAffinity: 'ClientIP' });
  expect(warnings).toEqual([
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    'spec.externalName is ignored when spec.type is not "ExternalName"',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    'spec.loadBalancerIP is ignored for headless services',
    'spec.externalIPs is ignored for headless services',
    'spec.SessionAffinity is ignored for headless services',
  ]);
});
