/** `virt8s graph`: draws manifests. */
import { writeFile } from 'node:fs/promises';
import { readAllObjects } from '../manifests/all';
import { dotOf } from './dot';
import { graphOf } from './model';

export interface GraphFlags {
  readonly output: 'svg' | 'dot';
  readonly out?: string;
}

/** Draws the objects of all files in one diagram. */
export async function runGraph(names: readonly string[], flags: GraphFlags): Promise<void> {
  const dot = dotOf(graphOf(await readAllObjects(names)));
  const drawing = flags.output === 'dot' ? dot : await svgOf(dot);
  if (flags.out) await writeFile(flags.out, drawing);
  else process.stdout.write(drawing);
}

/** Loads Graphviz (1 MB) only when a diagram is drawn. */
export async function svgOf(dot: string): Promise<string> {
  const { instance } = await import('@viz-js/viz');
  return (await instance()).renderString(dot, { format: 'svg', engine: 'dot' });
}
