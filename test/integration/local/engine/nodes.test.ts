import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNodes } from '../../../../src/local/engine/nodes/node-config';
import { destroyNamespace } from '../../../../src/local/engine/nodes/node-namespace';
import { Nodes } from '../../../../src/local/engine/nodes/nodes';
import { enginePaths } from '../../../../src/local/engine/paths';
import { destroyPodNetwork, PodNetwork } from '../../../../src/local/network';

const engines = ['a', 'b', 'c']
  .map((name) => mkdtempSync(join(tmpdir(), `virt8s-nodes-${name}-`)))
  .map((stateDir) => ({ stateDir, id: enginePaths(stateDir).id }));
afterAll(async () => {
  for (const { stateDir, id } of engines) {
    await Promise.all(readNodes(stateDir).map(destroyNamespace));
    await destroyPodNetwork(stateDir, id);
    rmSync(stateDir, { recursive: true });
  }
});

test('engines that start at the same time choose different subnets for their nodes, and connect them', async () => {
  const subnets = await Promise.all(
    engines.map(async ({ stateDir, id }) => {
      const { subnets: firstSubnets } = await PodNetwork.open({ stateDir, id });
      const options = { firstNode: 'n', programs: '', version: '', bare: true, port: 6443, log: () => undefined };
      const nodes = new Nodes({ ...options, stateDir, firstSubnets });
      await nodes.define(3);
      return nodes.cluster.filter((subnet) => !subnet.includes(':'));
    }),
  );
  expect(new Set(subnets.flat()).size).toBe(9);
});
