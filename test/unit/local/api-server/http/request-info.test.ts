import { parseRequest } from '../../../../../src/local/api-server/http/request-info';

const short = (method: string, url: string) => {
  const { verb, group, version, namespace, resource, name, subresource, rest } = parseRequest(method, url);
  return [verb, `${group}/${version}`, namespace, resource, name, subresource, ...rest].join(' ');
};

test.each([
  ['GET', '/api/v1/pods', 'list /v1  pods  '],
  ['GET', '/api/v1/namespaces/a/pods/p', 'get /v1 a pods p '],
  ['GET', '/api/v1/namespaces/a/pods/p/log?follow=true', 'get /v1 a pods p log'],
  ['GET', '/api/v1/namespaces/a', 'get /v1 a namespaces a '],
  ['PUT', '/api/v1/namespaces/a/finalize', 'update /v1 a namespaces a finalize'],
  ['GET', '/api/v1/namespaces/a/status', 'get /v1 a namespaces a status'],
  ['GET', '/api/v1/namespaces', 'list /v1  namespaces  '],
  ['GET', '/apis/apps/v1/deployments?watch=true', 'watch apps/v1  deployments  '],
  ['GET', '/api/v1/watch/namespaces/a/pods', 'watch /v1 a pods  '],
  ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection /v1 a pods  '],
  ['DELETE', '/api/v1/namespaces/a/pods/p', 'delete /v1 a pods p '],
  ['PATCH', '/apis/x.io/v1/things/t/scale', 'patch x.io/v1  things t scale'],
  ['GET', '/apis/s.x.io/v1/namespaces/a/vmis/v/portforward/22/tcp', 'get s.x.io/v1 a vmis v portforward 22 tcp'],
])('%s %s is %j', (method, url, want) => expect(short(method, url)).toBe(want));

test.each(['/', '/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/version', '/healthz'])(
  '%s is not a resource request',
  (url) => expect(parseRequest('GET', url).isResource).toBe(false),
);
