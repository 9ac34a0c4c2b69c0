import tseslint from 'typescript-eslint';

/** Which rooms of src/ a room may import; anything else is refused. */
const rooms = {
  // pure renderers that the command line shows; before the rooms that hold them
  'runtime/controller/pod': ['api'],
  'runtime/launcher/domain': ['api'],
  api: [],
  constructs: ['api'],
  pulumi: ['api', 'constructs'],
  'runtime/host': [],
  'runtime/kube': ['api'],
  'runtime/protocol': ['api'],
  'runtime/controller': ['api', 'runtime/kube', 'runtime/controller/pod'],
  'runtime/api-server': ['api', 'runtime/kube'],
  'runtime/handler': ['api', 'runtime/host', 'runtime/kube', 'runtime/protocol'],
  'runtime/exporter': ['api', 'runtime/host'],
  // the image of the importer contains the exporter
  'runtime/importer': ['api', 'runtime/host', 'runtime/exporter'],
  // the text of its program is part of manifests
  'runtime/snapshot-job': [],
  'runtime/upload-proxy': ['api', 'runtime/host', 'runtime/kube'],
  'runtime/operator': ['api', 'runtime/kube'],
  'runtime/launcher': ['api', 'runtime/protocol', 'runtime/launcher/domain'],
  local: ['api', 'runtime/host', 'runtime/kube', 'runtime/protocol'],
  // of the engine only its record: where it is, and whether it is up
  client: ['api', 'runtime/kube', 'local'],
  testing: ['api', 'constructs'],
  // the cache folder and the memory flags of Node; the launcher's image asks a libvirtd for its capabilities
  'launcher-image': ['local', 'runtime/launcher'],
  'handler-image': ['launcher-image', 'local'],
  'engine-image': ['launcher-image', 'local'],
  'component-image': ['launcher-image', 'local'],
  cli: [
    'api',
    'constructs',
    'client',
    'runtime/kube',
    'runtime/controller/pod',
    'runtime/launcher/domain',
    'local',
    'launcher-image',
    'handler-image',
    'engine-image',
    'component-image',
  ],
};

/** Refuses an import that leaves the room for one that the table above does not list. */
const roomDirections = {
  meta: { type: 'problem', schema: [], messages: { no: '{{from}} must not import {{to}} (ARCHITECTURE.md, rooms)' } },
  create(context) {
    const roomOf = (file) => Object.keys(rooms).find((room) => file.includes(`/src/${room}/`));
    const from = roomOf(context.filename);
    const check = (node) => {
      if (!from || typeof node.source?.value !== 'string' || !node.source.value.startsWith('.')) return;
      const to = roomOf(new URL(node.source.value, `file://${context.filename}`).pathname + '/');
      if (to && to !== from && !rooms[from].includes(to)) context.report({ node, messageId: 'no', data: { from, to } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      'lib/**',
      'build/**',
      'dist/**',
      '**/generated/**',
      '**/cdk8s.out/**',
      'imports/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    plugins: { virt8s: { rules: { 'room-directions': roomDirections } } },
    rules: {
      'virt8s/room-directions': 'error',
      'no-restricted-properties': [
        'error',
        ...['test', 'it', 'describe'].flatMap((object) =>
          ['only', 'skip', 'todo', 'failing'].map((property) => ({ object, property, message: 'every test must run' })),
        ),
      ],
      'no-restricted-globals': ['error', 'fit', 'fdescribe', 'xit', 'xtest', 'xdescribe'],
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['test/{unit,integration,e2e}/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='Testing'][property.name=/^(app|chart)$/]",
          message: 'use testApp of test/support/app, whose output is deleted',
        },
      ],
      'no-restricted-imports': [
        'error',
        { name: 'fast-check', message: 'import test/support/fast-check, which fixes the seed' },
      ],
    },
  },
);
