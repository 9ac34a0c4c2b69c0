import { CommanderError } from 'commander';
import { keepCompiledCode } from './compile-cache';
import { CliError, messageOf } from './errors';
import { asCommanderReads } from './options';
import { createProgram } from './program';

async function main(argv: string[]): Promise<void> {
  // before the code of a command is loaded
  keepCompiledCode();
  const program = createProgram();
  if (argv[2] === '__complete' || argv[2] === '__completeNoDesc') {
    const { complete } = await import('./complete');
    process.stdout.write(await complete(program, argv.slice(3), argv[2] === '__complete'));
    return;
  }
  await program.parseAsync(asCommanderReads(program, argv.slice(2)), { from: 'user' });
}

// a reader that closes the pipe early (head, grep -q) is not an error
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

main(process.argv).then(
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    if (!(error instanceof CommanderError)) console.error(messageOf(error));
    if (process.argv.some((argument) => argument === '-v' || argument === '--verbose') && error instanceof Error) {
      console.error(error.stack);
    }
    process.exit(error instanceof CliError ? error.exitCode : 1);
  },
);
