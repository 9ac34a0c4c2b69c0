import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const room = resolve(__dirname, '../src/runtime/protocol');
const generated = join(room, 'generated');

/** encode and decode only: each message is paid for by every launcher on a node. */
const options = [
  'outputServices=generic-definitions',
  'outputJsonMethods=false',
  'outputPartialMethods=false',
  'useOptionals=all',
  'exportCommonSymbols=false',
  'env=node',
  'esModuleInterop=true',
  'annotateFilesWithVersion=false',
].join(',');

/** Compiles every .proto of the room into `out`. */
function compile(out: string): void {
  const protos = readdirSync(room).filter((name) => name.endsWith('.proto'));
  const plugin = resolve(__dirname, '../node_modules/.bin/protoc-gen-ts_proto');
  execFileSync(
    'protoc',
    [`--plugin=${plugin}`, `--ts_proto_out=${out}`, `--ts_proto_opt=${options}`, '-I', room, ...protos],
    {
      cwd: room,
      stdio: 'inherit',
    },
  );
}

/** Content by file name, to compare two output directories. */
function contents(dir: string): string {
  return readdirSync(dir)
    .sort()
    .map((name) => `${name}\n${readFileSync(join(dir, name), 'utf8')}`)
    .join('\n');
}

/** Writes src/runtime/protocol/generated from the .proto files; with --check only reports whether they are current. */
export function generateProtocol(check: boolean): boolean {
  const scratch = mkdtempSync(join(tmpdir(), 'virt8s-protocol-'));
  try {
    compile(scratch);
    if (check) return contents(scratch) === contents(generated);
    rmSync(generated, { recursive: true, force: true });
    mkdirSync(generated, { recursive: true });
    for (const name of readdirSync(scratch)) writeFileSync(join(generated, name), readFileSync(join(scratch, name)));
    return true;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (require.main === module) {
  const check = process.argv.includes('--check');
  if (!generateProtocol(check)) {
    console.error('src/runtime/protocol/generated is not current; run: npx tsx scripts/generate-protocol.ts');
    process.exitCode = 1;
  }
}
