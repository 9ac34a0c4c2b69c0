import type { DomainSpec } from '../../../../../src/api';
import type { NodeTopology } from '../../../../../src/runtime/launcher/domain/facts';
import { part } from './part';

/** Cells of four CPUs; the second is 20 away. */
const topology: NodeTopology = {
  cells: [0, 1].map((id) => ({
    id,
    cpus: [0, 1, 2, 3].map((cpu) => ({ id: id * 4 + cpu, siblings: [id * 4 + cpu] })),
    distances: [
      { id: 0, value: id === 0 ? 10 : 20 },
      { id: 1, value: id === 0 ? 20 : 10 },
    ],
  })),
};

const domain = (cores: number, guest: string, more: Partial<DomainSpec['cpu']> = {}): Partial<DomainSpec> => ({
  cpu: { cores, dedicatedCpuPlacement: true, numa: { guestMappingPassthrough: {} }, ...more },
  memory: { guest, hugepages: { pageSize: '2Mi' } },
});

const of = (name: string, given: Partial<DomainSpec>, node = {}): string | undefined =>
  part(name, { domain: given, node: { topology, ...node } });

test('vCPUs and memory of the guest are spread as on the node', () => {
  const six = domain(6, '10Mi');
  const cell = (id: number, cpus: string, memory: number, near: [number, number][]): string =>
    `<cell id='${id}' cpus='${cpus}' memory='${memory}' unit='b'><distances>${near
      .map(([sibling, value]) => `<sibling id='${sibling}' value='${value}'/>`)
      .join('')}</distances></cell>`;
  const first = cell(0, '0,1,2,3', 6 * 2 ** 20, [
    [0, 10],
    [1, 20],
  ]);
  const second = cell(1, '4,5', 4 * 2 ** 20, [
    [0, 20],
    [1, 10],
  ]);
  expect(of('cpu', six)).toContain(`<numa>${first}${second}</numa>`);
  expect(of('numatune', six)).toBe(
    "<numatune><memory mode='strict' nodeset='0,1'/>" +
      "<memnode cellid='0' mode='strict' nodeset='0'/><memnode cellid='1' mode='strict' nodeset='1'/></numatune>",
  );
  expect(of('memoryBacking', six)).toBe(
    "<memoryBacking><hugepages><page size='2097152' unit='b' nodeset='0'/>" +
      "<page size='2097152' unit='b' nodeset='1'/></hugepages>" +
      "<source type='memfd'/><allocation mode='immediate'/></memoryBacking>",
  );
});

test('cells that no vCPU is on are left out, and the others counted from 0', () => {
  const given = domain(2, '4Mi');
  const node = { cpuSet: [5, 6] };
  expect(of('cpu', given, node)).toContain(
    "<cell id='0' cpus='0,1' memory='4194304' unit='b'><distances><sibling id='0' value='10'/></distances></cell>",
  );
  expect(of('numatune', given, node)).toContain("<memnode cellid='0' mode='strict' nodeset='1'/>");
});

test('one huge page for each cell is enough', () => {
  expect(of('cpu', domain(6, '4Mi'))).toMatch(/memory='2097152'.*memory='2097152'/);
});

test('pages of a realtime guest are never merged', () => {
  expect(of('memoryBacking', domain(2, '4Mi', { realtime: {} }))).toContain('<nosharepages/>');
});

test.each<[string, Partial<DomainSpec>, RegExp]>([
  ['no huge pages', { ...domain(2, '4Mi'), memory: { guest: '4Mi' } }, /needs huge pages; set memory.hugepages/],
  ['a byte less than a page for each cell', domain(6, '4194303'), /less than one huge page for each of 2 NUMA cells/],
  ['less than a page for each cell', domain(6, '2Mi'), /less than one huge page for each of 2 NUMA cells/],
  ['memory that no page fits', domain(2, '3Mi'), /3145728 bytes are not a multiple of the page size/],
])('%s is rejected', (_, given, message) => {
  expect(() => of('cpu', given)).toThrow(message);
});

test('on a node without known cells, the guest has one cell', () => {
  expect(() => of('cpu', domain(2, '4Mi'), { topology: { cells: [] }, cpuSet: [0, 1] })).toThrow(/do not fit/);
});
