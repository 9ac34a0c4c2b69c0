import { mkdtempSync, rmSync } from 'node:fs';
import { request, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateNames } from '../../../../../src/api/certificates';
import { uploadHeaders } from '../../../../../src/api/cdi/upload';
import { ImportError } from '../../../../../src/runtime/importer/import-error';
import { makeIdentity } from '../../../../../src/runtime/importer/upload/identity';
import { serveUpload } from '../../../../../src/runtime/importer/upload/upload-server';
import type { Upload } from '../../../../../src/runtime/importer/upload/upload';
import { TestCa, type Pair } from '../../../../support/pki';

describe('an upload server', () => {
  let folder: string;
  let ca: string;
  let client: Pair;
  let server: Server;
  let failure: Error;
  let received: number;
  let authority: TestCa;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'upload-server-'));
    authority = await TestCa.create('authority');
    client = await authority.issue([{ CN: [certificateNames.uploadClient] }]);
    ca = await makeIdentity(folder);
    const receive = (): Promise<never> => {
      received++;
      return Promise.reject(failure);
    };
    const upload = { offsetFor: () => 0, receive } as unknown as Upload;
    server = serveUpload({ port: 0, identity: folder, authority: authority.pem, upload });
    await once(server, 'listening');
  });
  beforeEach(() => {
    received = 0;
    failure = new ImportError('RequestInvalid', 'no boundary', 'send one');
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true });
  });

  const post = (pair: Partial<Pair> = client): Promise<{ code?: number; text: string }> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const headers = { [uploadHeaders.token]: 'token' };
      const from = { ...pair, ca, host: '127.0.0.1', port, servername: 'upload-server', agent: false, headers };
      const sent = request({ ...from, method: 'POST', path: '/v1beta1/upload' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ code: response.statusCode, text }));
      });
      sent.on('error', reject);
      sent.end('disk');
    });

  test.each<[Error, number, string, boolean]>([
    [new ImportError('RequestInvalid', 'no boundary', 'send one'), 400, 'no boundary; send one', false],
    [new Error('ENOSPC: no space left on device, write'), 500, 'ENOSPC: no space left on device, write', true],
  ])('answers with the cause of a failure, and logs what is unexpected: %s', async (error, code, text, isLogged) => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    failure = error;
    expect(await post()).toEqual({ code, text });
    expect(log.mock.calls).toEqual(isLogged ? [[error]] : []);
    log.mockRestore();
  });

  test.each<[string, number | 'no answer', () => Promise<Partial<Pair>>]>([
    ['of the upload proxy', 400, async () => client],
    ['of virt-api', 401, () => authority.issue([{ CN: [certificateNames.handlerClient] }])],
    ['of an administrator', 401, () => authority.issue([{ CN: ['admin'] }, { O: ['system:masters'] }])],
    ['of a name that only begins like it', 401, () => authority.issue([{ CN: [`${certificateNames.uploadClient}2`] }])],
    ['of two names', 401, () => authority.issue([{ CN: [certificateNames.uploadClient] }, { CN: ['x'] }])],
    ['of an organization of that name', 401, () => authority.issue([{ O: [certificateNames.uploadClient] }])],
    ['of a host of that name', 401, () => authority.issue([{ CN: ['x'] }], [certificateNames.uploadClient])],
    [
      'of another authority',
      'no answer',
      async () => (await TestCa.create('authority')).issue([{ CN: [certificateNames.uploadClient] }]),
    ],
    ['that is missing', 'no answer', async () => ({})],
  ])('a client with a certificate %s gets %s', async (_, code, pair) => {
    const answer = await post(await pair()).catch(() => ({ code: 'no answer' }));
    expect(answer).toMatchObject({ code });
    expect(received).toBe(code === 400 ? 1 : 0);
  });
});
