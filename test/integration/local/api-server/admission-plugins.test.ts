import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server.close());

const NS = '/api/v1/namespaces/default';
const MERGE = 'application/merge-patch+json';
const PRIORITIES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const pod = (spec: object) => ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

test.each([
  [
    'a runtime class',
    { runtimeClassName: 'kata' },
    'pods "p" is forbidden: pod rejected: RuntimeClass "kata" not found',
  ],
  [
    'overhead without one',
    { overhead: { cpu: '1' } },
    'pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
  [
    'another preemption policy than its class',
    { preemptionPolicy: 'Never' },
    'pods "p" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
  ],
])('a Pod with %s is rejected', async (_, spec, message) => {
  expect((await send('POST', `${NS}/pods`, pod(spec))).body).toMatchObject({ code: 403, reason: 'Forbidden', message });
});

test('there is at most one default priority class, and those of the system stay', async () => {
  expect((await send('POST', PRIORITIES, { metadata: { name: 'a' }, value: 1, globalDefault: true })).code).toBe(201);
  expect(
    (await send('POST', PRIORITIES, { metadata: { name: 'b' }, value: 1, globalDefault: true })).body.message,
  ).toBe(
    'priorityclasses.scheduling.k8s.io "b" is forbidden: PriorityClass a is already marked as default. Only one default can exist',
  );
  expect((await send('PATCH', `${PRIORITIES}/a`, { description: 'x' }, MERGE)).code).toBe(200);
  expect((await send('DELETE', `${PRIORITIES}/system-node-critical`)).body.message).toBe(
    'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
  );
  expect((await send('DELETE', `${PRIORITIES}/a`)).code).toBe(200);
});

test('only a bound claim of a class with expansion can grow', async () => {
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  for (const [name, allowVolumeExpansion] of [
    ['fixed', false],
    ['growing', true],
  ] as const) {
    await send('POST', classes, { metadata: { name }, provisioner: 'example.com/p', allowVolumeExpansion });
    const resources = { requests: { storage: '1Gi' } };
    const spec = { accessModes: ['ReadWriteOnce'], resources, storageClassName: name, volumeName: 'v' };
    await send('POST', `${NS}/persistentvolumeclaims`, { metadata: { name }, spec });
    const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
    await send('PATCH', `${NS}/persistentvolumeclaims/${name}/status`, { status }, MERGE);
  }
  const resize = (name: string, storage: string) =>
    send('PATCH', `${NS}/persistentvolumeclaims/${name}`, { spec: { resources: { requests: { storage } } } }, MERGE);
  expect((await resize('growing', '2Gi')).code).toBe(200);
  expect((await resize('growing', '1Gi')).code).toBe(422);
  expect((await resize('fixed', '2Gi')).body.message).toBe(
    'persistentvolumeclaims "fixed" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  );
});

test('an Ingress without a class gets the newest default class', async () => {
  const group = '/apis/networking.k8s.io/v1';
  const ingresses = `${group}/namespaces/default/ingresses`;
  const create = async (name: string, spec: object = {}, annotations: object = {}): Promise<unknown> => {
    const defaultBackend = { service: { name: 's', port: { number: 80 } } };
    const { body } = await send('POST', ingresses, {
      metadata: { name, annotations },
      spec: { defaultBackend, ...spec },
    });
    return body.spec.ingressClassName;
  };
  const addClass = (name: string, isDefault: string) =>
    send('POST', `${group}/ingressclasses`, {
      metadata: { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': isDefault } },
      spec: { controller: 'example.com/c' },
    });
  await addClass('other', 'false');
  expect(await create('none')).toBeUndefined();
  await addClass('main', 'true');
  expect(await create('defaulted')).toBe('main');
  expect(await create('named', { ingressClassName: 'other' })).toBe('other');
  expect(await create('annotated', {}, { 'kubernetes.io/ingress.class': 'other' })).toBeUndefined();
  // an update sets no class
  const { body } = await send('PATCH', `${ingresses}/none`, { metadata: { labels: { a: 'b' } } }, MERGE);
  expect(body.spec.ingressClassName).toBeUndefined();
});

test('writes of a kind that is only stored are answered with a warning', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';
  const text =
    '299 - "mutatingadmissionpolicybindings.admissionregistration.k8s.io are only stored: nothing in this cluster acts on them"';
  const created = await send('POST', path, { metadata: { name: 'n' }, spec: { policyName: 'p' } });
  expect([created.code, created.headers.warning]).toEqual([201, text]);
  expect((await send('GET', `${path}/n`)).headers.warning).toBeUndefined();
  expect((await send('POST', `${NS}/configmaps`, { metadata: { name: 'm' } })).headers.warning).toBeUndefined();
});
