import type { Socket } from 'node:net';
import { TransportClient } from '../grpc/client';
import type { GrpcClientOptions } from '../grpc/client';
import { TransportServer } from '../grpc/server';
import type { GrpcServerOptions } from '../grpc/server';
import { http2 } from './connection';

/** gRPC over our own HTTP/2 implementation, for launchers. */

export class GrpcClient extends TransportClient {
  public constructor(to: string | (() => Socket), options?: GrpcClientOptions) {
    super(http2, to, options);
  }
}

export class GrpcServer extends TransportServer {
  public constructor(options?: GrpcServerOptions) {
    super(http2, options);
  }
}
