/**
 * The protocol between virt-handler, virt-launcher and the kubelet.
 *
 * Messages and services are declared in the .proto files of this folder; `npx tsx scripts/generate-protocol.ts`
 * generates `XxxDefinition` (service) and `Xxx` (message: type, and value with encode and decode). All fields are optional.
 *
 * Serve:
 * ```ts
 * const server = new GrpcServer({ maxMessageBytes: 1 << 20 });
 * server.add(CmdDefinition, {
 *   ping: () => ({ success: true }), // a missing method answers UNIMPLEMENTED
 *   syncVirtualMachine: async ({ vmi, options }, { signal }) => {
 *     if (!vmi?.vmiJson) throw new GrpcError(GrpcStatus.INVALID_ARGUMENT, 'no VMI'); // any other exception: UNKNOWN
 *     return { success: true };
 *   },
 * });
 * server.add(DevicePluginDefinition, { async *listAndWatch() { yield { devices: [] }; } }); // server streaming
 * await server.listen('/var/run/kubevirt/sockets/launcher-sock', 0o600); // paths over 107 bytes: /proc/self/fd/<fd>/<name>
 * await server.close();
 * ```
 * Call:
 * ```ts
 * const client = new GrpcClient(path, { onDisconnect: () => reconnectAndResend() });
 * const cmd = client.service(CmdDefinition);
 * const { success, message } = await cmd.ping({}, { timeoutMs: 1_000 }); // GrpcError with code and details
 * for await (const { devices } of client.service(DevicePluginDefinition).listAndWatch({}, { signal })) use(devices);
 * client.close();
 * ```
 * This is gRPC over node:http2, for programs that talk to launchers. A launcher imports the same from `http2/grpc`, which
 * costs less memory (ARCHITECTURE.md has the measurements). Both are wire-compatible with grpc-js and with each other.
 */
export { GrpcClient, GrpcServer } from './nghttp2/grpc';
export type { Stub } from './grpc/client';
export type { Handlers } from './grpc/server';
export { GrpcError, GrpcStatus } from './grpc/status';
export type { ServiceDefinition } from './grpc/definition';

export * from './domain-state';
export * from './domain-stats';
export {
  CmdDefinition,
  type PodInterface,
  type Response as CmdResponse,
  type VirtualMachineOptions,
  type VMIRequest,
} from './generated/cmd';
export { NotifyDefinition } from './generated/notify';
export { NotifyInfoDefinition } from './generated/notify-info';
export {
  DevicePluginDefinition,
  RegistrationDefinition,
  type ContainerAllocateResponse,
  type Device,
  type ListAndWatchResponse,
  type RegisterRequest,
} from './generated/deviceplugin';
