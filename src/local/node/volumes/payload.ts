import type { Container, DownwardItem, KeyToPath, Pod, ProjectedSource, Volume } from '../../core-v1';
import { ConfigError, fieldOf, resourceOf } from '../pods/environment';
import { containersOf } from '../pods/decide';
import type { PodFacts } from '../pods/environment';

/** Computes the files of configuration volumes. Pure: objects and tokens are parameters. */

export interface PayloadFile {
  readonly path: string;
  readonly content: Buffer;
  readonly mode: number;
}

export interface PayloadSources {
  configMap(name: string): Record<string, Buffer> | undefined;
  secret(name: string): Record<string, Buffer> | undefined;
  /** Returns a ServiceAccount token by the path of its projection. */
  token(path: string): string | undefined;
}

const DEFAULT_MODE = 0o644;

/** Kinds of volumes whose files come from API objects. */
export const isPayloadVolume = (volume: Volume): boolean =>
  Boolean(volume.configMap ?? volume.secret ?? volume.downwardAPI ?? volume.projected);

export function payloadOf(pod: Pod, volume: Volume, facts: PodFacts, sources: PayloadSources): PayloadFile[] {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) {
    const { name = '', items, optional, defaultMode } = configMap;
    return keyed(sources.configMap(name), `configmap "${name}"`, items, optional, defaultMode);
  }
  if (secret) {
    const { secretName = '', items, optional, defaultMode } = secret;
    return keyed(sources.secret(secretName), `secret "${secretName}"`, items, optional, defaultMode);
  }
  if (downwardAPI) return downward(pod, downwardAPI.items, facts, downwardAPI.defaultMode);
  const files = (projected?.sources ?? []).flatMap((source) =>
    projectedFiles(pod, source, facts, sources, projected?.defaultMode),
  );
  // later sources overwrite earlier ones, as in the kubelet
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

function projectedFiles(
  pod: Pod,
  source: ProjectedSource,
  facts: PodFacts,
  sources: PayloadSources,
  mode: number | undefined,
): PayloadFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) {
    const { name = '', items, optional } = configMap;
    return keyed(sources.configMap(name), `configmap "${name}"`, items, optional, mode);
  }
  if (secret) {
    const { name = '', items, optional } = secret;
    return keyed(sources.secret(name), `secret "${name}"`, items, optional, mode);
  }
  if (downwardAPI) return downward(pod, downwardAPI.items, facts, mode);
  if (!serviceAccountToken) {
    const [kind] = Object.keys(source);
    throw new ConfigError(
      `projected sources of kind "${kind}" are not supported (allowed: configMap, secret, downwardAPI, serviceAccountToken)`,
    );
  }
  const token = sources.token(serviceAccountToken.path);
  if (token === undefined) throw new ConfigError(`failed to fetch token for "${serviceAccountToken.path}"`);
  return [{ path: serviceAccountToken.path, content: Buffer.from(token), mode: mode ?? DEFAULT_MODE }];
}

function keyed(
  data: Record<string, Buffer> | undefined,
  what: string,
  items: KeyToPath[] | undefined,
  optional = false,
  mode = DEFAULT_MODE,
): PayloadFile[] {
  if (!data) {
    if (optional) return [];
    throw new ConfigError(`${what} not found`);
  }
  if (!items) return Object.entries(data).map(([path, content]) => ({ path, content, mode }));
  return items.flatMap((item) => {
    const content = data[item.key];
    if (content) return [{ path: item.path, content, mode: item.mode ?? mode }];
    if (optional) return [];
    throw new ConfigError(`references non-existent ${what.split(' ')[0]} key: ${item.key}`);
  });
}

function downward(pod: Pod, items: DownwardItem[] = [], facts: PodFacts, mode = DEFAULT_MODE): PayloadFile[] {
  return items.map((item) => ({
    path: item.path,
    content: Buffer.from(
      item.resourceFieldRef
        ? resourceOf(pod, pod.spec.containers[0] as Container, item.resourceFieldRef, facts)
        : fieldOf(pod, item.fieldRef ?? { fieldPath: '' }, facts),
    ),
    mode: item.mode ?? mode,
  }));
}

/** Names of the ConfigMaps and Secrets in a Pod's volumes and variables. */
export function referencesOf(pod: Pod): { configMaps: Set<string>; secrets: Set<string> } {
  const configMaps = new Set<string>();
  const secrets = new Set<string>();
  for (const { configMap, secret, projected } of pod.spec.volumes ?? []) {
    if (configMap?.name) configMaps.add(configMap.name);
    if (secret?.secretName) secrets.add(secret.secretName);
    for (const source of projected?.sources ?? []) {
      if (source.configMap?.name) configMaps.add(source.configMap.name);
      if (source.secret?.name) secrets.add(source.secret.name);
    }
  }
  for (const { env, envFrom } of containersOf(pod).map(({ container }) => container)) {
    for (const { valueFrom } of env ?? []) {
      if (valueFrom?.configMapKeyRef?.name) configMaps.add(valueFrom.configMapKeyRef.name);
      if (valueFrom?.secretKeyRef?.name) secrets.add(valueFrom.secretKeyRef.name);
    }
    for (const { configMapRef, secretRef } of envFrom ?? []) {
      if (configMapRef?.name) configMaps.add(configMapRef.name);
      if (secretRef?.name) secrets.add(secretRef.name);
    }
  }
  return { configMaps, secrets };
}
