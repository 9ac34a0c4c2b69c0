import { Agent } from 'node:https';
import { CALLER_COMMON_NAME } from '../../../../src/runtime/handler/server/identity';
import fc, { runs, seed } from '../../../support/fast-check';
import { MISTAKE, type Peer, rawBytes, requests, send, sendRaw } from '../../../support/fuzzed-requests';
import { TestCa } from '../../../support/pki';
import type { Pair } from '../../../support/pki';
import { base, ServedHandler } from './served-handler';

/** The handler's server with virt-api's certificate: all that virt-api may pass on, and more. */
let handler: ServedHandler;
let caller: Pair;
let peer: Peer;

beforeAll(async () => {
  const ca = await TestCa.create('handlers');
  caller = await ca.issue([{ CN: [CALLER_COMMON_NAME] }]);
  handler = await ServedHandler.start(ca);
  // nobody receives its reports here, so it would repeat each of them
  handler.launcher.tell = () => undefined;
  const agent = new Agent({ ...caller, keepAlive: true, rejectUnauthorized: false });
  peer = { host: '127.0.0.1', port: handler.port, agent };
});
afterAll(async () => {
  peer?.agent.destroy();
  await handler?.close();
});

const names = [
  ...['pause', 'unpause', 'freeze', 'unfreeze', 'backup', 'softreboot', 'reset', 'guestosinfo', 'userlist'],
  ...['filesystemlist', 'console', 'vnc', 'portforward/22', 'portforward/22/udp'],
];
const backup = { cmd: 'Start', backupName: 'a', backupStartTime: '2026-01-02T03:04:05Z', targetPath: '/var/run/a' };

async function serves(): Promise<void> {
  const answer = await send(peer, { method: 'GET', path: `${base}/userlist`, body: '', websocket: undefined });
  expect(answer).toMatchObject({ code: 200 });
}

test(`virt-handler answers every request (seed ${seed})`, async () => {
  const paths = [...names.map((name) => `${base}/${name}`), '/healthz'];
  const codes = new Set<number>();
  const property = fc.asyncProperty(
    requests(paths, [{}, { unfreezeTimeout: '5m' }, backup], ['PUT', 'GET']),
    async (given) => {
      const { code, body } = await send(peer, given);
      codes.add(code);
      expect(body).not.toMatch(MISTAKE);
    },
  );
  await fc.assert(property, { numRuns: runs(1_500) });
  expect([...codes]).toEqual(expect.arrayContaining([200, 202, 400, 404, 405, 409]));
  await serves();
});

test(`virt-handler survives connections that do not speak HTTP (seed ${seed})`, async () => {
  const property = fc.asyncProperty(rawBytes, fc.boolean(), (bytes, isKnown) =>
    sendRaw({ host: peer.host, port: peer.port, rejectUnauthorized: false, ...(isKnown && caller) }, bytes),
  );
  await fc.assert(property, { numRuns: runs(200) });
  await serves();
});
