import { chooseApiPort } from '../../../../src/local/engine/api-port';

const free = (): Promise<boolean> => Promise.resolve(true);

test('each subnet of an engine has a port of its own, below those that the kernel gives to connections', async () => {
  const subnets = [77, 78, 79].flatMap((second) => Array.from({ length: 256 }, (_, i) => `10.${second}.${i}.0/24`));
  const ports = await Promise.all(subnets.map((subnet) => chooseApiPort(subnet, free)));
  expect(new Set(ports).size).toBe(subnets.length);
  expect(Math.min(...ports)).toBe(20_000);
  expect(Math.max(...ports)).toBeLessThan(30_000);
});

test('a port that another program uses is skipped for one that no other engine takes', async () => {
  const port = await chooseApiPort('10.77.5.0/24', (candidate) => Promise.resolve(candidate > 21_005));
  expect(port).toBe(22_005);
});

test('reports that all ports are in use', async () => {
  await expect(chooseApiPort('10.77.5.0/24', () => Promise.resolve(false))).rejects.toThrow(
    'choose a port with --port',
  );
});
