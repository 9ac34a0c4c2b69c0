import type { Container, EnvVar, FieldRef, Pod, ResourceFieldRef, Resources } from '../../core-v1';
import { quantityOf } from '../../quantity';

/** Environment, arguments and downward API of containers. Pure. */

export interface Sources {
  /** Content of a ConfigMap or Secret of the Pod's namespace; `undefined` when it does not exist. */
  configMap(name: string): Record<string, string> | undefined;
  secret(name: string): Record<string, string> | undefined;
}

/** Error of a container whose Pod refers to a missing object (CreateContainerConfigError). */
export class ConfigError extends Error {
  public override readonly name = 'ConfigError';

  public constructor(
    message: string,
    /** The kubelet's reason. */
    public readonly reason = 'CreateContainerConfigError',
  ) {
    super(message);
  }
}

export interface PodFacts {
  readonly podIPs: readonly string[];
  readonly hostIPs: readonly string[];
  readonly nodeName: string;
  /** Resources of a container without a limit. */
  readonly allocatable: Resources;
}

/** Replaces `$(NAME)`; `$$` is a dollar; unknown names are not replaced. */
export function expand(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$(\$|\(([^()]*)\))/g, (whole, escape: string, name: string | undefined) => {
    if (escape === '$') return '$';
    return known.get(name ?? '') ?? whole;
  });
}

const IDENTIFIER = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** Variables of a container in order: envFrom, then env; later ones can use and replace earlier ones. */
export function environmentOf(
  pod: Pod,
  container: Container,
  facts: PodFacts,
  sources: Sources,
  services: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const env = new Map<string, string>();
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const found = configMapRef
      ? required(sources.configMap(configMapRef.name ?? ''), 'configmap', configMapRef)
      : required(sources.secret(secretRef?.name ?? ''), 'secret', secretRef ?? {});
    for (const [key, value] of Object.entries(found ?? {})) {
      if (IDENTIFIER.test(prefix + key)) env.set(prefix + key, value);
    }
  }
  for (const variable of container.env ?? []) {
    const value = valueOf(variable, pod, container, facts, sources, new Map([...services, ...env]));
    if (value !== undefined) env.set(variable.name, value);
  }
  for (const [name, value] of services) if (!env.has(name)) env.set(name, value);
  return env;
}

function required(
  found: Record<string, string> | undefined,
  what: string,
  ref: { name?: string; optional?: boolean },
): Record<string, string> | undefined {
  if (!found && !ref.optional) throw new ConfigError(`${what} "${ref.name ?? ''}" not found`);
  return found;
}

function valueOf(
  { value, valueFrom }: EnvVar,
  pod: Pod,
  container: Container,
  facts: PodFacts,
  sources: Sources,
  known: ReadonlyMap<string, string>,
): string | undefined {
  if (!valueFrom) return expand(value ?? '', known);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef) return fieldOf(pod, fieldRef, facts);
  if (resourceFieldRef) return resourceOf(pod, container, resourceFieldRef, facts);
  const [ref, what, content] = configMapKeyRef
    ? ([configMapKeyRef, 'configmap', sources.configMap(configMapKeyRef.name ?? '')] as const)
    : ([secretKeyRef, 'secret', sources.secret(secretKeyRef?.name ?? '')] as const);
  if (!ref) return undefined;
  const found = required(content, what, ref)?.[ref.key];
  if (found === undefined && !ref.optional) {
    const kind = what === 'secret' ? 'Secret' : 'ConfigMap';
    throw new ConfigError(`couldn't find key ${ref.key} in ${kind} ${pod.metadata.namespace}/${ref.name ?? ''}`);
  }
  return found;
}

/** Field of the Pod for the downward API. */
export function fieldOf(pod: Pod, { fieldPath }: FieldRef, facts: PodFacts): string {
  const { metadata, spec } = pod;
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldPath);
  if (keyed) return metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] ?? ''] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'spec.nodeName':
      return facts.nodeName;
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.podIP':
      return facts.podIPs[0] ?? '';
    case 'status.podIPs':
      return facts.podIPs.join(',');
    case 'status.hostIP':
      return facts.hostIPs[0] ?? '';
    case 'status.hostIPs':
      return facts.hostIPs.join(',');
    default:
      throw new ConfigError(`unsupported fieldPath: ${fieldPath}`);
  }
}

const formatMap = (map: Record<string, string> | undefined): string =>
  Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');

/** Limit or request of a container in units of `divisor`, rounded up. */
export function resourceOf(pod: Pod, self: Container, ref: ResourceFieldRef, facts: PodFacts): string {
  const all = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const container = ref.containerName ? all.find(({ name }) => name === ref.containerName) : self;
  if (!container) throw new ConfigError(`container ${ref.containerName} not found`);
  const [kind = '', ...rest] = ref.resource.split('.');
  const resource = rest.join('.');
  if (kind !== 'limits' && kind !== 'requests')
    throw new ConfigError(`unsupported container resource: ${ref.resource}`);
  const { limits, requests } = container.resources ?? {};
  const fallback = kind === 'limits' ? facts.allocatable[resource] : limits?.[resource];
  const quantity = (kind === 'limits' ? limits : requests)?.[resource] ?? fallback;
  const divisor = quantityOf(ref.divisor) || 1;
  return String(Math.ceil(quantityOf(quantity) / divisor - 1e-9));
}

/** Command line of a container: `command` replaces the image's entrypoint and command, `args` only the command. */
export function argumentsOf(
  container: Container,
  image: { Entrypoint?: readonly string[]; Cmd?: readonly string[] },
  env: ReadonlyMap<string, string>,
): string[] {
  const own = (list: readonly string[] | undefined): string[] => (list ?? []).map((text) => expand(text, env));
  const command = container.command?.length ? own(container.command) : undefined;
  const args = container.args?.length ? own(container.args) : undefined;
  const line = command ? [...command, ...(args ?? [])] : [...(image.Entrypoint ?? []), ...(args ?? image.Cmd ?? [])];
  if (!line.length) {
    throw new ConfigError(
      `no command specified: neither container "${container.name}" nor its image has one`,
      'CreateContainerError',
    );
  }
  return line;
}
