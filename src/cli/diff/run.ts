/** `virt8s diff`: prints the changes that manifests would make. */
import { Connection, type GlobalFlags } from '../connection';
import { CliError, messageOf } from '../errors';
import { readAllObjects } from '../manifests/all';
import type { ClusterFlags } from '../render/cluster';
import type { ObjectDiff } from './compare';
import { formatDiff, formatSummary } from './print';
import { cluster, files, type OtherSide } from './sides';

export interface DiffFlags extends ClusterFlags, GlobalFlags {
  readonly against?: string;
  readonly prune?: boolean;
  readonly selector?: string;
  readonly output?: 'json';
}

/** Exit code for errors: above 1, as in `kubectl diff`. */
const SAME = 0;
const DIFFERENT = 1;
const FAILED = 2;

/** Number of objects that are fetched at the same time. */
const AT_ONCE = 8;

/** Prints the differences and returns the exit code. */
export async function runDiff(names: readonly string[], flags: DiffFlags): Promise<number> {
  try {
    return await printDifferences(names, flags);
  } catch (error) {
    throw new CliError(messageOf(error), FAILED);
  }
}

async function printDifferences(names: readonly string[], flags: DiffFlags): Promise<number> {
  if (flags.prune && !flags.against && !flags.selector) {
    throw new CliError(
      '--prune against a cluster requires --selector, which selects the objects that the files should contain',
    );
  }
  const objects = await readAllObjects(names);
  let connection: Connection | undefined;
  let side: OtherSide;
  if (flags.against) side = await files(flags.against, objects, flags);
  else {
    connection = await Connection.open(flags);
    side = await cluster(connection, objects, flags.selector);
  }
  const diffs: ObjectDiff[] = [];
  for (let i = 0; i < objects.length; i += AT_ONCE) {
    const some = await Promise.all(objects.slice(i, i + AT_ONCE).map((object) => side.diffOf(object)));
    diffs.push(...some.filter((diff) => diff !== undefined));
  }
  if (flags.prune) diffs.push(...(await side.leftovers(objects)));
  connection?.close();
  if (flags.output === 'json') console.log(JSON.stringify(diffs, null, 2));
  else {
    for (const diff of diffs) console.log(formatDiff(diff));
    console.log(formatSummary(diffs, objects.length));
  }
  if (diffs.some(({ refused }) => refused.length > 0)) return FAILED;
  return diffs.length > 0 ? DIFFERENT : SAME;
}
