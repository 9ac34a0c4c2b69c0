import { mkdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { layerMaker } from '../src/launcher-image/layers';
import { checkout } from './generated-files';

/** Node of users, of which the package supports every even version since; what runs in images has the pinned one. */
const USERS = 'node22';
const OURS = 'node24';

/** Programs -> their entries. Each becomes one file of build/, so that an image needs nothing but node and it; the command becomes a folder. */
const programs: Record<string, { entry: string; target: string }> = {
  virt8s: { entry: 'src/cli/main.ts', target: USERS },
  engine: { entry: 'src/local/engine/main.ts', target: USERS },
  'api-server': { entry: 'src/local/api-server/main.ts', target: USERS },
  ingress: { entry: 'src/local/ingress/main.ts', target: USERS },
  // recipes of the platform's images
  images: { entry: 'src/cli/images/make.ts', target: USERS },
  // Graphviz, a megabyte that few commands need
  viz: { entry: 'node_modules/@viz-js/viz/dist/viz.cjs', target: USERS },
  'virt-controller': { entry: 'src/runtime/controller/main.ts', target: OURS },
  'virt-api': { entry: 'src/runtime/api-server/main.ts', target: OURS },
  'virt-handler': { entry: 'src/runtime/handler/main.ts', target: OURS },
  'virt-importer': { entry: 'src/runtime/importer/main.ts', target: OURS },
  'virt-operator': { entry: 'src/runtime/operator/main.ts', target: OURS },
  'upload-proxy': { entry: 'src/runtime/upload-proxy/main.ts', target: OURS },
  'virt-launcher': { entry: 'src/runtime/launcher/main.ts', target: OURS },
  // a program of its own, so that launchers, of which there are many, do not contain its parser
  'node-capabilities': { entry: 'src/runtime/launcher/node-capabilities/main.ts', target: OURS },
};

export const programNames = Object.keys(programs);

/** Program that users start; the others are started by it, or by images. */
export const COMMAND = 'virt8s';

/** Returns the program that an import becomes. */
function programOf(path: string, resolveDir: string): string | undefined {
  if (path === '@viz-js/viz') return 'viz';
  return path === './make' && resolveDir === join(checkout, 'src/cli/images') ? 'images' : undefined;
}

/** Imports that become programs of their own, which are loaded when they are needed. */
const beside: Plugin = {
  name: 'beside',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /./ }, ({ path, resolveDir }) => {
      const program = programOf(path, resolveDir);
      return program ? { path: program, namespace: 'program' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'program' }, ({ path }) => ({
      contents: `module.exports = require(require('./src/cli/programs').programsFolder() + '/${path}.cjs');`,
      resolveDir: checkout,
    }));
  },
};

/**
 * Dynamic imports of CommonJS modules. In ES modules, esbuild gives those a default export only, so this lists the names
 * that they export.
 */
export const namedExports: Plugin = {
  name: 'named-exports',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      const isLibrary = !path.startsWith('.') && !isBuiltin(path);
      if (kind !== 'dynamic-import' || !(isLibrary || programOf(path, resolveDir))) return undefined;
      return { path, namespace: 'named-exports', pluginData: resolveDir };
    });
    onLoad({ filter: /./, namespace: 'named-exports' }, async ({ path, pluginData }) => {
      const resolveDir = pluginData as string;
      const exported = (await import(path.startsWith('.') ? join(resolveDir, path) : path)) as object;
      const names = Object.keys(exported).filter((name) => name !== 'default' && /^[A-Za-z]\w*$/.test(name));
      const contents = `import * as exported from '${path}'; export const { ${names.join(', ')} } = exported;`;
      return { contents, resolveDir };
    });
  },
};

/** Options for bundling a program into build/. */
export function programOptions(name: string): BuildOptions {
  const program = programs[name];
  if (!program) throw new Error(`no program is named "${name}"; there are: ${programNames.join(', ')}`);
  return {
    ...common(program.target),
    ...(name === COMMAND ? inParts(program.entry) : { entryPoints: [program.entry], outfile: `build/${name}.cjs` }),
    plugins: [...(name === COMMAND ? [namedExports] : []), beside],
    // layers of images are the same, whether a bundle or the sources made them
    define: { LAYER_MAKER: JSON.stringify(layerMaker()) },
    // names stay as they are: keeping them beside shorter ones costs half the speed of small closures
    minifyWhitespace: true,
    minifySyntax: true,
  };
}

/**
 * Output in parts: every dynamic import is a file of its own, so that a command parses only what it runs, which takes a
 * third of the time of one file with everything. Only ES modules can be split.
 */
function inParts(entry: string): BuildOptions {
  return {
    entryPoints: [{ in: entry, out: 'main' }],
    outdir: `build/${COMMAND}`,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    format: 'esm',
    splitting: true,
    // for libraries that are CommonJS modules, and for src/cli/package-root.ts
    banner: {
      js: "import{createRequire as cjs}from'node:module';const require=cjs(import.meta.url),__dirname=import.meta.dirname;",
    },
  };
}

/** Keeps imports from outside the folder unchanged: lib/ has the same layout as src/. */
const withinFolder = (folder: string): Plugin => ({
  name: 'within-folder',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) =>
      importer.startsWith(join(checkout, 'src')) &&
      !`${join(resolveDir, path)}/`.startsWith(join(checkout, folder, '/'))
        ? { path, external: true }
        : undefined,
    ),
});

/** Entries of lib/ that hold libraries, since those are ESM only or no peers of ours. */
export const libraryBundles: Record<string, BuildOptions> = {
  client: { ...common(USERS), entryPoints: ['src/client/index.ts'], outfile: 'lib/client/index.js' },
  // the constructs that it knows are those of `virt8s`
  testing: {
    ...common(USERS),
    entryPoints: ['src/testing/index.ts'],
    outfile: 'lib/testing/index.js',
    plugins: [withinFolder('src/testing')],
    external: ['cdk8s', 'constructs'],
  },
};

/** Programs of `virt8s` and `virt8s/client`. */
export const libraryPrograms: Record<string, BuildOptions> = {
  index: { ...common(USERS), entryPoints: ['src/index.ts'], outfile: 'lib/index.js', packages: 'external' },
  client: libraryBundles.client!,
};

/** Module of jsii's output that requires a library which users do not have. */
export const libraryModules: Record<string, BuildOptions> = {
  'yaml-text': {
    ...common(USERS),
    entryPoints: ['src/api/cloud-init/yaml-text.ts'],
    outfile: 'lib/api/cloud-init/yaml-text.js',
    minifyWhitespace: true,
    minifySyntax: true,
  },
};

function common(target: string): BuildOptions {
  return {
    absWorkingDir: checkout,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
}

/** Folder with the lists of the files in each bundle, for scripts/sbom.ts. */
export const contentsFolder = join(checkout, 'build/contents');

/** Files that a bundler read, without modules that a plugin made. */
export const sourcesOf = ({ inputs }: Metafile): string[] =>
  Object.keys(inputs).filter((file) => !/^(program|named-exports):|^\(disabled\):|^<stdin>$/.test(file));

/** Remembers which files went into a bundle. */
export function noteContents(name: string, { outputs }: Metafile): void {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  mkdirSync(contentsFolder, { recursive: true });
  writeFileSync(join(contentsFolder, `${name}.json`), `${JSON.stringify(files.sort(), undefined, 1)}\n`);
}
