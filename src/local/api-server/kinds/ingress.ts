import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import {
  isDns1123Label,
  isDns1123Subdomain,
  isIpAddress,
  isPathSegment,
  isPortName,
  isPortNumber,
  isWildcardSubdomain,
} from '../validation/names';
import { define } from './define';
import { few, textPrinter } from './printers';

interface Backend {
  readonly service?: { readonly name?: string; readonly port?: { readonly name?: string; readonly number?: number } };
  readonly resource?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
}

interface HttpPath {
  readonly path?: string;
  readonly pathType?: string;
  readonly backend?: Backend;
}

interface Rule {
  readonly host?: string;
  readonly http?: { readonly paths?: readonly HttpPath[] };
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const FORBIDDEN_IN_PATHS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_AT_END = ['/..', '/.'];

/** Addresses at which a load balancer is reached. */
export function validateIngressPoints(points: readonly { ip?: string; hostname?: string }[], at: Fields): void {
  points.forEach(({ ip, hostname }, i) => {
    if (ip) at.index(i).child('ip').invalidEach(ip, isIpAddress(ip));
    if (!hostname) return;
    const here = at.index(i).child('hostname').invalidEach(hostname, isDns1123Subdomain(hostname));
    if (!isIpAddress(hostname).length) here.invalid(hostname, 'must be a DNS name, not an IP address');
  });
}

function validateHost(host: string, at: Fields): void {
  at.invalidEach(host, host.includes('*') ? isWildcardSubdomain(host) : isDns1123Subdomain(host));
}

function validateBackend({ service, resource }: Backend, at: Fields): void {
  if (service && resource) at.invalid('', 'cannot set both resource and service backends');
  else if (resource) {
    const { apiGroup, kind, name } = resource;
    if (apiGroup) at.child('resource', 'apiGroup').invalidEach(apiGroup, isDns1123Subdomain(apiGroup));
    for (const [field, value] of Object.entries({ kind, name })) {
      if (value) at.child('resource', field).invalidEach(value, isPathSegment(value));
      else at.child('resource', field).required();
    }
  } else if (service) {
    const { name, port: { name: portName, number: portNumber } = {} } = service;
    if (name) at.child('service', 'name').invalidEach(name, isDns1123Label(name));
    else at.child('service', 'name').required();
    const port = at.child('service', 'port');
    if (portName && portNumber) at.invalid('', 'cannot set both port name & port number');
    else if (portName) port.child('name').invalidEach(portName, isPortName(portName));
    else if (portNumber) port.child('number').invalidEach(portNumber, isPortNumber(portNumber));
    else at.required('port name or number is required');
  } else at.invalid('', 'resource or service backend is required');
}

function validatePath({ path = '', pathType, backend = {} }: HttpPath, at: Fields): void {
  if (!pathType) {
    at.child('pathType').required('pathType must be specified');
    return;
  }
  const here = at.child('path');
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) here.invalid(path, 'must be an absolute path');
    for (const text of FORBIDDEN_IN_PATHS) if (path.includes(text)) here.invalid(path, `must not contain '${text}'`);
    for (const text of FORBIDDEN_AT_END) if (path.endsWith(text)) here.invalid(path, `cannot end with '${text}'`);
  } else if (pathType === 'ImplementationSpecific') {
    if (path && !path.startsWith('/')) here.invalid(path, 'must be an absolute path');
  } else at.child('pathType').notSupported(pathType, ['Exact', 'ImplementationSpecific', 'Prefix']);
  validateBackend(backend, at.child('backend'));
}

function validateSpec({ spec = {} }: AnyObject, at: Fields): void {
  const rules: Rule[] = spec.rules ?? [];
  if (!rules.length && !spec.defaultBackend) at.invalid(null, 'either `defaultBackend` or `rules` must be specified');
  if (spec.defaultBackend) validateBackend(spec.defaultBackend, at.child('defaultBackend'));
  rules.forEach(({ host, http }, i) => {
    const here = at.child('rules').index(i);
    if (host) {
      if (!isIpAddress(host).length) here.child('host').invalid(host, 'must be a DNS name, not an IP address');
      validateHost(host, here.child('host'));
    }
    if (!http) return;
    if (!http.paths?.length) here.child('http', 'paths').required();
    (http.paths ?? []).forEach((path, j) => validatePath(path, here.child('http', 'paths').index(j)));
  });
  ((spec.tls ?? []) as { hosts?: string[]; secretName?: string }[]).forEach(({ hosts, secretName }, i) => {
    const here = at.child('tls').index(i);
    (hosts ?? []).forEach((host, j) => validateHost(host, here.child('hosts').index(j)));
    if (secretName) here.child('secretName').invalidEach(secretName, isDns1123Subdomain(secretName));
  });
  const className: string | undefined = spec.ingressClassName;
  if (className !== undefined) at.child('ingressClassName').invalidEach(className, isDns1123Subdomain(className));
}

function hosts(rules: readonly Rule[] = []): string {
  const named = rules.flatMap(({ host }) => (host ? [host] : []));
  return named.length ? few(named) : '*';
}

export const ingress = define({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  singular: 'ingress',
  namespaced: true,
  shortNames: ['ing'],
  status: true,
  generation: true,
  printer: textPrinter({
    Class: ({ spec }) => spec?.ingressClassName ?? '<none>',
    Hosts: ({ spec }) => hosts(spec?.rules),
    Address: ({ status }) =>
      ((status?.loadBalancer?.ingress ?? []) as { ip?: string; hostname?: string }[])
        .flatMap((item) => item.ip || item.hostname || [])
        .sort()
        .filter((address, i, all) => address !== all[i - 1])
        .join(','),
    Ports: ({ spec }) => (spec?.tls?.length ? '80, 443' : '80'),
  }),
  validate(object, fields) {
    validateSpec(object, fields.child('spec'));
    const annotation = object.metadata.annotations?.[CLASS_ANNOTATION];
    const className: string | undefined = object.spec?.ingressClassName;
    if (annotation === undefined || className === undefined || annotation === className) return;
    const at = fields.child('annotations', CLASS_ANNOTATION);
    at.invalid(annotation, 'must match `ingressClassName` when both are specified');
  },
  validateUpdate: (next, _old, fields) => validateSpec(next, fields.child('spec')),
  validateStatus: ({ status }, _old, fields) =>
    validateIngressPoints(status?.loadBalancer?.ingress ?? [], fields.child('status', 'loadBalancer', 'ingress')),
});
