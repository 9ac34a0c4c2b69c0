import { Store } from '../../store/store';
import { AnyObject } from '../../types';
import { Attributes, forbid, Plugin } from '../admission';
import { affectsQuota, checkQuota } from './check';
import { withStatus } from './status';
import { evaluatorOf } from './usage';

/**
 * Rejects writes above the quotas of their namespace, and adds what it admits to the usage of the quotas. It runs last:
 * nothing waits between its check and the write, so that concurrent writes cannot exceed a quota together.
 */
export class QuotaPlugin implements Plugin {
  public readonly name = 'ResourceQuota';

  public constructor(private readonly store: Store) {}

  public validate(attributes: Attributes): void {
    const { kind, subresource, namespace, operation, object, oldObject, dryRun } = attributes;
    if (!namespace || !object || operation === 'DELETE') return;
    if (subresource && !(subresource === 'resize' && kind.plural === 'pods')) return;
    if (!subresource && !affectsQuota(kind.plural, operation, object, oldObject)) return;
    const quotas = [...this.store.list({ resource: '/resourcequotas', namespace })];
    if (!quotas.length) return;
    const evaluator = evaluatorOf(kind.group, kind.plural);
    if (!evaluator) return;
    const charged: AnyObject[] = [];
    for (const quota of quotas) {
      const verdict = checkQuota(quota, evaluator, { object, oldObject, now: Date.now() });
      if (!verdict) continue;
      if ('rejection' in verdict) throw forbid(attributes, verdict.rejection);
      charged.push(withStatus(quota, { ...quota.status, used: verdict.used }, 'kube-apiserver'));
    }
    if (dryRun) return;
    // The write that follows has the same commit and reports its failure.
    this.store.stage(() => {
      for (const quota of charged) {
        const key = { resource: '/resourcequotas', namespace, name: quota.metadata.name! };
        this.store.update(key, quota, quota.metadata.resourceVersion!);
      }
    });
  }
}
