import { anyType, TypeSchema } from './type-schema';

/** Structure and merge semantics of a kind that Kubernetes itself defines. */
export function builtinSchema(_group: string, _version: string, _kind: string): TypeSchema | undefined {
  return anyType;
}
