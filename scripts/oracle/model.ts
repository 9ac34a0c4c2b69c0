/** Our side of the comparison: one custom resource, through the same steps as the API server takes a request. */
import {
  ConflictError,
  jsonPatch,
  keepTimesIfUnchanged,
  mergePatch,
  PatchError,
  serverSideApply,
  updateManagedFields,
} from '../../src/local/api-server/patch';
import { Cause, JsonSchema } from '../../src/local/api-server/schema';
import { compileCrdSchema, CrdSchema } from '../../src/local/api-server/crd/schema/compile';
import { KubeObject } from '../../src/api/meta';
import { Answer } from './server';

export type Operation =
  | { do: 'create' | 'update'; object: object; manager?: string }
  | { do: 'apply'; object: object; manager: string; force?: boolean }
  | { do: 'merge' | 'json'; patch: unknown; manager?: string }
  | { do: 'updateStatus' | 'applyStatus'; object: object; manager?: string; force?: boolean };

export class Model {
  private readonly crd: CrdSchema;
  private live?: KubeObject;

  public constructor(
    schema: JsonSchema,
    private readonly apiVersion: string,
    private readonly kind: string,
    private readonly hasStatus = false,
  ) {
    this.crd = compileCrdSchema(schema);
  }

  public send(op: Operation, now: Date): Answer {
    try {
      const code = op.do === 'create' || (op.do === 'apply' && !this.live) ? 201 : 200;
      const object = this.perform(op, now);
      this.live = object;
      return { code, body: object as unknown as Answer['body'] };
    } catch (error) {
      if (error instanceof Invalid) return { code: 422, body: { causes: error.causes } };
      if (error instanceof ConflictError || error instanceof PatchError)
        return {
          code: error.code,
          body: { message: error.message, ...('causes' in error ? { causes: error.causes } : {}) },
        };
      throw error;
    }
  }

  private perform(op: Operation, now: Date): KubeObject {
    const { live } = this;
    const subresource = op.do === 'updateStatus' || op.do === 'applyStatus' ? 'status' : undefined;
    const resetFields = subresource ? ['metadata', 'spec'] : this.hasStatus ? ['status'] : [];
    const common = { apiVersion: this.apiVersion, subresource, schema: this.crd.typeSchema, resetFields, now };
    let next: KubeObject;
    if (op.do === 'apply' || op.do === 'applyStatus') {
      const config = structuredClone(op.object);
      const { manager = 'oracle', force } = op;
      next = serverSideApply({ ...common, live, config, manager, force, kind: this.kind }).object as KubeObject;
      this.crd.applyDefaults(next);
    } else {
      const sent = this.requested(op);
      this.decode(sent);
      if (live) sent.metadata = { ...sent.metadata, ...identity(live) };
      next = updateManagedFields({
        ...common,
        live,
        next: sent,
        manager: op.manager ?? 'oracle',
        operation: 'Update',
      }) as KubeObject;
    }
    if (!live) next = { ...next, metadata: { ...next.metadata, uid: 'u' } };
    this.prepare(next, subresource);
    const causes = this.crd.validate(next, live, subresource);
    if (causes.length > 0) throw new Invalid(causes);
    this.crd.prune(next);
    return live ? keepTimesIfUnchanged(live, next) : next;
  }

  private requested(op: Extract<Operation, { object: object } | { patch: unknown }>): KubeObject {
    if ('object' in op) return structuredClone(op.object) as KubeObject;
    return (op.do === 'json' ? jsonPatch(this.live, op.patch) : mergePatch(this.live, op.patch)) as KubeObject;
  }

  private decode(object: KubeObject): void {
    this.crd.prune(object);
    this.crd.applyDefaults(object);
  }

  /** A write through one endpoint leaves the other's part as it is. */
  private prepare(next: KubeObject, subresource: string | undefined): void {
    if (!this.hasStatus) return;
    const target = next as KubeObject & { status?: unknown };
    const stored = this.live as (KubeObject & { status?: unknown }) | undefined;
    if (!subresource) {
      if (stored && 'status' in stored) target.status = stored.status;
      else delete target.status;
      return;
    }
    for (const key of Object.keys(next))
      if (!['metadata', 'status'].includes(key)) delete (next as unknown as Record<string, unknown>)[key];
    const { status: _, ...rest } = stored ?? ({} as Record<string, unknown>);
    Object.assign(next, rest, { metadata: { ...stored?.metadata, managedFields: next.metadata.managedFields } });
  }
}

const identity = ({ metadata: { uid, resourceVersion } }: KubeObject) => ({
  uid,
  ...(resourceVersion ? { resourceVersion } : {}),
});

class Invalid extends Error {
  public constructor(public readonly causes: Cause[]) {
    super(causes.map((c) => `${c.field}: ${c.message}`).join('; '));
  }
}
