import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { serveMetrics } from '../../../../src/runtime/importer/metrics';
import { Progress } from '../../../../src/runtime/importer/progress';

test('ends connections that are open when the import ends, so that its process can end', async () => {
  const metrics = serveMetrics(0, 'u', new Progress());
  await once(metrics, 'listening');
  const client = connect((metrics.address() as AddressInfo).port, '127.0.0.1');
  const accepted = once(metrics, 'connection');
  client.on('error', () => undefined);
  await accepted;
  // no request yet: the connection is not idle for close()
  const ended = once(client, 'close');
  const closed = once(metrics, 'close');
  metrics[Symbol.dispose]();
  await Promise.all([ended, closed]);
});
