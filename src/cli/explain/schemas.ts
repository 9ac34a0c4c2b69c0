/** Schema files with descriptions, which the validators' data lacks. Only `explain` loads them. */
import backup from '../../../api/schema/backup.kubevirt.io_v1alpha1.json';
import cdi from '../../../api/schema/cdi.kubevirt.io_v1beta1.json';
import clone from '../../../api/schema/clone.kubevirt.io_v1beta1.json';
import core from '../../../api/schema/core_v1.json';
import exported from '../../../api/schema/export.kubevirt.io_v1.json';
import forklift from '../../../api/schema/forklift.cdi.kubevirt.io_v1beta1.json';
import instancetype from '../../../api/schema/instancetype.kubevirt.io_v1beta1.json';
import kubevirt from '../../../api/schema/kubevirt.io_v1.json';
import meta from '../../../api/schema/meta_v1.json';
import migrations from '../../../api/schema/migrations.kubevirt.io_v1alpha1.json';
import plugin from '../../../api/schema/plugin.kubevirt.io_v1alpha1.json';
import pool from '../../../api/schema/pool.kubevirt.io_v1beta1.json';
import snapshot from '../../../api/schema/snapshot.kubevirt.io_v1beta1.json';
import template from '../../../api/schema/template.kubevirt.io_v1beta1.json';
import upload from '../../../api/schema/upload.cdi.kubevirt.io_v1beta1.json';
import type { SchemaName } from '../../api/generated/schemas';

/** Schema keywords that `explain` prints. */
export interface FieldSchema {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly additionalProperties?: boolean | FieldSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly 'x-enum'?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-kind'?: { readonly plural: string; readonly shortNames?: readonly string[] };
}

export interface SchemaFile {
  /** Prefix of a `$ref` from another file: `kubevirt.io_v1`. */
  readonly name: string;
  readonly definitions: Readonly<Record<string, FieldSchema>>;
}

const files = {
  'kubevirt.io_v1': kubevirt,
  'instancetype.kubevirt.io_v1beta1': instancetype,
  'pool.kubevirt.io_v1beta1': pool,
  'snapshot.kubevirt.io_v1beta1': snapshot,
  'clone.kubevirt.io_v1beta1': clone,
  'export.kubevirt.io_v1': exported,
  'migrations.kubevirt.io_v1alpha1': migrations,
  'backup.kubevirt.io_v1alpha1': backup,
  'plugin.kubevirt.io_v1alpha1': plugin,
  'template.kubevirt.io_v1beta1': template,
  'cdi.kubevirt.io_v1beta1': cdi,
  'upload.cdi.kubevirt.io_v1beta1': upload,
  'forklift.cdi.kubevirt.io_v1beta1': forklift,
  core_v1: core,
  meta_v1: meta,
} satisfies Record<SchemaName, unknown>;

export const schemaFiles: readonly SchemaFile[] = Object.entries(files).map(([name, file]) => ({
  name,
  definitions: file.definitions as unknown as Record<string, FieldSchema>,
}));
