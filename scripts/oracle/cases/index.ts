import { JsonSchema } from '../../../src/local/api-server/schema';
import { Operation } from '../model';
import { apply } from './apply';
import { defaults } from './defaults';
import { rules } from './rules';
import { validation } from './validation';

/** One CRD, and objects of it, each with the requests that are sent about it in order. */
export interface Scenario {
  name: string;
  schema: JsonSchema;
  /** Whether the kind has a status subresource. */
  status?: boolean;
  objects: Record<string, Operation[]>;
}

export const scenarios: Scenario[] = [...validation, ...defaults, ...rules, ...apply];
