import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Type, Types } from '../../../scripts/assembly/assembly';
import { apiPages } from '../../../scripts/assembly/pages';

const checkout = resolve(__dirname, '../../..');

const type = (room: string, given: Partial<Type> & { readonly name: string }): Type => ({
  kind: 'class',
  fqn: `virt8s.${given.name}`,
  locationInModule: { filename: `src/constructs/${room}` },
  ...given,
});
const typesOf = (...all: Type[]): Types => Object.fromEntries(all.map((each) => [each.fqn, each]));

const vm = type('compute/vm.ts', {
  name: 'Vm',
  base: 'constructs.Construct',
  docs: { summary: 'A machine.', remarks: 'Its disks are {@link Disk}s.', example: "new Vm(chart, 'vm');" },
  initializer: {
    parameters: [
      { name: 'scope', type: { fqn: 'constructs.Construct' } },
      { name: 'props', type: { fqn: 'virt8s.VmProps' }, optional: true },
    ],
  },
  methods: [
    {
      name: 'add',
      docs: { summary: 'Adds disks.', returns: 'the number of disks' },
      parameters: [{ name: 'disks', type: { fqn: 'virt8s.Disk' }, variadic: true, docs: { summary: 'At the end.' } }],
      returns: { type: { primitive: 'number' } },
    },
    { name: 'hidden', protected: true },
  ],
});
const props = type('compute/vm.ts', {
  name: 'VmProps',
  kind: 'interface',
  datatype: true,
  docs: { summary: 'What a Vm takes.' },
  interfaces: ['virt8s.Common'],
  properties: [
    { name: 'name', type: { primitive: 'string' }, docs: { summary: 'Its name.' } },
    {
      name: 'size',
      type: { union: { types: [{ primitive: 'string' }, { fqn: 'cdk8s.Size' }] } },
      optional: true,
      docs: { summary: 'Either a|b.', default: '- 1Gi' },
    },
  ],
});
const common = type('resource.ts', {
  name: 'Common',
  kind: 'interface',
  datatype: true,
  properties: [{ name: 'metadata', type: { primitive: 'any' } }],
});
const disk = type('storage/disk.ts', {
  name: 'Disk',
  docs: { summary: 'A disk.' },
  properties: [{ name: 'SMALL', type: { fqn: 'virt8s.Disk' }, static: true, const: true, docs: { summary: 'Small.' } }],
});
const pages = apiPages(typesOf(vm, props, common, disk));

test('each room has a page, and the index leads to every type', () => {
  expect([...pages.keys()]).toEqual(['API.md', 'docs/api/compute.md', 'docs/api/storage.md', 'docs/api/common.md']);
  const index = pages.get('API.md')!;
  expect(index).toContain('| [Vm](docs/api/compute.md#vm) | A machine. |');
  expect(index).toContain('Structs: [VmProps](docs/api/compute.md#vmprops).');
  expect(index).toContain('| [Disk](docs/api/storage.md#disk) | A disk. |');
});

test('a construct shows its docstring, its example and its members, with links', () => {
  expect(pages.get('docs/api/compute.md')).toContain(`### Vm

A machine.

Its disks are [Disk](storage.md#disk)s.

\`\`\`ts
new Vm(chart, 'vm');
\`\`\`

Extends \`Construct\`.

**new Vm**(scope: \`Construct\`, props?: [VmProps](#vmprops))

| Method | Description |
| --- | --- |
| **add**(...disks: [Disk](storage.md#disk)[]): number | Adds disks.<br>\`disks\`: At the end.<br>Returns the number of disks |
`);
  expect(pages.get('docs/api/compute.md')).not.toContain('hidden');
});

test('a struct shows types and defaults, and names the properties that it inherits', () => {
  expect(pages.get('docs/api/compute.md')).toContain(`Also has the properties of [Common](common.md#common).

| Property | Type | Default | Description |
| --- | --- | --- | --- |
| \`name\` **required** | string |  | Its name. |
| \`size\` | string \\| \`cdk8s.Size\` | 1Gi | Either a\\|b. |

From [Common](common.md#common): \`metadata\`.`);
});

test('a constant shows its name', () => {
  expect(pages.get('docs/api/storage.md')).toContain('| `SMALL` | Small. |');
});

test('a room without a description is an error with the place to add it', () => {
  expect(() => apiPages(typesOf(type('newroom/a.ts', { name: 'A' })))).toThrow(
    'scripts/assembly/pages.ts: ROOMS has no description of the room "newroom"',
  );
});

describe('the committed pages', () => {
  const paths = ['API.md', ...readdirSync(join(checkout, 'docs/api')).map((name) => `docs/api/${name}`)];
  const text = (path: string): string => readFileSync(join(checkout, path), 'utf8');
  const anchors = (path: string): string[] =>
    [...text(path).matchAll(/^#+ \[?([\w -]+)/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'));

  test.each(paths)('%s has no dead link', (path) => {
    const links = [...text(path).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    expect(links.length).toBeGreaterThan(0);
    const dead = links.flatMap(([link, file, anchor]) => {
      const target = file ? join(dirname(path), file) : path;
      const alive = existsSync(join(checkout, target)) && (!anchor || anchors(target).includes(anchor));
      return alive ? [] : [link];
    });
    expect(dead).toEqual([]);
  });

  test.each(paths)('%s is small enough to be shown', (path) => {
    // code hosts show larger files as plain text
    expect(text(path).length).toBeLessThan(400_000);
  });

  test('the index leads to each page', () => {
    for (const path of paths.slice(1)) expect(text('API.md')).toContain(`](${path})`);
  });
});
