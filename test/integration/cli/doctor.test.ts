import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '../../../src/api';
import { installedKinds, type InstalledKindName } from '../../../src/api/install/kinds';
import { keys } from '../../../src/api/keys';
import { exitCodeOf } from '../../../src/cli/doctor/diagnose';
import { examine } from '../../../src/cli/doctor/run';
import { snapshotDefinitions } from '../../../src/local/storage/snapshots/definitions';
import { createAuthority } from '../../../src/runtime/kube/issue';
import { type KubeClient, type Resource, resources } from '../../../src/runtime/kube';
import { namespace, OperatorCluster } from '../runtime/operator/cluster';
import { eventually } from '../../support/patience';

/* `virt8s doctor` on an API server with the platform that virt-operator has installed: each fault has exactly its finding. */

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const NODE = 'node-1';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

let folder: string;
let cluster: OperatorCluster;
let admin: KubeClient;
const flags = (): { kubeconfig: string } => ({ kubeconfig: cluster.server.kubeconfig });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-doctor-'));
  cluster = await OperatorCluster.start(folder);
  admin = cluster.admin;
  await cluster.createKubeVirt();
  const operator = cluster.operator();
  await eventually(() => cluster.get('Secret', 'kubevirt-virt-api-certs'));
  await cluster.serveWebhooks();
  await cluster.becomes('Deployed');
  // it would repair what the tests break
  await operator.stop();
  await prepare();
  await eventually(async () => expect(await findings()).toEqual([]));
});

afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the objects of the programs, the kubelet and an administrator. */
async function prepare(): Promise<void> {
  const renewTime = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
  for (const name of ['virt-controller', 'virt-operator']) {
    await write(resources.leases, { metadata: { name, namespace }, spec: { holderIdentity: 'x', renewTime } });
  }
  await write(resources.nodes, {
    metadata: {
      name: NODE,
      labels: { [keys.schedulable]: 'true' },
      annotations: { [keys.heartbeat]: new Date().toISOString() },
    },
  });
  await status(resources.nodes, { name: NODE }, READY);
  const annotations = { [DEFAULT_CLASS]: 'true' };
  await write(resources.storageClasses, { metadata: { name: 'fast', annotations }, provisioner: 'csi.example' });
  for (const definition of snapshotDefinitions) await admin.create(resources.customResourceDefinitions, definition);
  const snapshotClass = { metadata: { name: 'fast' }, driver: 'csi.example', deletionPolicy: 'Delete' };
  await eventually(() => write(resources.volumeSnapshotClasses, snapshotClass));
  const claimPropertySets = [{ accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem' }];
  await write(resources.storageProfiles, { metadata: { name: 'fast' }, spec: {} });
  await status(resources.storageProfiles, { name: 'fast' }, { claimPropertySets });
}

const READY = {
  conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }],
  nodeInfo: { kubeletVersion: 'v1.36.0', containerRuntimeVersion: 'containerd://2.1.4' },
  allocatable: { [keys.kvmDevice]: '1k', 'devices.kubevirt.io/tun': '1k' },
};

interface Ref {
  readonly name: string;
  readonly namespace?: string;
}

const write = (resource: Resource, object: object): Promise<KubeObject> => {
  const apiVersion = resource.group ? `${resource.group}/${resource.version}` : resource.version;
  return admin.create(resource, { apiVersion, kind: resource.kind, ...object } as KubeObject);
};
const patch = (resource: Resource, ref: Ref, body: object): Promise<unknown> =>
  admin.patch(resource, ref, body, 'merge');
const status = (resource: Resource, ref: Ref, of: object): Promise<unknown> =>
  admin.patch(resource, { ...ref, subresource: 'status' }, { status: of }, 'merge');

/** Findings of the command: `check severity subject: cause`. */
async function findings(): Promise<string[]> {
  const { results } = await examine(flags());
  for (const { name, unread } of results) expect({ [name]: unread }).toEqual({ [name]: [] });
  return results.flatMap(({ name, findings: list }) =>
    list.map(({ severity, subject, cause }) => `${name} ${severity} ${subject}: ${cause}`),
  );
}

/** Deletes an object, and returns a function that creates it again. */
async function remove(kind: InstalledKindName, name: string): Promise<() => Promise<unknown>> {
  const resource = installedKinds[kind];
  const ref = { name, ...(resource.namespaced ? { namespace } : {}) };
  const found: Manifest = await admin.get(resource, ref);
  await admin.delete(resource, ref);
  const { uid: _, resourceVersion: _version, ...metadata } = found.metadata;
  return () => admin.create(resource, { ...found, metadata });
}

/** Changes an object, and returns a function that reverts the change. */
async function change(resource: Resource, ref: Ref, body: object, before: object): Promise<() => Promise<unknown>> {
  await patch(resource, ref, body);
  return () => patch(resource, ref, before);
}

async function changeStatus(resource: Resource, ref: Ref, of: object, before: object): Promise<() => Promise<unknown>> {
  await status(resource, ref, of);
  return () => status(resource, ref, before);
}

/** A Pod whose image cannot be pulled. */
async function unpullable(): Promise<() => Promise<unknown>> {
  const ref = { name: 'virt-launcher-web', namespace: 'default' };
  const containers = [{ name: 'compute', image: 'registry.example/os:1' }];
  const metadata = { ...ref, labels: { 'kubevirt.io': 'virt-launcher' } };
  await write(resources.pods, { metadata, spec: { containers } });
  const waiting = { reason: 'ErrImagePull', message: 'registry.example/os:1: not found' };
  const one = { name: 'compute', image: 'registry.example/os:1', imageID: '', ready: false, restartCount: 0 };
  await status(resources.pods, ref, { phase: 'Pending', containerStatuses: [{ ...one, state: { waiting } }] });
  return () => admin.delete(resources.pods, ref, { gracePeriodSeconds: 0 });
}

/** A VM that crashes. */
async function crashing(): Promise<() => Promise<unknown>> {
  const ref = { name: 'web', namespace: 'default' };
  const template = { spec: { domain: { devices: {} } } };
  await write(resources.virtualMachines, { metadata: ref, spec: { runStrategy: 'Always', template } });
  const conditions = [
    { type: 'Failure', status: 'True', reason: 'StartFailed', message: 'start failed once: no disk' },
  ];
  await status(resources.virtualMachines, ref, { printableStatus: 'CrashLoopBackOff', conditions });
  return () => admin.delete(resources.virtualMachines, ref);
}

const node = { name: NODE };
const own = { name: 'kubevirt', namespace };
const annotate = (annotations: object) => ({ metadata: { annotations } });

test.each<[name: string, breaks: () => Promise<() => Promise<unknown>>, wanted: string[]]>([
  [
    'a node that is not ready',
    () =>
      changeStatus(
        resources.nodes,
        node,
        { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'no network' }] },
        READY,
      ),
    [`nodes error Node "${NODE}": the node is not ready: KubeletNotReady (no network)`],
  ],
  [
    'a virt-handler that is silent',
    () =>
      change(
        resources.nodes,
        node,
        annotate({ [keys.heartbeat]: '2026-01-01T00:00:00Z' }),
        annotate({ [keys.heartbeat]: new Date().toISOString() }),
      ),
    [`nodes error Node "${NODE}": virt-handler has been silent for`],
  ],
  [
    'a node without KVM',
    () =>
      change(
        resources.nodes,
        node,
        annotate({ [keys.kvmUnusable]: '/dev/kvm does not exist' }),
        annotate({ [keys.kvmUnusable]: null }),
      ),
    [`kvm warning Node "${NODE}": KVM cannot be used, so guests are emulated`],
  ],
  [
    'a kubelet that is too old',
    () => changeStatus(resources.nodes, node, { nodeInfo: { ...READY.nodeInfo, kubeletVersion: 'v1.28.0' } }, READY),
    [
      `kubernetes error Node "${NODE}": kubelet v1.28.0 is older than 1.30`,
      // this version needs side containers, and the platform of the test is configured without directories for them
      `container-disks error Node "${NODE}": its runtime unpacks images in /run/containerd`,
    ],
  ],
  [
    'a container runtime that is too old',
    () =>
      changeStatus(
        resources.nodes,
        node,
        { nodeInfo: { ...READY.nodeInfo, containerRuntimeVersion: 'containerd://1.7.0' } },
        READY,
      ),
    [`container-disks error Node "${NODE}": containerd 1.7.0 does not support image volumes`],
  ],
  [
    'webhooks that were deleted',
    () => remove('ValidatingWebhookConfiguration', 'virt-api-validator'),
    ['webhooks error ValidatingWebhookConfiguration "virt-api-validator": it does not exist'],
  ],
  [
    'an authority that did not sign the certificate of virt-api',
    async () => {
      const { MutatingWebhookConfiguration: resource } = installedKinds;
      const ref = { name: 'virt-api-mutator' };
      const { webhooks }: Manifest = await admin.get(resource, ref);
      const authority = await createAuthority('other', { from: Date.now() - 60_000, until: Date.now() + 3_600_000 });
      const caBundle = Buffer.from(authority.cert).toString('base64');
      const changed = webhooks.map((each: Manifest) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } }));
      return change(resource, ref, { webhooks: changed }, { webhooks });
    },
    ['certificates error caBundle of virt-api-mutator: it does not contain the authority that issued'],
  ],
  [
    'a Secret that was deleted',
    () => remove('Secret', 'kubevirt-virt-handler-server-certs'),
    [`certificates error Secret "${namespace}/kubevirt-virt-handler-server-certs": it does not exist`],
  ],
  [
    'an aggregated API that was deleted',
    () => remove('APIService', 'v1alpha3.subresources.kubevirt.io'),
    ['apis error APIService "v1alpha3.subresources.kubevirt.io": it does not exist'],
  ],
  [
    'a program without Pods',
    () =>
      changeStatus(
        resources.deployments,
        { name: 'virt-controller', namespace },
        { availableReplicas: null },
        { availableReplicas: 1 },
      ),
    [`programs error Deployment "${namespace}/virt-controller": 0 of 1 Pods are available`],
  ],
  [
    'a leader that is silent',
    () =>
      change(
        resources.leases,
        { name: 'virt-controller', namespace },
        { spec: { renewTime: '2026-01-01T00:00:00.000000Z' } },
        { spec: { renewTime: '2036-01-01T00:00:00.000000Z' } },
      ),
    [`programs error Lease "${namespace}/virt-controller": no virt-controller has led for`],
  ],
  [
    'an image that does not exist',
    unpullable,
    ['images error Image "registry.example/os:1": 1 Pod (default/virt-launcher-web)'],
  ],
  [
    'an admission policy without binding',
    async () => {
      const { items } = await admin.list(installedKinds.ValidatingAdmissionPolicyBinding);
      const bound = items.find((each: Manifest) => each.spec.policyName === 'kubevirt-node-restriction');
      return remove('ValidatingAdmissionPolicyBinding', bound!.metadata.name!);
    },
    ['admission-policies warning ValidatingAdmissionPolicy "kubevirt-node-restriction": it has no binding'],
  ],
  [
    'a namespace that rejects virt-handler',
    async () => {
      const ref = { name: namespace };
      const { metadata } = await admin.get(resources.namespaces, ref);
      const label = (value: string | null): object => ({
        metadata: { labels: { 'pod-security.kubernetes.io/enforce': value } },
      });
      const before = metadata.labels?.['pod-security.kubernetes.io/enforce'] ?? null;
      return change(resources.namespaces, ref, label('baseline'), label(before));
    },
    [`pod-security error Namespace "${namespace}": it enforces the Pod Security policy baseline`],
  ],
  [
    'a platform that reports a problem',
    async () => {
      const { conditions = [] } = (await cluster.kubeVirt()).status ?? {};
      const bad = conditions.map((each) =>
        each.type === 'Degraded' ? { ...each, status: 'True', message: 'a Pod fails' } : each,
      );
      return changeStatus(resources.kubeVirts, own, { conditions: bad }, { conditions });
    },
    [`installation error KubeVirt "${namespace}/kubevirt": Degraded: a Pod fails`],
  ],
  [
    "KubeVirt's own operator",
    () =>
      change(
        resources.validatingWebhookConfigurations,
        { name: 'virt-api-validator' },
        annotate({ [keys.upstreamVersion]: 'v1.6.0' }),
        annotate({ [keys.upstreamVersion]: null }),
      ),
    ['other-installations error KubeVirt: KubeVirt v1.6.0 owns ValidatingWebhookConfiguration'],
  ],
  [
    'no default storage class',
    () =>
      change(
        resources.storageClasses,
        { name: 'fast' },
        annotate({ [DEFAULT_CLASS]: null }),
        annotate({ [DEFAULT_CLASS]: 'true' }),
      ),
    ['storage warning Storage: no StorageClass is the default'],
  ],
  ['a VM that crashes', crashing, ['vms error VM "default/web": CrashLoopBackOff: start failed once: no disk']],
  [
    'a definition that was deleted',
    () => remove('CustomResourceDefinition', 'plugins.plugin.kubevirt.io'),
    ['definitions error CustomResourceDefinition "plugins.plugin.kubevirt.io": it does not exist'],
  ],
])('%s', async (_, breaks, wanted) => {
  const revert = await breaks();
  try {
    const found = await findings();
    expect(found.map((each, i) => (each.startsWith(wanted[i] ?? '\n') ? wanted[i] : each))).toEqual(wanted);
  } finally {
    await revert();
  }
  await eventually(async () => expect(await findings()).toEqual([]));
});

test('a user without permissions learns which ones are missing, and nothing else', async () => {
  const { results } = await examine({ kubeconfig: await cluster.server.kubeconfigFor('nobody') });
  expect(results.flatMap((each) => each.findings)).toEqual([]);
  expect(exitCodeOf(results)).toBe(0);
  const nodes = results.find(({ name }) => name === 'nodes')!;
  expect(nodes).toMatchObject({ state: 'incomplete' });
  expect(nodes.unread).toContain('requires permission to list nodes');
  expect(results.find(({ name }) => name === 'certificates')!.unread).toContain(
    'requires permission to get secrets in namespace "kubevirt"',
  );
});

test('nothing is written', async () => {
  const before = await admin.list(resources.nodes);
  await findings();
  expect((await admin.list(resources.nodes)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

test('an API server that does not answer is an error', async () => {
  const { results } = await examine({ ...flags(), server: 'https://127.0.0.1:1' });
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ name: 'kubernetes', state: 'error', findings: [{ severity: 'error' }] });
  expect(exitCodeOf(results)).toBe(1);
});
