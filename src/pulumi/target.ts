import * as pulumi from '@pulumi/pulumi';
import type { App } from 'cdk8s';
import { keys } from '../api/keys';
import { applyDefaultTarget, requireTarget } from '../constructs/target-version';

/** KubeVirt version of the stack's cluster: `pulumi config set virt8s:kubevirtVersion 1.6`. */
const KEY = 'kubevirtVersion';

/**
 * Returns the context of constructs, with the KubeVirt version of the stack's configuration.
 *
 * @throws when the configuration is not a known version
 */
export function withTarget(context: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (keys.kubeVirtVersionContext in context) return context;
  const version = versionOfStack();
  return version === undefined ? context : { ...context, [keys.kubeVirtVersionContext]: version };
}

/** Applies the KubeVirt version of the stack's configuration to an app that has none. */
export function applyTarget(app: App): void {
  const version = versionOfStack();
  if (version !== undefined) applyDefaultTarget(app, version);
}

function versionOfStack(): string | undefined {
  const version = new pulumi.Config('virt8s').get(KEY);
  if (version !== undefined) requireTarget(version, `pulumi config virt8s:${KEY}`);
  return version;
}
