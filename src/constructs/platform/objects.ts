import { ApiObject, Chart, JsonPatch, Size } from 'cdk8s';
import type { Construct } from 'constructs';

/** Kubernetes object as it is written. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: { [name: string]: string };
    readonly annotations?: { [name: string]: string };
  };
  readonly [field: string]: unknown;
}

/** Labels that every object of an installation has. */
export const PLATFORM_LABELS = { 'kubevirt.io': '' } as const;

/** Creates an object with exactly this name, which other components rely on; the name is never generated. */
export function objectOf(scope: Construct, id: string, object: Manifest): ApiObject {
  return new ApiObject(scope, id, object);
}

/** Creates a cluster-scoped object, without the namespace that its chart may add. */
export function clusterObjectOf(scope: Construct, id: string, object: Manifest): ApiObject {
  const made = objectOf(scope, id, object);
  if (Chart.of(scope).namespace !== undefined) made.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  return made;
}

/** Formats a size in the largest unit without a fraction: `2Gi`, `1500Mi`, `10Ki`. */
export function quantityOf(size: Size): string {
  const kibibytes = size.toKibibytes();
  if (kibibytes % 1_048_576 === 0) return `${kibibytes / 1_048_576}Gi`;
  return kibibytes % 1024 === 0 ? `${kibibytes / 1024}Mi` : `${kibibytes}Ki`;
}
