import { IConstruct } from 'constructs';
import { clusterConfig, ClusterConfig } from '../api/cluster-config';
import { describe, FieldError } from '../api/field-error';
import type { KubeVirtConfiguration } from '../api/generated/kubevirt-v1';

/**
 * Construct context that holds the `spec.configuration` of the KubeVirt object that the manifests are for, so that
 * synth judges by the same feature gates and machine types as that cluster's webhook.
 */
export const CONFIGURATION_CONTEXT = 'virt8s.io/configuration';

/** The configuration that rules are judged by: from the context, else the platform's defaults. */
export function configurationOf(scope: IConstruct): ClusterConfig {
  const configuration = scope.node.tryGetContext(CONFIGURATION_CONTEXT) as KubeVirtConfiguration | undefined;
  return clusterConfig({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: {}, spec: { configuration } });
}

/** The property in the user's code that makes a field of the manifest, if one does. */
export type Locate = (field: string) => string | undefined;

/** Every mistake with its remedy, one below the other: the property in the code, then the field in the manifest. */
export function explain(errors: readonly FieldError[], locate: Locate = () => undefined): string[] {
  return errors.map((error) => {
    const { remedy, rule } = error;
    const property = locate(`${error.path}`);
    const where = property === undefined ? `${error.path}` : `${property} (${error.path})`;
    const what = describe(error);
    return `${where}: ${what.slice(0, what.length - remedy.length - 2)}\n  ${remedy} [${rule}]`;
  });
}

/** @throws one error that tells all mistakes, headed by the construct's path */
export function throwIfInvalid(scope: IConstruct, errors: readonly FieldError[], locate?: Locate): void {
  if (errors.length === 0) return;
  const lines = explain(errors, locate);
  const head =
    lines.length === 1 ? scope.node.path : `${scope.node.path}: ${lines.length} mistakes\n${scope.node.path}`;
  const error = new Error(lines.map((line, i) => `${i === 0 ? head : scope.node.path}: ${line}`).join('\n'));
  error.name = 'ValidationError';
  throw error;
}
