import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { createAuthority, issueLeaf } from '../../../../src/runtime/kube/issue';
import type { KeyPair } from '../../../../src/runtime/kube/pem';

const HOUR = 3_600_000;
const now = Date.now();
const validity = { from: now - HOUR, until: now + HOUR };

let authority: KeyPair;
beforeAll(async () => void (authority = await createAuthority('test-ca', validity)));
const read = ({ cert }: KeyPair): X509Certificate => new X509Certificate(cert);

test('an authority signs itself, and may sign certificates', () => {
  const certificate = read(authority);
  expect(certificate.ca).toBe(true);
  expect(certificate.subject).toBe('CN=test-ca');
  expect(certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(authority.key))).toBe(true);
});

test.each([
  ['seconds', validity.from, validity.until],
  ['years before and after 2050, whose dates are written in two ways', Date.UTC(1990), Date.UTC(2126)],
])('a certificate is valid for the given time: %s', async (_, from, until) => {
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  for (const pair of [
    await createAuthority('ca', { from, until }),
    await issueLeaf(authority, { commonName: 'a' }, { from, until }),
  ]) {
    const { validFrom, validTo } = read(pair);
    expect([seconds(Date.parse(validFrom)), seconds(Date.parse(validTo))]).toEqual([seconds(from), seconds(until)]);
  }
});

describe('a leaf', () => {
  test('of a server has its hosts and addresses', async () => {
    const hosts = ['virt-api', 'virt-api.kubevirt.svc', '10.0.0.1', 'fd00::1'];
    const certificate = read(await issueLeaf(authority, { commonName: 'virt-api', hosts }, validity));
    expect(certificate.checkIssued(read(authority)) && certificate.verify(read(authority).publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(hosts.slice(0, 2).map((host) => certificate.checkHost(host))).toEqual(hosts.slice(0, 2));
    expect(hosts.slice(2).map((address) => certificate.checkIP(address))).toEqual(hosts.slice(2));
    expect(certificate.checkHost('other')).toBeUndefined();
  });

  test('of a client has no hosts, and its groups as organizations', async () => {
    const request = { commonName: 'admin', organizations: ['system:masters', 'a'] };
    const certificate = read(await issueLeaf(authority, request, validity));
    expect(certificate.subject).toBe('O=system:masters\nO=a\nCN=admin');
    expect(certificate.subjectAltName).toBeUndefined();
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  });

  test('has a key and a serial number of its own', async () => {
    const request = { commonName: 'a', hosts: ['a'] };
    const pairs = await Promise.all([1, 2, 3].map(() => issueLeaf(authority, request, validity)));
    expect(new Set(pairs.map(({ key }) => key)).size).toBe(3);
    const serials = pairs.map((pair) => read(pair).serialNumber);
    expect(new Set(serials).size).toBe(3);
    // positive, and at most 20 bytes (RFC 5280, 4.1.2.2)
    for (const serial of serials) expect(serial).toMatch(/^[0-7][0-9A-F]{1,38}$/);
  });

  test.each([
    ['certificate', () => ({ ...authority, cert: 'text' })],
    ['key', () => ({ ...authority, key: 'text' })],
    ['empty key', () => ({ ...authority, key: '' })],
  ])('is not issued with a damaged %s of the authority', async (_, damaged) => {
    await expect(issueLeaf(damaged(), { commonName: 'a' }, validity)).rejects.toThrow();
  });
});

test('server and client accept each other in TLS, and nobody of another authority', async () => {
  const server = await issueLeaf(authority, { commonName: 'server', hosts: ['virt-handler'] }, validity);
  const client = await issueLeaf(authority, { commonName: 'client' }, validity);
  const options = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  const listener = createServer(options, (socket) => socket.end(String(socket.getPeerCertificate().subject.CN)));
  listener.on('tlsClientError', () => undefined);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const name = (pair: KeyPair, ca: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      connect({ port, host: '127.0.0.1', servername: 'virt-handler', ca, ...pair })
        .on('data', (chunk: Buffer) => void (text += chunk.toString()))
        .on('error', reject)
        // in TLS 1.3, a client that is rejected may see only the end of the connection
        .on('close', () => (text ? resolve(text) : reject(new Error('closed'))));
    });
  const other = await createAuthority('test-ca', validity);
  const stranger = await issueLeaf(other, { commonName: 'client' }, validity);
  try {
    expect(await name(client, authority.cert)).toBe('client');
    await expect(name(client, other.cert)).rejects.toThrow();
    await expect(name(stranger, authority.cert)).rejects.toThrow();
    // the certificate of a server is not one of a client
    await expect(name(server, authority.cert)).rejects.toThrow();
  } finally {
    listener.close();
  }
});
