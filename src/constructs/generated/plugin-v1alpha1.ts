// Generated from api/schema/plugin.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Plugin } from '../../api/generated/plugin-v1alpha1';
import { clusterScoped } from '../cluster-scoped';
import type { ObjectProps } from './props';

/** An extension: hooks, and the admission objects that belong to it. Belongs to the cluster, not to a namespace. */
export class PluginObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<Plugin>) {
    super(scope, id, { ...props, apiVersion: 'plugin.kubevirt.io/v1alpha1', kind: 'Plugin' });
    clusterScoped(this);
  }
}
