import { Agent } from 'node:https';
import { mutatingWebhooks, validatingWebhooks } from '../../../../src/api/webhook-table';
import { resources } from '../../../../src/runtime/kube';
import { SUBRESOURCES } from '../../../../src/runtime/api-server/registry';
import type { Pair } from '../../../support/pki';
import fc, { runs, seed } from '../../../support/fast-check';
import { MISTAKE, type Peer, rawBytes, requests, send, sendRaw } from '../../../support/fuzzed-requests';
import { instance, machine, Platform } from './platform';

/** virt-api behind the API server's certificate: all that a user may send, and more than an API server would pass on. */
let platform: Platform;
let proxy: Pair;
let peer: Peer;
const agents: Agent[] = [];

beforeAll(async () => {
  platform = await Platform.start();
  await platform.client.create(resources.virtualMachines, machine('web'));
  await platform.client.create(resources.virtualMachineInstances, instance('runs'));
  await platform.running('runs');
  proxy = await platform.api.ca.issue([{ CN: ['front-proxy-client'] }]);
  const { hostname, port } = new URL(platform.virtApiUrl);
  const agent = new Agent({ ...proxy, keepAlive: true, rejectUnauthorized: false });
  agents.push(agent);
  const headers = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters', 'content-type': 'application/json' };
  peer = { host: hostname, port: Number(port), agent, headers };
});
afterAll(async () => {
  agents.forEach((agent) => agent.destroy());
  await platform?.stop();
});

const actions = ['v1', 'v1alpha3'].flatMap((version) =>
  SUBRESOURCES.map(({ owner, name, params = [] }) => {
    const base = `/apis/subresources.kubevirt.io/${version}/namespaces/default/${owner}`;
    if (owner === 'expand-vm-spec') return base;
    const values = params.map((param) => (param.startsWith('port') ? '22' : 'tcp'));
    return [base, owner === 'virtualmachines' ? 'web' : 'runs', name, ...values].join('/');
  }),
);
const documents = [
  ...['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/subresources.kubevirt.io/v1', '/apis', '/healthz', '/readyz'],
  ...['/apis/subresources.kubevirt.io/v1', '/apis/subresources.kubevirt.io/v1/version', '/metrics'],
  '/apis/upload.cdi.kubevirt.io/v1beta1/namespaces/default/uploadtokenrequests',
];
const options = [
  ...[{}, { dryRun: ['All'] }, { paused: true }, { gracePeriod: 5 }, { unfreezeTimeout: '5m' }, machine('given')],
  {
    name: 'a',
    disk: { name: 'a', disk: { bus: 'scsi' } },
    volumeSource: { persistentVolumeClaim: { claimName: 'a' } },
  },
  { metadata: { name: 'a' }, spec: { pvcName: 'a' } },
];

const reviews = [machine('new'), instance('new')].flatMap((object) =>
  ['CREATE', 'UPDATE', 'DELETE'].map((operation) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'a',
      kind: { group: 'kubevirt.io', version: 'v1', kind: object.kind },
      resource: { group: 'kubevirt.io', version: 'v1', resource: `${object.kind.toLowerCase()}s` },
      ...{ name: 'new', namespace: 'default', operation, userInfo: { username: 'admin', groups: ['system:masters'] } },
      object: operation === 'DELETE' ? null : object,
      oldObject: operation === 'CREATE' ? null : object,
    },
  })),
);

/** A conflict that KubeVirt answers with 500. */
const KNOWN_500 = /already underway/;

async function serves(): Promise<void> {
  const path = '/apis/subresources.kubevirt.io/v1';
  expect(await send(peer, { method: 'GET', path, body: '', websocket: undefined })).toMatchObject({ code: 200 });
}

test.each([
  [
    'subresources and documents',
    requests([...actions, ...documents], options, ['GET', 'PUT', 'POST']),
    1_500,
    [101, 200, 400, 404, 405, 409],
  ],
  [
    'webhooks',
    requests(
      [...validatingWebhooks, ...mutatingWebhooks].map(({ path }) => path),
      reviews,
      ['POST'],
    ),
    1_000,
    [200, 400, 404, 405],
  ],
])(`virt-api answers every request to %s (seed ${seed})`, async (_, arbitrary, count, seen) => {
  const codes = new Set<number>();
  const property = fc.asyncProperty(arbitrary, async (given) => {
    const { code, body } = await send(peer, given);
    codes.add(code);
    if (code === 500) expect(body).toMatch(KNOWN_500);
    if (code >= 400 && given.method !== 'HEAD' && given.websocket === undefined && body !== '')
      expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code });
    expect(body).not.toMatch(MISTAKE);
  });
  await fc.assert(property, { numRuns: runs(count) });
  expect([...codes]).toEqual(expect.arrayContaining(seen));
  await serves();
});

test(`virt-api survives connections that do not speak HTTP (seed ${seed})`, async () => {
  const { host, port } = peer;
  const property = fc.asyncProperty(rawBytes, fc.boolean(), (bytes, isKnown) =>
    sendRaw({ host, port, rejectUnauthorized: false, ...(isKnown && proxy) }, bytes),
  );
  await fc.assert(property, { numRuns: runs(200) });
  await serves();
});
