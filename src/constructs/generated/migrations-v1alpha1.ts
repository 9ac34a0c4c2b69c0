// Generated from api/schema/migrations.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { MigrationPolicy } from '../../api/generated/migrations-v1alpha1';
import { clusterScoped } from '../cluster-scoped';
import type { ObjectProps } from './props';

/** Settings of live migrations for selected VMs. If several policies match, the one with the most matching labels applies, then the first by name. Belongs to the cluster, not to a namespace. */
export class MigrationPolicyObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<MigrationPolicy>) {
    super(scope, id, { ...props, apiVersion: 'migrations.kubevirt.io/v1alpha1', kind: 'MigrationPolicy' });
    clusterScoped(this);
  }
}
