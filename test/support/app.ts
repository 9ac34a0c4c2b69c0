import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type AppProps } from 'cdk8s';

const outdir = join(tmpdir(), `virt8s-test-${randomUUID()}`);
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/** App whose output is deleted after the tests of the file. The one of cdk8s' `Testing` leaves a folder. */
export const testApp = (props: AppProps = {}): App => new App({ outdir, ...props });
