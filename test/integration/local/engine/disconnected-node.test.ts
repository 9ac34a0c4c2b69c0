import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNodes } from '../../../../src/local/engine/nodes/node-config';
import { destroyNamespace, isConnected, setConnected } from '../../../../src/local/engine/nodes/node-namespace';
import { Nodes } from '../../../../src/local/engine/nodes/nodes';
import { enginePaths } from '../../../../src/local/engine/paths';
import { destroyPodNetwork, PodNetwork } from '../../../../src/local/network';

/** An engine with two nodes, of which the second is only connected: no program runs. */
class TwoNodes {
  public readonly stateDir = mkdtempSync(join(tmpdir(), 'virt8s-nodes-'));

  /** Creates the networks, or completes what exists. */
  public async open(): Promise<void> {
    const { stateDir } = this;
    const { subnets: firstSubnets } = await PodNetwork.open({ stateDir, id: enginePaths(stateDir).id });
    const options = { firstNode: 'n', programs: '', version: '', bare: true, port: 6443, log: () => undefined };
    await new Nodes({ ...options, stateDir, firstSubnets }).define(2);
  }

  public get node() {
    return readNodes(this.stateDir)[0]!;
  }

  /** As `virt8s down --keep-state`. */
  public async close(): Promise<void> {
    await Promise.all(readNodes(this.stateDir).map(destroyNamespace));
    await destroyPodNetwork(this.stateDir, enginePaths(this.stateDir).id);
  }
}

const engines = [new TwoNodes(), new TwoNodes()] as const;
afterEach(() => Promise.all(engines.map((engine) => engine.close())));
afterAll(() => engines.forEach(({ stateDir }) => rmSync(stateDir, { recursive: true })));

test('a node is connected again, although another engine started while it was disconnected', async () => {
  const [first, second] = engines;
  await first.open();
  await setConnected(first.node, false);
  await second.open();
  expect(second.node.subnets).not.toEqual(first.node.subnets);
  await setConnected(first.node, true);
  expect(await isConnected(first.node)).toBe(true);
});

test('the node of a stopped engine gets other subnets if another engine has taken those that it had', async () => {
  const [first, second] = engines;
  await first.open();
  const before = first.node.subnets;
  await first.close();
  await first.open();
  expect(first.node.subnets).toEqual(before);
  await first.close();
  await second.open();
  await first.open();
  expect(await isConnected(first.node)).toBe(true);
  expect(first.node.subnets).not.toEqual(second.node.subnets);
});
