/** The types that ts-proto generates for a message (`encode`, `decode`) and a service (`generic-definitions`). */

export interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

export interface MethodDefinition {
  readonly name: string;
  // invariant in the message, so `any` is the only type that all methods have
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly requestType: MessageType<any>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly responseType: MessageType<any>;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

export interface ServiceDefinition {
  readonly fullName: string;
  readonly methods: { readonly [name: string]: MethodDefinition };
}

export type RequestOf<M extends MethodDefinition> = M['requestType'] extends MessageType<infer T> ? T : never;
export type ResponseOf<M extends MethodDefinition> = M['responseType'] extends MessageType<infer T> ? T : never;

/** HTTP/2 path of a method. */
export function pathOf(service: ServiceDefinition, method: MethodDefinition): string {
  return `/${service.fullName}/${method.name}`;
}
