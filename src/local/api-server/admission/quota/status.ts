import { clone } from '../../json/values';
import { updateManagedFields } from '../../patch';
import { anyType, builtinSchema } from '../../schema';
import { AnyObject } from '../../types';

/** A copy of the quota with another status, written by `manager`. */
export function withStatus(quota: AnyObject, status: Record<string, unknown>, manager: string): AnyObject {
  return updateManagedFields({
    live: quota,
    next: { ...clone(quota), status },
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    subresource: 'status',
    schema: builtinSchema('', 'v1', 'ResourceQuota') ?? anyType,
    resetFields: ['spec'],
    now: new Date(),
  }) as AnyObject;
}
