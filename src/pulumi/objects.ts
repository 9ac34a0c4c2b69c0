import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { Manifest } from './manifests';

type ResourceClass = new (
  name: string,
  args: Record<string, unknown>,
  opts?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/**
 * Registers one object. Kinds of Kubernetes use the provider's own class, so that its diffs and its wait for readiness
 * apply; other kinds are custom resources.
 */
export function register(
  name: string,
  { apiVersion, kind }: Manifest,
  fields: Record<string, unknown>,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
  const BuiltIn = builtIn(apiVersion, kind);
  if (BuiltIn) return new BuiltIn(name, fields, opts);
  return new k8s.apiextensions.CustomResource(name, { ...fields, apiVersion, kind }, opts);
}

/** Returns the provider's class for a kind of Kubernetes; `undefined` for other kinds. */
export function builtIn(apiVersion: string, kind: string): ResourceClass | undefined {
  const [version, group = 'core'] = apiVersion.split('/').reverse();
  const modules = k8s as unknown as Record<string, Record<string, Record<string, unknown>> | undefined>;
  const found = modules[group.split('.')[0]]?.[version]?.[kind] as
    (ResourceClass & { __pulumiType?: string }) | undefined;
  // another group may begin with the same word
  return found?.__pulumiType === `kubernetes:${group}/${version}:${kind}` ? found : undefined;
}
