import { ProgramMetrics, requestMetrics } from '../../../../../src/runtime/kube/metrics';
import { labelsOf } from '../../../../../src/runtime/kube/metrics/requests';
import { metricsText } from '../../../../support/metrics';

const request = (method: string, path: string, isWatch = false) => ({ method, path, isWatch, host: 'api:6443' });

test.each<[string, string, string, string, string]>([
  ['GET', '/api/v1/pods', 'pods', 'LIST', '/api/v1/pods'],
  ['GET', '/api/v1/namespaces/web/pods', 'pods', 'LIST', '/api/v1/namespaces/{namespace}/pods'],
  ['GET', '/api/v1/namespaces/web/pods/a.b', 'pods', 'GET', '/api/v1/namespaces/{namespace}/pods/{name}'],
  ['GET', '/api/v1/namespaces', 'namespaces', 'LIST', '/api/v1/namespaces'],
  ['GET', '/api/v1/namespaces/web', 'namespaces', 'GET', '/api/v1/namespaces/{name}'],
  ['PUT', '/api/v1/namespaces/web/status', 'namespaces', 'UPDATE', '/api/v1/namespaces/{name}/status'],
  ['POST', '/api/v1/namespaces/web/events', 'events', 'CREATE', '/api/v1/namespaces/{namespace}/events'],
  [
    'PATCH',
    '/apis/kubevirt.io/v1/namespaces/web/virtualmachineinstances/a/status',
    'virtualmachineinstances',
    'PATCH',
    '/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachineinstances/{name}/status',
  ],
  ['DELETE', '/api/v1/nodes/n1', 'nodes', 'DELETE', '/api/v1/nodes/{name}'],
  ['GET', '/version', 'none', 'none', '/{other}'],
  ['GET', '/api/v1/namespaces/web/pods/a/proxy/A/../b?x', 'none', 'none', '/{other}'],
])('%s %s', (method, path, resource, verb, url) =>
  expect(labelsOf(request(method, path))).toEqual({ resource, verb, url: `api:6443${url}` }),
);

test('a watch has its own verb', () => expect(labelsOf(request('GET', '/api/v1/pods', true)).verb).toBe('WATCH'));

test('counts requests with and without a response', async () => {
  const metrics = new ProgramMetrics();
  const { answered, waited } = requestMetrics(metrics);
  answered(request('GET', '/api/v1/pods'), 200, 0.01);
  answered(request('GET', '/api/v1/pods'), undefined, 3);
  waited(request('GET', '/api/v1/pods'), 0.5);
  const text = await metricsText(metrics);
  for (const code of ['200', '<error>'])
    expect(text).toContain(
      `kubevirt_rest_client_requests_total{code="${code}",method="GET",host="api:6443",resource="pods",verb="LIST"} 1\n`,
    );
  expect(text).toContain('request_latency_seconds_count{verb="LIST",url="api:6443/api/v1/pods"} 2\n');
  expect(text).toContain('rate_limiter_duration_seconds_sum{verb="LIST",url="api:6443/api/v1/pods"} 0.5\n');
});
