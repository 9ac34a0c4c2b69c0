import { ApiObject, Chart, JsonPatch, Size } from 'cdk8s';
import type { Construct } from 'constructs';

/** An object as it is written. */
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

/** An object as it is: its name is the one that it is known by, never one that follows from the construct's path. */
export function objectOf(scope: Construct, id: string, object: Manifest): ApiObject {
  return new ApiObject(scope, id, object);
}

/** An object of the cluster. A chart that puts its objects into a namespace does not mean these. */
export function clusterObjectOf(scope: Construct, id: string, object: Manifest): ApiObject {
  const made = objectOf(scope, id, object);
  if (Chart.of(scope).namespace !== undefined) made.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  return made;
}

/** Without what is not said: a manifest tells what is meant. */
export function said<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** `2Gi`, `1500Mi`, `10Ki`: by the largest unit of which it is a whole number. */
export function quantityOf(size: Size): string {
  const kibibytes = size.toKibibytes();
  if (kibibytes % 1_048_576 === 0) return `${kibibytes / 1_048_576}Gi`;
  return kibibytes % 1024 === 0 ? `${kibibytes / 1024}Mi` : `${kibibytes}Ki`;
}
