import { clusterConfig, contextOf, type KubeObject } from '../../../../src/api';
import { worldOf } from '../../../../src/api/lint';
import { check, type Checked } from '../../../../src/cli/validate/check';
import { documentsOf } from '../../../../src/cli/manifests/documents';

/** Checks the documents of a text together. */
function checked(text: string): Checked[] {
  const documents = documentsOf(text);
  const world = worldOf(
    documents.map((document) => {
      const object = document.object as unknown as KubeObject;
      const { apiVersion, kind, metadata } = object;
      return { apiVersion, kind, name: metadata?.name ?? '', where: 'a.yaml', object: () => object };
    }),
  );
  return documents.map((document) => check(document, contextOf(clusterConfig()), world));
}
const short = (text: string): string[] =>
  checked(text).flatMap(({ state, findings }) => [
    state,
    ...findings.map(({ severity, rule, at }) => `${severity} ${rule} ${at.line}:${at.column}`),
  ]);

const vm = (guest: string): string =>
  `apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec:\n  runStrategy: Always\n  template: {spec: {domain: ${guest}}}`;

test.each<[string, string, string[]]>([
  [
    'a likely mistake is a warning at its field',
    vm('{devices: {}, memory: {guest: 512m}}'),
    ['valid', 'warning guest-memory-tiny 6:59'],
  ],
  [
    'a field that the API server would drop is an error, since kubectl rejects it',
    'apiVersion: snapshot.kubevirt.io/v1beta1\nkind: VirtualMachineSnapshot\nmetadata: {name: a}\nspec:\n  source: {apiGroup: kubevirt.io, kind: VirtualMachine, name: b}\n  deadline: 5m',
    ['refused', 'error schema-unknown-field 6:13'],
  ],
  [
    'a mistake that the API server of Kubernetes reports is an error',
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {minAvailable: 1, maxUnavailable: 1}',
    ['refused', 'error budget-one 4:41'],
  ],
  [
    'a mistake in an object that it accepts is a warning',
    "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: a}\nspec: {config: '{,}'}",
    ['valid', 'warning attachment-config 4:16'],
  ],
  [
    'a missing annotation of such an object is a warning',
    `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: a}\nspec: {config: '{"type": "sriov"}'}`,
    ['valid', 'warning sriov-resource 3:1'],
  ],
  [
    'a Service whose ports have no names is refused',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 1}, {port: 2, name: HTTP}]}',
    ['refused', 'error service-port-name 4:16', 'error service-port-name 4:43'],
  ],
  [
    'a name of a port that only a Service can have is a warning',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 1, name: a-name-for-the-web}]}',
    ['valid', 'warning port-name 4:32'],
  ],
  [
    'an object that only the cluster has is not missed',
    'apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstanceMigration\nmetadata: {name: a}\nspec: {vmiName: web}',
    ['valid'],
  ],
  ['other kinds are not checked', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: 5', ['other']],
  ['files of tools are not checked', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization', ['other']],
])('%s', (_, text, want) => expect(short(text)).toEqual(want));
