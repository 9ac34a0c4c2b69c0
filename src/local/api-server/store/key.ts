/** Key of an object: `resource` is `group/plural` (`/pods`, `apps/deployments`). */
export interface Key {
  readonly resource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

export const keyText = (namespace: string, name: string): string => (namespace ? `${namespace}/${name}` : name);

export function keyOf(resource: string, text: string): Key {
  const slash = text.indexOf('/');
  return slash < 0
    ? { resource, namespace: '', name: text }
    : { resource, namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
