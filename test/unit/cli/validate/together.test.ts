import { clusterConfig, contextOf } from '../../../../src/api';
import { type Declared, worldOf } from '../../../../src/api/lint';
import { check } from '../../../../src/cli/validate/check';
import { documentsOf, type ManifestDocument } from '../../../../src/cli/manifests/documents';

const files = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: { name: database }
spec:
  runStrategy: Always
  template:
    spec:
      domain: { memory: { guest: 1Gi }, devices: { interfaces: [{ name: default, masquerade: {}, ports: [{ port: 22 }] }] } }
      networks: [{ name: default, pod: {} }]
---
apiVersion: v1
kind: Service
metadata: { name: db }
spec:
  selector: { vm.kubevirt.io/name: database }
  ports: [{ port: 5432 }]
`;

test('a mistake between two objects is a warning at its line, also for kinds of Kubernetes', () => {
  const documents = documentsOf(files);
  const declared = ({ object }: ManifestDocument): Declared => {
    const { apiVersion, kind, metadata } = object as unknown as ReturnType<Declared['object']>;
    return { apiVersion, kind, name: metadata.name!, where: 'a.yaml', object: () => object as never };
  };
  const world = worldOf(documents.map(declared));
  const [vm, service] = documents.map((document) => check(document, contextOf(clusterConfig(undefined)), world));
  expect(vm).toMatchObject({ state: 'valid', findings: [] });
  const [finding, ...more] = service!.findings;
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ rule: 'service-port-open', severity: 'warning', at: { line: 16 } });
  expect(`${finding!.path}`).toBe('spec.ports[0].targetPort');
});
