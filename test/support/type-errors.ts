import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/**
 * Returns the type errors of the files of a folder with a tsconfig.json, as tsc writes them. It does not check imported
 * sources, unlike tsc, because that takes most of the time; the stage `types` checks them.
 */
export function typeErrors(folder: string): string {
  // a process of its own: Jest would load the compiler for each suite
  const tsx = resolve(__dirname, '../../node_modules/.bin/tsx');
  return execFileSync(tsx, [__filename, folder], { encoding: 'utf8', maxBuffer: 64 << 20 });
}

async function check(folder: string): Promise<string> {
  const { default: ts } = await import('typescript');
  const { config, error } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  const diagnostics = [
    ...(error ? [error] : []),
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...fileNames.flatMap((name) => {
      const file = program.getSourceFile(name);
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    }),
  ];
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  });
}

if (require.main === module) {
  check(process.argv[2]!).then(
    (errors) => process.stdout.write(errors),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}
