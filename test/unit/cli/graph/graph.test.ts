import { DOMParser } from '@xmldom/xmldom';
import type { KubeObject } from '../../../../src/api';
import { dotOf } from '../../../../src/cli/graph/dot';
import { graphOf } from '../../../../src/cli/graph/model';
import { svgOf } from '../../../../src/cli/graph/run';

const object = (apiVersion: string, kind: string, name: string, spec: object = {}, namespace?: string): KubeObject =>
  ({ apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}) }, spec }) as KubeObject;

const vm = object('kubevirt.io/v1', 'VirtualMachine', 'web', {
  instancetype: { name: 'small' },
  dataVolumeTemplates: [{ metadata: { name: 'root' }, spec: {} }],
  template: {
    metadata: { labels: { app: 'web' } },
    spec: {
      domain: {
        cpu: { cores: 2 },
        memory: { guest: '4Gi' },
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {}, ports: [{ port: 80 }] }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [
        { name: 'root', dataVolume: { name: 'root' } },
        { name: 'ci', cloudInitNoCloud: { secretRef: { name: 'user' } } },
      ],
    },
  },
});
const service = object('v1', 'Service', 'web', { selector: { app: 'web' }, ports: [{ port: 80 }] });
const secret = object('v1', 'Secret', 'user');
const snapshot = object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot', 'before', {
  source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' },
});
const all = [vm, service, secret, snapshot];

const edges = (objects: readonly KubeObject[]): string[] =>
  graphOf(objects).edges.map(({ from, row, to, role }) => `${from}${row ? `:${row}` : ''} -${role}-> ${to}`);
const presence = (objects: readonly KubeObject[]): Record<string, string> =>
  Object.fromEntries(graphOf(objects).nodes.map((node) => [node.id, node.presence]));

test('references lead from the disk that has them, selectors to what they select', () => {
  expect(edges(all)).toEqual([
    'Service/web -selects-> VirtualMachine/web',
    'VirtualMachine/web:volumes0 --> DataVolume/root',
    'VirtualMachine/web:volumes1 --> Secret/user',
    'VirtualMachine/web -makes-> DataVolume/root',
    'VirtualMachine/web -instancetype-> VirtualMachineClusterInstancetype/small',
    'VirtualMachineSnapshot/before -source-> VirtualMachine/web',
  ]);
});

test('objects are declared, created by declared ones, or must exist already', () => {
  expect(presence(all)).toEqual({
    'DataVolume/root': 'made',
    'Secret/user': 'declared',
    'Service/web': 'declared',
    'VirtualMachine/web': 'declared',
    'VirtualMachineClusterInstancetype/small': 'elsewhere',
    'VirtualMachineSnapshot/before': 'declared',
  });
});

test('references to the claim of a DataVolume or the instance of a VM lead to the DataVolume or VM', () => {
  const user = object('kubevirt.io/v1', 'VirtualMachine', 'b', {
    template: { spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'root' } }] } },
  });
  const migration = object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', 'm', { vmiName: 'web' });
  expect(edges([vm, user, migration])).toEqual(
    expect.arrayContaining([
      'VirtualMachine/b:volumes0 --> DataVolume/root',
      'VirtualMachineInstanceMigration/m -vmiName-> VirtualMachine/web',
    ]),
  );
  expect(presence([user])).toMatchObject({ 'PersistentVolumeClaim/root': 'elsewhere' });
});

test('the same name in another namespace is another object, which selectors do not reach', () => {
  const there = { ...service, metadata: { name: 'web', namespace: 'other' } };
  expect(edges([vm, there]).filter((edge) => edge.includes('selects'))).toEqual([]);
});

test('the drawing does not depend on the order of the objects', () => {
  expect(dotOf(graphOf([...all].reverse()))).toBe(dotOf(graphOf(all)));
});

/** `class id` of each node, and the edges, of a drawing. */
function parsed(svg: string): { nodes: string[]; edges: string[]; text: string; dashes: string[] } {
  const document = new DOMParser({
    onError: (_, message) => {
      throw new Error(message);
    },
  }).parseFromString(svg, 'text/xml');
  const groups = [...document.getElementsByTagName('g')];
  const titles = (type: string): string[] =>
    groups
      .filter((group) => group.getAttribute('class')?.split(' ')[0] === type)
      .map((group) => group.getElementsByTagName('title')[0].textContent ?? '');
  const dashed = groups.filter((group) =>
    [...group.getElementsByTagName('polygon')].some((box) => box.getAttribute('stroke-dasharray')),
  );
  return {
    nodes: titles('node'),
    edges: titles('edge'),
    text: [...document.getElementsByTagName('text')].map((each) => each.textContent).join('\n'),
    dashes: dashed
      .filter((group) => group.getAttribute('class')?.startsWith('node'))
      .map((group) => group.getElementsByTagName('title')[0].textContent ?? ''),
  };
}

test('the SVG has every node and edge; what is not in the files is dashed', async () => {
  const svg = await svgOf(dotOf(graphOf(all)));
  const drawn = parsed(svg);
  expect(drawn.nodes.sort()).toEqual(Object.keys(presence(all)).sort());
  expect(drawn.edges).toHaveLength(6);
  expect(drawn.dashes).toEqual(['VirtualMachineClusterInstancetype/small']);
  expect(drawn.text).toContain('2 CPUs · 4Gi');
  expect(drawn.text).toContain('root · disk virtio · dataVolume');
  expect(drawn.text).toContain('default · masquerade · 80');
  expect(await svgOf(dotOf(graphOf(all)))).toBe(svg);
});

test.each([
  ['markup', '<script>alert("&")</script>'],
  ['quotes and backslashes', 'a"b\\c\\N\\"d'],
  ['control characters and half letters', 'a\u0000b\u001b[31m\ud800c\n\t'],
  ['one space', ' '],
  ['markup of Graphviz', '</TD></TR></TABLE>> ]; evil [label=<x'],
])('%s in names and images are text', async (_, evil) => {
  const strange = object(evil, evil, evil, {}, evil);
  const guest = object('kubevirt.io/v1', 'VirtualMachine', evil, {
    template: {
      spec: {
        volumes: [
          { name: evil, containerDisk: { image: evil } },
          { name: 's', secret: { secretName: evil } },
        ],
      },
    },
  });
  const drawn = parsed(await svgOf(dotOf(graphOf([strange, guest]))));
  expect(drawn.nodes).toHaveLength(3);
  expect(drawn.edges).toHaveLength(1);
});

test('manifests of the wrong shape are drawn as far as possible', async () => {
  const spec = {
    template: { spec: { volumes: [null, 3, { name: {} }], networks: 'x', domain: { devices: { disks: {} } } } },
  };
  const drawn = parsed(await svgOf(dotOf(graphOf([object('kubevirt.io/v1', 'VirtualMachine', 'bad', spec)]))));
  expect(drawn.nodes).toEqual(['VirtualMachine/bad']);
});
