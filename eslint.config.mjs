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

const TEST = 'callee.name=/^(test|it|beforeAll|beforeEach|afterAll|afterEach)$/';
const EACH = "callee.type='CallExpression'][callee.callee.property.name='each'";
const CLOCK = "CallExpression[callee.property.name='now']";
const LIMIT = 'limits only end hangs: use PATIENCE_MS of test/support/patience, or no limit';
const WAIT = 'a wait depends on the speed of the machine: use eventually or until of test/support';
const PORT = 'another program may have this port: listen on port 0';

/** Syntax that makes a test depend on the speed of its machine, or on a port that another program may have. */
const hasty = {
  "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']": WAIT,
  "ImportDeclaration[source.value='node:timers/promises'] > ImportSpecifier[imported.name='setTimeout']": WAIT,
  "CallExpression[callee.name='sleep']": WAIT,
  [`:matches(ForStatement, WhileStatement) > BinaryExpression ${CLOCK}`]: WAIT,
  [`ForStatement > VariableDeclaration BinaryExpression > ${CLOCK}`]: WAIT,
  "CallExpression[callee.object.name='jest'][callee.property.name='setTimeout']": LIMIT,
  [`CallExpression[${TEST}] > :matches(Literal[raw=/^[0-9]/], BinaryExpression).arguments`]: LIMIT,
  [`CallExpression[${EACH}] > :matches(Literal[raw=/^[0-9]/], BinaryExpression).arguments`]: LIMIT,
  'CallExpression[callee.name=/^(eventually|until)$/] > Literal[raw=/^[0-9]/].arguments': LIMIT,
  "CallExpression[callee.object.name='AbortSignal'][callee.property.name='timeout'] > Literal[value<60000]": LIMIT,
  [`CallExpression[callee.property.name=/^toBeLess/] CallExpression[callee.name='expect'] :matches(${CLOCK}, Identifier[name=/(Ms|[sS]econds|elapsed|took|duration)$/])`]:
    'the machine may be slow: compare the order of events, or count',
};
/** As above, where nothing is pure: in unit tests, such numbers are data of decisions. */
const hastyPrograms = {
  'Property[key.name=/^(timeout|timeoutMs|limitMs)$/][value.value<60000]': LIMIT,
  "CallExpression[callee.property.name='listen'][arguments.0.value>0]": PORT,
  'Property[key.name=/^(hostPort|nodePort)$/][value.value>0]': PORT,
  'Literal[value=/--(timeout|wait)[= ][0-5]?[0-9]s/]': LIMIT,
  "Literal[value='--port'] + Literal[value=/^[1-9][0-9]{0,4}$/]": PORT,
  'Literal[value=/^https?:..(127.0.0.1|localhost):[1-9][0-9]{3}/]': PORT,
  'TemplateElement[value.raw=/^https?:..(127.0.0.1|localhost):[1-9][0-9]{3}/]': PORT,
};

/** Reports each syntax with its message. */
const refusing = (messages) => ({
  meta: { type: 'problem', schema: [] },
  create: (context) =>
    Object.fromEntries(
      Object.entries(messages).map(([selector, message]) => [selector, (node) => context.report({ node, message })]),
    ),
});

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
    plugins: {
      virt8s: {
        rules: {
          'room-directions': roomDirections,
          patience: refusing(hasty),
          'patience-of-programs': refusing(hastyPrograms),
        },
      },
    },
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
  { files: ['test/{unit,integration,e2e,support}/**'], rules: { 'virt8s/patience': 'error' } },
  { files: ['test/{integration,e2e,support}/**'], rules: { 'virt8s/patience-of-programs': 'error' } },
  // the one place that waits, and schedules of times between faults
  { files: ['test/support/{patience.ts,fleet-run/**,kill-run/**}'], rules: { 'virt8s/patience': 'off' } },
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
