/** Runs the API server with the options of a JSON file until it is killed. Started by api-server-process.ts. */
import { readFileSync } from 'node:fs';
import { startApiServer } from '../../src/local/api-server';
import type { ApiServerOptions } from '../../src/local/api-server';

void startApiServer(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ApiServerOptions).then(({ port }) =>
  process.stdout.write(`${port}\n`),
);
