import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { stringify } from 'yaml';
import type { KubeObject } from '../../api';
import { CliError } from '../errors';
import type { DownloadPlan, ManifestPlan } from './flags';
import type { Route } from './route';

/** Writes the manifests of an export to a file or standard output. */
export async function writeManifests(
  route: Route,
  { manifest, withSecret }: ManifestPlan,
  { output }: Pick<DownloadPlan, 'output'>,
): Promise<void> {
  const items = await objects(route, 'all');
  if (withSecret) items.push(...(await objects(route, 'auth-header-secret')));
  const written =
    manifest === 'json'
      ? `${JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: {}, items }, undefined, 2)}\n`
      : items.map((item) => stringify(item)).join('---\n');
  if (output) await writeFile(output, written, { mode: 0o600 });
  else process.stdout.write(written);
}

async function objects(route: Route, type: 'all' | 'auth-header-secret'): Promise<KubeObject[]> {
  const found = route.link.manifests?.find((each) => each.type === type);
  if (!found) throw new CliError('the export has no manifests; only exports of a VM or a snapshot have them');
  const response = await route.get(found.url, { accept: 'application/json' });
  const body = await text(response);
  if (response.statusCode !== 200)
    throw new CliError(`the exporter answered ${response.statusCode}: ${body.trim().slice(0, 300)}`);
  return (JSON.parse(body) as { items: KubeObject[] }).items;
}
