import * as modules from 'node:module';
import { join } from 'node:path';
import { cacheDir } from '../local/engine/cache';

/** Keeps the compiled code of modules that are loaded from now on in the cache. Without it, only the start takes longer. */
export function keepCompiledCode(cache: () => string = cacheDir): void {
  try {
    // Node.js 22.0 has no such function
    (modules as Partial<typeof modules>).enableCompileCache?.(join(cache(), 'compiled'));
  } catch {
    // a user without a home directory, as in some containers
  }
}
