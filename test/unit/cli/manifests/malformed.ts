/** Manifests that are wrong, each in its own way: what a document is, and a word that its one clear error has. */

/** A correct machine to break. */
export const good = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: web
  labels:
    app: web
spec:
  runStrategy: Always
  template:
    metadata:
      labels:
        app: web
    spec:
      domain:
        cpu:
          cores: 2
        memory:
          guest: 1Gi
        devices:
          disks:
            - name: root
              disk:
                bus: virtio
          interfaces:
            - name: default
              masquerade: {}
      networks:
        - name: default
          pod: {}
      volumes:
        - name: root
          containerDisk:
            image: example.org/disk:1
`;

export type Malformed = readonly [name: string, text: string | Buffer, expected: RegExp];

/** The good machine with one line in the place of another. */
const line = (from: string, to: string): string => {
  if (!good.includes(from)) throw new Error(`the good machine has no ${JSON.stringify(from)}`);
  return good.replace(from, to);
};

const truncated: Malformed[] = [
  'apiVersion: kubevirt.io/v1',
  'kind: VirtualMachine',
  'metadata:',
  '  name: web',
  'spec:',
  '  runStrategy: Always',
  '  template:',
  '    spec:',
  '      domain:',
  '        cpu:',
  '          cores: 2',
  '        memory:',
].map((last) => [
  `ends after "${last}"`,
  good.slice(0, `\n${good}`.indexOf(`\n${last}\n`) + last.length + 1),
  /missing|is required|must not be null/,
]);

const cutInside: Malformed[] = [
  ['ends within a quoted text', line('name: web', 'name: "we').slice(0, 70), /quote is not closed/],
  ['ends within a single-quoted text', "apiVersion: 'kubevirt.io/v1", /quote is not closed/],
  [
    'ends within a flow mapping',
    'apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: web',
    /Flow map|flow map|end with/,
  ],
  [
    'ends within a flow list',
    'apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata:\n  finalizers: [a, b',
    /Flow seq|flow|end with/,
  ],
  ['ends within a key', 'apiVersion: kubevirt.io/v1\nkin', /Implicit|key/],
  [
    'ends within JSON',
    '{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"na',
    /quote is not closed|Missing closing|end with|flow/i,
  ],
  ['ends after a JSON colon', '{"apiVersion": "kubevirt.io/v1", "kind":', /end with|flow/i],
  ['ends after an anchor', 'apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: &', /Anchor|anchor/],
];

const brackets: Malformed[] = [
  ['a list closed by a brace', line('masquerade: {}', 'masquerade: {ports: [1}'), /end with|flow/i],
  ['a mapping closed by a bracket', line('masquerade: {}', 'masquerade: {]'), /end with|flow/i],
  ['an extra bracket', line('masquerade: {}', 'masquerade: {}}'), /Unexpected|flow/i],
  ['an open brace', line('pod: {}', 'pod: {'), /end with|flow/i],
  ['an open bracket', line('disks:', 'disks: ['), /end with|flow|indent|Nested/i],
  ['an open double quote', line('guest: 1Gi', 'guest: "1Gi'), /quote is not closed/],
  ['an open single quote', line('guest: 1Gi', "guest: '1Gi"), /quote is not closed|Missing closing|indent/i],
  ['text after a quote', line('guest: 1Gi', 'guest: "1Gi" more'), /Unexpected/],
  ['a bad escape', line('guest: 1Gi', 'guest: "1\\Gi"'), /escape/i],
  ['a bad unicode escape', line('guest: 1Gi', 'guest: "\\uZZZZ"'), /escape/i],
  ['two values', line('cores: 2', 'cores: 2: 3'), /second colon/],
  ['a comma for a colon', line('cores: 2', 'cores, 2'), /must be|Implicit|not object/],
  ['no colon', line('cores: 2', 'cores 2'), /must be/],
  ['no blank after the colon', line('cores: 2', 'cores:2'), /must be/],
  ['a second colon in JSON', '{"apiVersion":: "kubevirt.io/v1"}', /./],
  [
    'a missing comma in JSON',
    '{"apiVersion": "kubevirt.io/v1" "kind": "VirtualMachine"}',
    /comma|Missing|separat|Unexpected/i,
  ],
  ['a closing tag of XML', '<domain type="kvm"></domain>', /not an object/],
  ['a shell script', '#!/bin/sh\nset -eu\nvirsh list', /not an object|Implicit/],
  ['an unknown percent directive', '%VIRT 1\n---\nkind: VirtualMachine', /directive/i],
  ['an unknown version of YAML', '%YAML 9.9\n---\nkind: VirtualMachine', /version/],
];

const indentation: Malformed[] = [
  ['a tab for indentation', line('  name: web', '\tname: web'), /Tabs/],
  ['a tab within a list', line('            - name: root', '\t\t- name: root'), /Tabs|indent/],
  [
    'a key one blank to the left',
    line('          cores: 2', '         cores: 2\n          sockets: 1'),
    /indent|map|Nested/i,
  ],
  [
    'a list item at the wrong depth',
    line('            - name: root', '         - name: root'),
    /indent|must be|block|map/i,
  ],
  ['a value that looks like a key', line('kind: VirtualMachine', 'kind: VirtualMachine\n  more: here'), /second colon/],
  ['a mapping item among list items', line('              disk:', '            disk:'), /indent|column|sequence/i],
  ['the spec inside the metadata', good.replace(/^spec:/m, '  spec:'), /spec|indent|map/i],
  ['everything under the kind', 'kind:\n  apiVersion: kubevirt.io/v1\n  metadata: {}', /is missing or is not a string/],
];

const top: Malformed[] = [
  ['a list', '- apiVersion: v1\n- kind: Pod\n', /a list, not an object/],
  ['a number', '42', /the number 42/],
  ['a text', 'hello', /the string "hello"/],
  ['a truth', 'true', /the boolean true/],
  ['an empty mapping', '{}', /apiVersion is missing/],
  ['no apiVersion', line('apiVersion: kubevirt.io/v1\n', ''), /apiVersion is missing/],
  ['no kind', line('kind: VirtualMachine\n', ''), /kind is missing/],
  ['no metadata', good.replace(/metadata:\n {2}name: web\n {2}labels:\n {4}app: web\n/, ''), /metadata is missing/],
  ['an empty apiVersion', line('apiVersion: kubevirt.io/v1', 'apiVersion: ""'), /apiVersion is missing/],
  ['an empty kind', line('kind: VirtualMachine', 'kind: ""'), /kind is missing/],
  ['a null kind', line('kind: VirtualMachine', 'kind:'), /kind is missing/],
  [
    'a number as apiVersion',
    line('apiVersion: kubevirt.io/v1', 'apiVersion: 1'),
    /apiVersion is missing or is not a string/,
  ],
  ['a list as kind', line('kind: VirtualMachine', 'kind: [VirtualMachine]'), /kind is missing or is not a string/],
  [
    'a text as metadata',
    good.replace(/metadata:\n {2}name: web\n {2}labels:\n {4}app: web\n/, 'metadata: web\n'),
    /metadata is missing/,
  ],
  [
    'a list as metadata',
    good.replace(/metadata:\n {2}name: web\n {2}labels:\n {4}app: web\n/, 'metadata: [web]\n'),
    /metadata is missing/,
  ],
  ['no name', line('  name: web\n', ''), /name/],
  ['an item of a List that is a text', 'apiVersion: v1\nkind: List\nitems:\n- web\n', /item is not an object/],
  [
    'an item of a List without a kind',
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: kubevirt.io/v1\n',
    /kind is missing/,
  ],
];

const kinds: Malformed[] = (
  [
    ['VirtualMachin', 'VirtualMachine'],
    ['Virtualmachine', 'VirtualMachine'],
    ['VirtualMachines', 'VirtualMachine'],
    ['virtualmachine', 'VirtualMachine'],
    ['VirtualMachineInstances', 'VirtualMachineInstance'],
    ['VirtualMachineInstanc', 'VirtualMachineInstance'],
    ['VirtualMaschine', 'VirtualMachine'],
    ['KubeVrit', 'KubeVirt'],
    ['Kubevirt', 'KubeVirt'],
    ['VirtualMachineInstanceReplicaset', 'VirtualMachineInstanceReplicaSet'],
  ] as const
).map(([kind, near]) => [
  `the kind ${kind}`,
  line('kind: VirtualMachine', `kind: ${kind}`),
  new RegExp(`did you mean "${near}"`),
]);

const versions: Malformed[] = [
  'kubevirt.io',
  'kubevirt.io/v2',
  'kubevirt.io/v1beta1',
  'kubevirt.io/',
  'kubevirt.io/v1/v1',
].map((apiVersion) => [
  `the apiVersion ${apiVersion}`,
  line('apiVersion: kubevirt.io/v1', `apiVersion: ${apiVersion}`),
  /write apiVersion: kubevirt\.io\/v1$/,
]);

const twice: Malformed[] = [
  'apiVersion: kubevirt.io/v1',
  'kind: VirtualMachine',
  '  name: web',
  '  runStrategy: Always',
  '          cores: 2',
  '          guest: 1Gi',
  '                bus: virtio',
  '              masquerade: {}',
  '          pod: {}',
  '            image: example.org/disk:1',
].map((key) => [`"${key.trim()}" twice`, line(`${key}\n`, `${key}\n${key}\n`), /appears twice/]);

const twiceOtherwise: Malformed[] = [
  [
    'a key twice, once in quotes',
    line('          cores: 2', '          cores: 2\n          "cores": 4'),
    /"cores" appears twice/,
  ],
  ['a key twice in a flow mapping', line('masquerade: {}', 'masquerade: {a: 1, a: 2}'), /"a" appears twice/],
  ['a key twice in JSON', '{"apiVersion": "v1", "kind": "A", "kind": "B", "metadata": {}}', /"kind" appears twice/],
  ['two specs', `${good}spec: {}\n`, /"spec" appears twice/],
];

const characters: Malformed[] = [0, 1, 2, 7, 8, 11, 12, 14, 27, 31, 127].map((code) => [
  `the character ${code}`,
  line('name: web', `name: we${String.fromCharCode(code)}b`),
  code === 0 ? /NUL byte/ : /control character/,
]);

const encodings: Malformed[] = [
  ['UTF-16 little endian', Buffer.from(`\ufeff${good}`, 'utf16le'), /not UTF-8/],
  ['UTF-16 big endian', Buffer.from(`\ufeff${good}`, 'utf16le').swap16(), /not UTF-8/],
  ['Latin-1', Buffer.from(line('name: web', 'name: w\u00e9b'), 'latin1'), /not UTF-8/],
  ['an overlong encoding', Buffer.concat([Buffer.from(good), Buffer.from([0xc0, 0xaf])]), /not UTF-8/],
  ['half a character', Buffer.concat([Buffer.from(good), Buffer.from([0xe2, 0x82])]), /not UTF-8/],
  ['a qcow2 image', Buffer.from([0x51, 0x46, 0x49, 0xfb, 0, 0, 0, 3]), /not UTF-8/],
  ['a gzip file', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /not UTF-8/],
  ['an ELF program', Buffer.from('\x7fELF\x02\x01\x01\x00', 'latin1'), /control character|NUL/],
];

/** References: what makes a small file large. */
const aliases: Malformed[] = [
  ['an alias without an anchor', line('cores: 2', 'cores: *missing'), /alias \*missing has no anchor &missing/],
  ['an alias before its anchor', 'apiVersion: *v\nkind: &v VirtualMachine\nmetadata: {}', /alias \*v has no anchor &v/],
  [
    'an alias within its anchor',
    'apiVersion: v1\nkind: A\nmetadata: &m {labels: *m}',
    /refers to an anchor that contains it/,
  ],
  ['an alias bomb', `a: &a [x, x, x, x, x, x, x, x, x]\n${bomb('abcdefghij')}`, /too many aliases/],
  ['a bomb of mappings', `a: &a {x: y}\n${mappingBomb('abcdefghij')}`, /too many aliases/],
  ['a merge of a number', line('cores: 2', '<<: 1'), /Merge sources/],
  ['a merge of a list of numbers', line('cores: 2', '<<: [1, 2]'), /Merge sources/],
  ['an anchor without a name', line('cores: 2', 'cores: & 2'), /[Aa]nchor/],
  ['two anchors', line('cores: 2', 'cores: &a &b 2'), /anchor/],
];

function bomb(names: string): string {
  return [...names]
    .map((name, i) => `${name}${name}: &${names[i + 1] ?? 'z'} [${Array(9).fill(`*${name}`).join(', ')}]`)
    .join('\n');
}

function mappingBomb(names: string): string {
  return [...names]
    .map(
      (name, i) =>
        `${name}${name}: &${names[i + 1] ?? 'z'} {${Array.from({ length: 9 }, (_, k) => `k${k}: *${name}`).join(', ')}}`,
    )
    .join('\n');
}

const tags: Malformed[] = [
  '!!js/function "x"',
  '!!python/object:os.system x',
  '!custom x',
  '!!binary aGk=',
  '!!set {a}',
  '!!timestamp 2020-01-01',
  '!!omap [a: 1]',
].map((value) => [`the tag of ${value}`, line('cores: 2', `cores: ${value}`), /tag/i]);

const types: Malformed[] = (
  [
    ['cores: 2', 'cores: two'],
    ['cores: 2', 'cores: 2.5'],
    ['cores: 2', 'cores: [2]'],
    ['cores: 2', 'cores: {count: 2}'],
    ['cores: 2', 'cores: yes'],
    ['cores: 2', 'cores: "2"'],
    ['cores: 2', 'cores: .inf'],
    ['cores: 2', 'cores: .nan'],
    ['cores: 2', 'cores: 1e999'],
    ['cores: 2', 'cores: -1'],
    ['guest: 1Gi', 'guest: 1GB'],
    ['guest: 1Gi', 'guest: 1 Gi'],
    ['guest: 1Gi', 'guest: lots'],
    ['guest: 1Gi', 'guest: [1Gi]'],
    ['guest: 1Gi', 'guest: {size: 1Gi}'],
    ['guest: 1Gi', 'guest: yes'],
    ['guest: 1Gi', 'guest: 1,5Gi'],
    ['bus: virtio', 'bus: 1'],
    ['bus: virtio', 'bus: [virtio]'],
    ['bus: virtio', 'bus: yes'],
    ['masquerade: {}', 'masquerade: yes'],
    ['masquerade: {}', 'masquerade: []'],
    ['masquerade: {}', 'masquerade: none'],
    ['pod: {}', 'pod: default'],
    ['pod: {}', 'pod: 1'],
    ['image: example.org/disk:1', 'image: 1'],
    ['image: example.org/disk:1', 'image: [a, b]'],
    ['runStrategy: Always', 'runStrategy: 1'],
    ['runStrategy: Always', 'runStrategy: [Always]'],
    ['runStrategy: Always', 'runStrategy: {}'],
    ['runStrategy: Always', 'running: "true"'],
    ['runStrategy: Always', 'running: 1'],
  ] as const
).map(([from, to]) => [`${to} for ${from}`, line(from, to), /must be|not a quantity|Unsupported|invalid/i]);

const wholes: Malformed[] = (
  [
    ['spec', 'true'],
    ['spec', '{runStrategy: Always}'],
    ['spec', '{runStrategy: Always, template: 1}'],
    ['spec', '{runStrategy: Always, template: {spec: []}}'],
    ['spec', '{runStrategy: Always, template: {spec: {domain: []}}}'],
    ['spec', 'web'],
    ['spec', '[web]'],
    ['spec', '1'],
  ] as const
).map(([key, value]) => [
  `${value} as ${key}`,
  `${good.slice(0, good.indexOf('spec:'))}${key}: ${value}\n`,
  /must be|is required/,
]);

const unknown: Malformed[] = (
  [
    ['cores: 2', 'core: 2', 'cores'],
    ['guest: 1Gi', 'guests: 1Gi', 'guest'],
    ['bus: virtio', 'buss: virtio', 'bus'],
    ['masquerade: {}', 'masqerade: {}', 'masquerade'],
    ['image: example.org/disk:1', 'imgae: example.org/disk:1', 'image'],
    ['runStrategy: Always', 'runstrategy: Always', 'runStrategy'],
    ['  template:', '  templat:', 'template'],
    ['      networks:', '      network:', 'networks'],
    ['      volumes:', '      volume:', 'volumes'],
    ['          interfaces:', '          interface:', 'interfaces'],
  ] as const
).map(([from, to, near]) => [
  `the field ${to.trim()}`,
  line(from, to),
  new RegExp(`did you mean "${near}"|add ${near}|${near}`),
]);

/** Names that every JavaScript object has. */
const prototypes: Malformed[] = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'].map(
  (key) => [`the field ${key}`, line('          cores: 2', `          ${key}: {cores: 2}`), /forbidden property/],
);

const sizes: Malformed[] = [
  ['a text of 10 MB', line('name: web', `name: ${'x'.repeat(10e6)}`), /MiB/],
  ['a quoted text of 10 MB', line('name: web', `name: "${'x'.repeat(10e6)}"`), /MiB/],
  ['a comment of 10 MB', `#${'x'.repeat(10e6)}\n${good}`, /MiB/],
  ['100,000 open brackets', `a: ${'['.repeat(100_000)}`, /nested too deeply|end with/],
  [
    '10,000 levels',
    Array.from({ length: 1500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    /nested too deeply|apiVersion/,
  ],
  ['a name of 1 MB', line('name: web', `name: ${'x'.repeat(1e6)}`), /name/],
  ['a core count of 1,000 digits', line('cores: 2', `cores: ${'9'.repeat(1000)}`), /must be|cores/],
];

const several: Malformed[] = [
  [
    'a broken document among good ones',
    `${good}---\nkind: [\n---\n${good.replace(/web/g, 'db')}`,
    /end with|flow|indent/i,
  ],
  ['a broken first document', `kind: {\n---\n${good}`, /end with|flow/i],
  ['a broken last document', `${good}---\nkind: "\n`, /quote is not closed/],
  ['an empty document and a broken one', `---\n---\n- 1\n---\n`, /a list/],
  ['a mark with text behind it', `${good}--- kind\n`, /string "kind"|Implicit|not an object/],
  [
    'documents of JSON without a mark',
    '{"apiVersion": "v1", "kind": "A"}{"apiVersion": "v1"}',
    /Unexpected|Document|separate|keys must be/i,
  ],
  [
    'Windows line ends in a broken document',
    good.replace('cores: 2', 'cores: [').replace(/\n/g, '\r\n'),
    /end with|flow|indent/i,
  ],
  ['Windows line ends and a bad value', good.replace('cores: 2', 'cores: two').replace(/\n/g, '\r\n'), /must be/],
  ['old Mac line ends', good.replace('cores: 2', 'cores: two').replace(/\n/g, '\r'), /./],
];

export const malformed: readonly Malformed[] = [
  ...truncated,
  ...cutInside,
  ...brackets,
  ...indentation,
  ...top,
  ...kinds,
  ...versions,
  ...twice,
  ...twiceOtherwise,
  ...characters,
  ...encodings,
  ...aliases,
  ...tags,
  ...types,
  ...wholes,
  ...unknown,
  ...prototypes,
  ...sizes,
  ...several,
];
