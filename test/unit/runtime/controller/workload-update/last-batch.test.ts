import { virtControllerAccess } from '../../../../../src/api/access';
import type { KubeClient } from '../../../../../src/runtime/kube';
import { LAST_BATCH, LastBatch } from '../../../../../src/runtime/controller/workload-update/last-batch';
import { NOW } from '../fixtures';

interface Lease {
  metadata: { resourceVersion?: string };
  spec?: { renewTime?: string };
}

/** An API server with one Lease. */
class Server {
  public lease?: Lease;
  private version = 0;

  public readonly client = {
    find: () => Promise.resolve(this.lease),
    create: (_: unknown, lease: Lease) =>
      this.lease ? Promise.reject(new Error('exists')) : Promise.resolve(this.write(lease)),
    replace: (_: unknown, lease: Lease) =>
      lease.metadata.resourceVersion === this.lease?.metadata.resourceVersion
        ? Promise.resolve(this.write(lease))
        : Promise.reject(new Error('conflict')),
  } as unknown as KubeClient;

  public write(lease: Lease): Lease {
    return (this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.version) } });
  }
}

test('the time of a batch is known to the next leader', async () => {
  const server = new Server();
  const first = new LastBatch(server.client, 'kubevirt');
  expect(await first.time()).toBeUndefined();
  await first.begin(NOW);
  expect(server.lease?.spec?.renewTime).toBe('2026-01-01T12:00:00.000000Z');
  await first.begin(NOW + 1500);
  expect(await first.time()).toBe(NOW + 1500);
  expect(await new LastBatch(server.client, 'kubevirt').time()).toBe(NOW + 1500);
});

test('a batch does not begin if another process has begun one', async () => {
  const server = new Server();
  const [one, other] = [new LastBatch(server.client, 'kubevirt'), new LastBatch(server.client, 'kubevirt')];
  await one.begin(NOW);
  await other.time();
  await one.begin(NOW + 1);
  await expect(other.begin(NOW + 2)).rejects.toThrow('conflict');
  // the next attempt reads it again
  expect(await other.time()).toBe(NOW + 1);
});

test('a time that cannot be read is ignored', async () => {
  const server = new Server();
  server.write({ metadata: {}, spec: { renewTime: 'soon' } });
  expect(await new LastBatch(server.client, 'kubevirt').time()).toBeUndefined();
});

test('virt-controller may read and write this Lease', () => {
  const granted = virtControllerAccess.grants.filter(({ names }) => names?.includes(LAST_BATCH));
  expect(granted).toMatchObject([{ resources: ['leases'], verbs: ['get', 'update'], where: 'installation' }]);
});
