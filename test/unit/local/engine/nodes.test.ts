import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isStopped,
  type NodeConfig,
  nodeNameAt,
  placeOf,
  readNodes,
  setStopped,
  writeNode,
} from '../../../../src/local/engine/nodes/node-config';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-nodes-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const config = (name: string): NodeConfig => ({
  name,
  ...placeOf(dir, name),
  subnets: { ipv4: '10.77.1.0/24' },
  gateway: 'v8s-abcdef',
  cluster: ['10.77.0.0/24', '10.77.1.0/24'],
  router: { ipv4: '10.77.0.1' },
  server: 'https://10.77.0.1:7443',
});

test.each([
  ['laptop', 1, 'laptop'],
  ['laptop', 2, 'laptop-2'],
  ['a'.repeat(63), 1, 'a'.repeat(63)],
  ['a'.repeat(60), 10, `${'a'.repeat(60)}-10`],
  ['a'.repeat(63), 10, `${'a'.repeat(60)}-10`],
])('node names are DNS labels: %s, number %d', (first, n, expected) => {
  expect(nodeNameAt(first, n)).toBe(expected);
  expect(nodeNameAt(first, n).length).toBeLessThanOrEqual(63);
});

test('nodes are listed by number, and each has an id and a folder of its own', () => {
  expect(readNodes(dir)).toEqual([]);
  for (const name of ['n-10', 'n-2', 'n-3']) writeNode(config(name));
  const nodes = readNodes(dir);
  expect(nodes.map(({ name }) => name)).toEqual(['n-2', 'n-3', 'n-10']);
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(3);
  expect(nodes[0]).toEqual(config('n-2'));
});

test('a stopped node stays off until it is started', () => {
  writeNode(config('n-2'));
  const [node] = readNodes(dir);
  expect(isStopped(node!)).toBe(false);
  setStopped(node!, true);
  expect(isStopped(node!)).toBe(true);
  setStopped(node!, false);
  setStopped(node!, false);
  expect(isStopped(node!)).toBe(false);
});
