import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { startControllers, type Controllers } from '../../../../src/local/controllers';
import { KubeClient, loadKubeConfig } from '../../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { expectGolden, readGolden } from '../../../support/golden';
import { startReadyPods, type ReadyPods } from '../../../support/ready-pods';
import { replay, stepsOf } from '../../../support/transcript';
import { sampleOf } from '../../../support/tier';

const folder = join(__dirname, 'kubectl-session');
const everything = readdirSync(folder)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => parse(file).name);
const names = sampleOf(everything, 3);

const fileOf = (name: string): string => join(folder, `${name}.txt`);

let server: TestApiServer;
let client: KubeClient;
let controllers: Controllers;
let nodes: ReadyPods;
let outputs: Map<string, Promise<string>>;

beforeAll(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'kube-controller-manager/test' });
  controllers = await startControllers({ client });
  nodes = await startReadyPods(client.separate(), 'session-workloads');
  const options = { kubeconfig: server.kubeconfig, files: join(folder, 'manifests') };
  // at the same time: each has a namespace of its own
  outputs = new Map(names.map((name) => [name, replay(readGolden(fileOf(name)), options)]));
});

afterAll(async () => {
  await nodes?.close();
  await controllers?.close();
  await server?.close();
});

test('the session has at least 150 commands', () => {
  expect(everything.flatMap((name) => stepsOf(readGolden(fileOf(name)))).length).toBeGreaterThanOrEqual(150);
});

test.each(names)('kubectl prints what the session "%s" recorded', async (name) =>
  expectGolden(fileOf(name), await outputs.get(name)!),
);
