import type { KubeObject } from '../../../../src/api';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';

export type ConfigMap = KubeObject & { data?: Record<string, string> };

/** A real API server for the tests of one file, with a namespace for each test. */
export class Cluster {
  private readonly parts: { server?: TestApiServer; client?: KubeClient } = {};
  private count = 0;
  public namespace = '';

  /** Call it outside of tests. */
  public static forThisFile(): Cluster {
    const cluster = new Cluster();
    beforeAll(async () => {
      cluster.parts.server = await startTestApiServer();
      cluster.parts.client = new KubeClient(loadKubeConfig(cluster.server.kubeconfig), { userAgent: 'test' });
    });
    afterAll(async () => {
      cluster.parts.client?.close();
      await cluster.parts.server?.close();
    });
    beforeEach(async () => {
      cluster.namespace = `test-${cluster.count++}`;
      const metadata = { name: cluster.namespace };
      await cluster.client.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
    });
    return cluster;
  }

  public get server(): TestApiServer {
    return this.parts.server as TestApiServer;
  }

  public get client(): KubeClient {
    return this.parts.client as KubeClient;
  }

  /** One that `labelSelector` finds: the namespace has a ConfigMap that is not ours, with the CA. */
  public configMap(name: string, data: Record<string, string> = {}, labels?: Record<string, string>): ConfigMap {
    const metadata = { name, namespace: this.namespace, labels: { ...labels, ours: 'true' } };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  }
}

export const labelSelector = 'ours=true';
