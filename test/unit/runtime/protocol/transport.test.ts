import { build } from 'esbuild';

/** Which HTTP/2 a program has; programs are bundled from their sources. */
async function http2Of(entry: string): Promise<{ own: boolean; nodes: boolean }> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    target: 'node24',
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  return {
    own: Object.keys(output.inputs).some((file) => file.includes('/protocol/http2/')),
    nodes: output.imports.some(({ path }) => path === 'node:http2' || path === 'http2'),
  };
}

test.each([
  [
    'the handler reads what launchers send with node:http2 alone',
    'src/runtime/handler/main.ts',
    { own: false, nodes: true },
  ],
  ['a launcher does not pay for node:http2', 'src/runtime/launcher/main.ts', { own: true, nodes: false }],
  [
    'the engine reads what device plugins send with node:http2 alone',
    'src/local/node/devices/manager.ts',
    { own: false, nodes: true },
  ],
])('%s', async (_, entry, want) => expect(await http2Of(entry)).toEqual(want));
