/** A room whose tests are measured: its sources, the unit tests that must notice a change, and the score to reach. */
export interface Room {
  /** Folder or file under src/. */
  readonly source: string;
  /** Folders or files under test/unit/. */
  readonly tests: readonly string[];
  /** Share of mutants, in percent, that the tests must notice. */
  readonly goal: number;
}

const room = (source: string, goal = 85, ...tests: string[]): Room => ({
  source,
  tests: tests.length > 0 ? tests : [source.replace(/\.ts$/, '.test.ts')],
  goal,
});

/** The pure rooms. In rooms that decide about permissions, no mutant but equivalent ones may survive. */
export const rooms: readonly Room[] = [
  room('runtime/api-server/authz.ts', 100, 'runtime/api-server'),
  room('runtime/api-server/authn.ts', 100, 'runtime/api-server'),
  room('runtime/api-server/admission', 95, 'runtime/api-server'),
  room('runtime/api-server/subresources', 85, 'runtime/api-server'),
  room('api/admission', 95, 'api/admission', 'api/kinds'),
  room('api/defaulting', 85, 'api/defaulting.test.ts', 'api/kinds'),
  room('api/cdi', 85, 'api/cdi', 'api/kinds'),
  room('api/instancetype'),
  room('api/lint'),
  room('api/live-update.ts'),
  room('constructs/platform'),
  room('constructs/protection'),
  room('runtime/controller/pod'),
  room('runtime/controller/virtual-machine'),
  room('runtime/controller/instance'),
  room('runtime/handler/instance'),
  room('runtime/handler/network'),
  room('runtime/handler/launcher/sanitize.ts'),
  room('runtime/launcher/domain'),
  room('cli/render/model', 85, 'cli/render/model', 'runtime/launcher/domain'),
  room('local/api-server/schema'),
  room('local/api-server/crd/definition'),
  room('local/api-server/crd/schema'),
  room('local/api-server/kinds'),
];
