import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tarOf, type Entry } from './oci-archive';

const TYPES = 'application/vnd.oci.image';
const digestOf = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;

/** Uploads an image to a registry without a login. Returns the digests of its manifest and layers. */
export async function pushImage(
  host: string,
  name: string,
  layers: Entry[][],
  tag = '1',
): Promise<{ digest: string; size: number; blobs: string[] }> {
  const tars = layers.map(tarOf);
  const blobs = tars.map((tar) => gzipSync(tar));
  const config = Buffer.from(
    JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: tars.map(digestOf) } }),
  );
  for (const blob of [config, ...blobs]) await putBlob(host, name, blob);
  const item = (data: Buffer, kind: string) => ({
    mediaType: `${TYPES}.${kind}`,
    digest: digestOf(data),
    size: data.length,
  });
  const manifest = {
    schemaVersion: 2,
    mediaType: `${TYPES}.manifest.v1+json`,
    config: item(config, 'config.v1+json'),
    layers: blobs.map((blob) => item(blob, 'layer.v1.tar+gzip')),
  };
  const digest = await putManifest(host, name, tag, manifest);
  return { digest, size: JSON.stringify(manifest).length, blobs: blobs.map(digestOf) };
}

async function putBlob(host: string, name: string, data: Buffer): Promise<void> {
  const started = await fetch(`http://${host}/v2/${name}/blobs/uploads/`, { method: 'POST' });
  const target = new URL(started.headers.get('location')!, `http://${host}`);
  target.searchParams.set('digest', digestOf(data));
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await fetch(target, { method: 'PUT', body: new Uint8Array(data), headers });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Uploads a manifest or an index of manifests. Returns its digest. */
export async function putManifest(
  host: string,
  name: string,
  tag: string,
  manifest: { mediaType: string },
): Promise<string> {
  const body = JSON.stringify(manifest);
  const headers = { 'content-type': manifest.mediaType };
  const answer = await fetch(`http://${host}/v2/${name}/manifests/${tag}`, { method: 'PUT', body, headers });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers.get('docker-content-digest')!;
}
