import { httpGet, type TestEngine } from './engine';

/** User data with which the tiny guest runs the query of a request as a shell command. */
export const GUEST_SHELL = [
  '#cloud-config',
  'write_files:',
  '  - path: /var/www/cgi-bin/run',
  "    permissions: '0755'",
  '    content: |',
  '      #!/bin/sh',
  "      printf 'Content-Type: text/plain\\r\\n\\r\\n'",
  '      eval "$(httpd -d "$QUERY_STRING")" 2>&1',
  '',
].join('\n');

/** Time that a command in a guest may take. */
const COMMAND_MS = 60_000;

/** Output of a shell command in a guest with `GUEST_SHELL`. */
export async function inGuest(engine: TestEngine, vm: string, script: string, namespace?: string): Promise<string> {
  const address = await engine.podIp(vm, namespace);
  return (await httpGet(address, `/cgi-bin/run?${encodeURIComponent(script)}`, COMMAND_MS)).trim();
}
