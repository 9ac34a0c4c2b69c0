import * as pulumi from '@pulumi/pulumi';
import { ApiObject } from 'cdk8s';
import type { Instance } from './reading';

/** A manifest as `cdk8s synth` would write it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** Returns the fields of a manifest. The data of a Secret is marked as secret. */
export function plainFields(manifest: Manifest, fields: Record<string, unknown> = manifest): Record<string, unknown> {
  if (manifest.apiVersion !== 'v1' || manifest.kind !== 'Secret') return fields;
  const hidden = ['data', 'stringData'].filter((key) => key in fields);
  return { ...fields, ...Object.fromEntries(hidden.map((key) => [key, pulumi.secret(fields[key])])) };
}

/** Manifest of a construct. */
export interface ConstructManifest {
  readonly manifest: Manifest;
  readonly construct: ApiObject;
}

/** Returns the objects of a component, by the paths of their constructs. */
export function manifests({ chart, root }: Instance): Map<string, ConstructManifest> {
  const base = root === undefined || root === chart ? chart.node.path : root.node.path;
  const found = chart.node.findAll().filter((it): it is ApiObject => ApiObject.isApiObject(it));
  return new Map(
    found.map((construct) => {
      const below = construct.node.path.slice(base.length + 1);
      return [below.replace(/(^|\/)Resource$/, ''), { manifest: construct.toJson() as Manifest, construct }];
    }),
  );
}
