import { ServiceError, ServiceReference } from './service-resolver';

/** Go's text for a failed connection to `address`, which clients match on. */
export function connectionError({ code = '', message }: NodeJS.ErrnoException, address: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${address}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${address}: connect: network is unreachable`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${address.replace(/:\d+$/, '')}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${message}`;
    default:
      return /CERT|LEAF|SIGNATURE|ISSUER/.test(code)
        ? 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
        : message;
  }
}

/** Text about a Service that cannot be called. */
export function serviceError({ reason, message }: ServiceError, { name, port = 443 }: ServiceReference): string {
  switch (reason) {
    case 'ServiceNotFound':
      return `service ${JSON.stringify(name)} not found`;
    case 'ServicePortError':
      return `no service port ${port} found for service ${JSON.stringify(name)}`;
    case 'MissingEndpoints':
      return `no endpoints available for service ${JSON.stringify(name)}`;
    default:
      return message;
  }
}

const BY_CODE: Readonly<Record<number, string>> = {
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** Text about a response with an error code. */
export function httpError(code: number, body: string): string {
  const text = body.trim();
  if (code === 403 && text) return text;
  if (BY_CODE[code]) return BY_CODE[code];
  if (code < 500) return 'the server rejected our request for an unknown reason';
  return `an error on the server (${JSON.stringify(text || 'unknown')}) has prevented the request from succeeding`;
}
