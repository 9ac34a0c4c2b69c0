import { connect, constants } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import type { ProbeResult } from './probe';

/** Probe of the gRPC health protocol (`grpc.health.v1.Health/Check`), without TLS. */

/** Names of HealthCheckResponse.ServingStatus. */
const STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const SERVING = 1;
const UNIMPLEMENTED = '12';
/** Names of the codes of gRPC that a health service returns. */
const CODES: Record<string, string> = {
  '2': 'Unknown',
  '5': 'NotFound',
  '7': 'PermissionDenied',
  '13': 'Internal',
  '14': 'Unavailable',
  '16': 'Unauthenticated',
};
/** A health response has a few bytes. */
const MAX_RESPONSE = 4096;

/** Message of gRPC: no compression, length, and `HealthCheckRequest { string service = 1; }`. */
function requestOf(service: string): Buffer {
  const name = Buffer.from(service);
  const body = name.length ? Buffer.concat([Buffer.from([0x0a, ...varint(name.length)]), name]) : name;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** Status of a `HealthCheckResponse { ServingStatus status = 1; }`; a status of zero is not sent. */
export function servingStatus(response: Buffer): number {
  if (response.length < 5 || response[0] !== 0) return 0;
  const body = response.subarray(5, 5 + response.readUInt32BE(1));
  return body[0] === 0x08 ? (body[1] ?? 0) : 0;
}

export function grpcProbe(host: string, port: number, service: string, timeoutMs: number): Promise<ProbeResult> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const seconds = `${timeoutMs / 1000}s`;
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  const fail = (message: string): void => resolve({ ok: false, message });
  const session = connect(`http://${address}`);
  let connected = false;
  session.once('connect', () => {
    connected = true;
    check(session, address, service, resolve);
  });
  session.on('error', (error) => fail(`error: failed to connect service at "${address}": ${error.message}`));
  const timer = setTimeout(
    () =>
      fail(
        connected
          ? `timeout: health rpc did not complete within ${seconds}`
          : `timeout: failed to connect service "${address}" within ${seconds}: context deadline exceeded`,
      ),
    timeoutMs,
  );
  return promise.finally(() => {
    clearTimeout(timer);
    session.destroy();
  });
}

function check(
  session: ClientHttp2Session,
  authority: string,
  service: string,
  resolve: (result: ProbeResult) => void,
): void {
  const fail = (message: string): void => resolve({ ok: false, message });
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_SCHEME]: 'http',
    [constants.HTTP2_HEADER_AUTHORITY]: authority,
    [constants.HTTP2_HEADER_PATH]: '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    'user-agent': 'kube-probe/1.36',
    te: 'trailers',
  });
  let code: string | undefined;
  let said = '';
  let response = Buffer.alloc(0);
  // an error without a message has its code in the headers
  const read = (headers: Record<string, unknown>): void => {
    if (headers['grpc-status'] === undefined) return;
    code = String(headers['grpc-status']);
    said = String(headers['grpc-message'] ?? '');
  };
  stream.on('response', read);
  stream.on('trailers', read);
  stream.on('data', (data: Buffer) => {
    if (response.length < MAX_RESPONSE) response = Buffer.concat([response, data]);
  });
  stream.on('error', (error) =>
    fail(`error: health rpc probe failed: rpc error: code = Unavailable desc = ${error.message}`),
  );
  stream.on('close', () => {
    if (code === UNIMPLEMENTED) {
      return fail(`error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${said}`);
    }
    if (code !== '0') {
      const name = CODES[code ?? '14'] ?? `Code(${code})`;
      return fail(`error: health rpc probe failed: rpc error: code = ${name} desc = ${said}`);
    }
    const status = servingStatus(response);
    if (status === SERVING) return resolve({ ok: true, message: 'service healthy' });
    fail(`service unhealthy (responded with "${STATUSES[status] ?? status}")`);
  });
  stream.end(requestOf(service));
}
