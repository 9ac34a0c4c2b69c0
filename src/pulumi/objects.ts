import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { Manifest } from './manifests';

type ResourceClass = new (
  name: string,
  args: Record<string, unknown>,
  opts?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/**
 * Registers one object: by the provider's own class for a kind of Kubernetes, so that its diffs and its waiting for
 * readiness apply, else as a custom resource.
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

/** The provider's class for a kind of Kubernetes; `undefined` for a kind of someone else. */
export function builtIn(apiVersion: string, kind: string): ResourceClass | undefined {
  const [version, group = 'core'] = apiVersion.split('/').reverse();
  const modules = k8s as unknown as Record<string, Record<string, Record<string, unknown>> | undefined>;
  const found = modules[group.split('.')[0]]?.[version]?.[kind] as
    (ResourceClass & { __pulumiType?: string }) | undefined;
  // another group may begin with the same word
  return found?.__pulumiType === `kubernetes:${group}/${version}:${kind}` ? found : undefined;
}
