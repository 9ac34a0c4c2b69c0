/** One line of JSON per message, on stderr. A logging library would cost each VM megabytes. */
export function log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown> = {}): void {
  console.error(
    JSON.stringify({ time: new Date().toISOString(), level, component: 'virt-launcher', msg: message, ...fields }),
  );
}
