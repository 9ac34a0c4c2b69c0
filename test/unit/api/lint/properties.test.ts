import { clusterConfig, type Finding, type KubeObject } from '../../../../src/api';
import crds from '../../../../src/api/generated/crds.json';
import { lintObject, lintTogether } from '../../../../src/api/lint';
import fc, { runs, seed } from '../../../support/fast-check';
import { shaped, wild } from '../../../support/arbitrary';
import type { Crd } from '../../../support/filled';
import type { Loose } from '../fixtures';
import { worldWith } from './worlds';

const numRuns = runs(300);
fc.configureGlobal({ seed, numRuns });

const config = clusterConfig();

// few names, so that objects find each other
const name = fc.constantFrom('x', 'db', 'database', 'databsae', 'web-0', 'constructor', '__proto__');
const labels = fc.dictionary(fc.constantFrom('app', 'vm.kubevirt.io/name', 'constructor'), name, { maxKeys: 2 });
const metadata = fc.record(
  { name, namespace: fc.constantFrom('a', 'b'), labels, annotations: fc.dictionary(name, fc.string(), { maxKeys: 2 }) },
  { requiredKeys: ['name'] },
);

const ours = (crds as unknown as Crd[]).map((crd) => {
  const { name: version, schema } = crd.spec.versions.find(({ storage }) => storage) ?? crd.spec.versions[0];
  const apiVersion = `${crd.spec.group}/${version}`;
  const spec = schema.openAPIV3Schema.properties?.spec ?? { type: 'object' };
  return fc.record({
    apiVersion: fc.constant(apiVersion),
    kind: fc.constant(crd.spec.names.kind),
    metadata,
    spec: shaped(spec, wild),
  });
});

/** Fields of Kubernetes' own kinds that rules read, with any values. */
const field = fc.oneof(
  name,
  labels,
  fc.integer({ min: -1, max: 70_000 }),
  fc.anything({ maxDepth: 3 }),
  fc.constant('{"type":"sriov","vlan":"x"}'),
);
const port = fc.record(
  { port: field, targetPort: field, name: field, protocol: field, nodePort: field },
  { requiredKeys: [] },
);
const path = fc.record({
  path: field,
  pathType: field,
  backend: fc.record({
    service: fc.record({ name, port: fc.record({ number: field, name: field }, { requiredKeys: [] }) }),
  }),
});
const anySpec = fc.oneof(
  field,
  fc.record(
    {
      selector: fc.oneof(labels, fc.record({ matchLabels: labels }), field),
      ports: fc.oneof(fc.array(port, { maxLength: 3 }), field),
      rules: fc.oneof(
        fc.array(fc.record({ host: field, http: fc.record({ paths: fc.array(path, { maxLength: 2 }) }) }), {
          maxLength: 2,
        }),
        field,
      ),
      defaultBackend: field,
      minAvailable: field,
      maxUnavailable: field,
      schedule: field,
      timeZone: field,
      config: field,
      type: field,
      clusterIP: field,
    },
    { requiredKeys: [] },
  ),
);
const theirs = [
  ['v1', 'Service'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['batch/v1', 'CronJob'],
  ['k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition'],
  ['v1', 'Namespace'],
  ['v1', 'PersistentVolumeClaim'],
].map(([apiVersion, kind]) =>
  fc.record({ apiVersion: fc.constant(apiVersion), kind: fc.constant(kind), metadata, spec: anySpec }),
);

const object = fc.oneof(...ours, ...theirs) as fc.Arbitrary<Loose>;

test('every rule is deterministic, has a remedy and modifies nothing, for any objects', () => {
  const lint = (objects: Loose[]): Finding[] => {
    const world = worldWith(...objects);
    return objects.flatMap((each: KubeObject) => [
      ...lintObject(each, config, world),
      ...lintTogether(each, config, world),
    ]);
  };
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 6 }), (objects) => {
      const before = JSON.stringify(objects);
      const found = lint(objects);
      expect(found.filter(({ rule, cause: message, remedy }) => !rule || !message || !remedy)).toEqual([]);
      expect(lint(objects)).toEqual(found);
      // a rule only looks
      expect(JSON.stringify(objects)).toBe(before);
    }),
  );
});
