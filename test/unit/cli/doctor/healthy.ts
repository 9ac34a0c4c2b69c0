import type { KubeObject } from '../../../../src/api';
import { keys } from '../../../../src/api/keys';
import { virtApiServices, virtApiMutatingWebhooks, virtApiValidatingWebhooks } from '../../../../src/api/platform';
import { definitionNames } from '../../../../src/cli/doctor/checks/definitions';
import { policyNames } from '../../../../src/cli/doctor/checks/policies';
import type { Facts } from '../../../../src/cli/doctor/facts';
import type { Check } from '../../../../src/cli/doctor/finding';

/** Facts that tests change. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests break them in every way
export type Broken = any;

export const NOW = Date.parse('2026-11-27T12:00:00Z');
export const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

const object = (kind: string, name: string, more: object = {}, namespace?: string): KubeObject =>
  ({ apiVersion: '', kind, metadata: { name, ...(namespace && { namespace }) }, ...more }) as KubeObject;
const own = (kind: string, name: string, more: object = {}): KubeObject => object(kind, name, more, 'kubevirt');

const image = (name: string): string => `registry.example/${name}:v1.0.0`;
const deployment = (name: string, replicas = 2): KubeObject =>
  own('Deployment', name, {
    spec: {
      replicas,
      template: {
        spec: {
          containers: [{ name, image: image(name), args: name === 'virt-operator' ? ['--strategy-hash=abc'] : [] }],
        },
      },
    },
    status: { availableReplicas: replicas },
  });

export const nodeOf = (name: string): KubeObject => ({
  ...object('Node', name, {
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      nodeInfo: { kubeletVersion: 'v1.36.1', containerRuntimeVersion: 'containerd://2.1.4' },
      allocatable: { 'devices.kubevirt.io/kvm': '1k', 'devices.kubevirt.io/tun': '1k' },
    },
  }),
  metadata: {
    name,
    labels: { [keys.schedulable]: 'true' },
    annotations: { [keys.heartbeat]: ago(1) },
  },
});

/** A cluster without problems. Without certificates, which have tests of their own. */
export function healthy(): Broken {
  const registration = { namespace: 'kubevirt', caBundle: 'CA' };
  return {
    ...{ now: NOW, clockOffsetMs: 0, namespace: 'kubevirt', absent: new Set() },
    server: 'v1.36.2',
    groups: ['apps', 'monitoring.coreos.com'],
    engine: undefined,
    kubeVirts: [
      own('KubeVirt', 'kubevirt', {
        spec: {},
        status: {
          phase: 'Deployed',
          conditions: [
            ...['Available', 'Synchronized'].map((type) => ({ type, status: 'True', reason: '', message: '' })),
            ...['Progressing', 'Degraded'].map((type) => ({ type, status: 'False', reason: '', message: '' })),
          ],
        },
      }),
    ],
    nodes: [nodeOf('a'), nodeOf('b')],
    deployments: ['virt-operator', 'virt-api', 'virt-controller', 'cdi-uploadproxy'].map((name) => deployment(name)),
    daemonSets: [
      own('DaemonSet', 'virt-handler', {
        spec: {
          template: {
            spec: {
              containers: [
                {
                  ...{ name: 'virt-handler', image: image('virt-handler') },
                  volumeMounts: [{ mountPath: '/run/containerd' }, { mountPath: '/var/lib/containers/storage' }],
                },
              ],
            },
          },
        },
        status: { desiredNumberScheduled: 2, numberAvailable: 2 },
      }),
    ],
    platformPods: [],
    leases: ['virt-controller', 'virt-operator'].map((name) => own('Lease', name, { spec: { renewTime: ago(0.1) } })),
    services: [own('Service', 'virt-api'), own('Service', 'kubevirt-prometheus-metrics')],
    endpointSlices: [
      {
        ...own('EndpointSlice', 'virt-api-x', {
          endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
        }),
        metadata: { name: 'virt-api-x', labels: { 'kubernetes.io/service-name': 'virt-api' } },
      },
    ],
    secrets: undefined,
    definitions: definitionNames.map((name) =>
      object('CustomResourceDefinition', name, {
        spec: { versions: [{ name: 'v1', storage: true }] },
        status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
      }),
    ),
    mutatingWebhooks: [virtApiMutatingWebhooks(registration)],
    validatingWebhooks: [virtApiValidatingWebhooks(registration)],
    apiServices: virtApiServices(registration).map((each) => ({
      ...each,
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Passed', message: '' }] },
    })),
    policies: policyNames.map((name) => object('ValidatingAdmissionPolicy', name)),
    policyBindings: policyNames.map((name) =>
      object('ValidatingAdmissionPolicyBinding', name, { spec: { policyName: name } }),
    ),
    namespaces: [object('Namespace', 'kubevirt'), object('Namespace', 'shop')],
    storageClasses: [
      {
        ...object('StorageClass', 'fast', { provisioner: 'csi.example' }),
        metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      },
    ],
    snapshotClasses: [object('VolumeSnapshotClass', 'fast', { driver: 'csi.example' })],
    storageProfiles: [object('StorageProfile', 'fast', { status: { claimPropertySets: [{}] } })],
    virtualMachines: [],
    instances: [],
    claims: [],
    waitingPods: [],
  };
}

/** Findings of a check as text, after facts were broken: `error Node "a": the node is not ready … = check …`. */
export function found(check: Check, breaks: (facts: Broken) => void): string[] {
  const facts = healthy();
  breaks(facts);
  return check
    .find(facts as Facts)
    .map(({ severity, subject, cause, remedy }) => `${severity} ${subject}: ${cause} = ${remedy}`);
}

/** Row of a table: name, how the facts are broken, and parts of each finding. */
export type Row = [string, (facts: Broken) => void, string[]];

/** Compares the findings of a row: each has its part, and there are no others. */
export function expectRow(check: Check, [, breaks, wanted]: Row): void {
  const findings = found(check, breaks);
  expect(findings.map((each, i) => (wanted[i] !== undefined && each.includes(wanted[i]) ? wanted[i] : each))).toEqual(
    wanted,
  );
}

/** Pod of a program or VM with one container in a state. */
export const podOf = (name: string, waiting: object, namespace = 'kubevirt', program = name): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels: { 'kubevirt.io': program } },
  ...{ status: { containerStatuses: [{ name, image: image(name), state: { waiting } }] } },
});

export const byName = (list: KubeObject[], name: string): Broken =>
  list.find(({ metadata }) => metadata.name === name) as unknown as Broken;
