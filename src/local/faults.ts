type Log = (message: string, details: object) => void;

/** Errors of a single connection. One without a listener of its own affects nothing else. */
const CONNECTION = ['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether the process may continue after an error that no code has handled. */
export function isContained(error: unknown, origin: 'uncaughtException' | 'unhandledRejection'): boolean {
  // A rejected promise belongs to one request or one task, whose synchronous steps are complete.
  if (origin === 'unhandledRejection') return true;
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  return CONNECTION.includes(code) || code.startsWith('ERR_SSL_') || code.startsWith('ERR_STREAM_');
}

/** Logs errors that no code has handled. The process continues or exits with code 70, for its supervisor to restart. */
export function handleFaults(log: Log, exit: (code: number) => void = (code) => process.exit(code)): void {
  process.on('uncaughtException', (error, origin) => {
    const contained = isContained(error, origin);
    log(contained ? 'unhandled error' : 'unhandled error; the process exits', {
      level: 'error',
      origin,
      error: error instanceof Error ? error.stack : String(error),
    });
    if (!contained) exit(70);
  });
}
