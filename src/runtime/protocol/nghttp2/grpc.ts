import type { Socket } from 'node:net';
import { TransportClient } from '../grpc/client';
import type { GrpcClientOptions } from '../grpc/client';
import { TransportServer } from '../grpc/server';
import type { GrpcServerOptions } from '../grpc/server';
import type { Rate } from '../rate';
import type { Transport } from '../transport';
import { nghttp2 } from './connection';
import { Meter, MeteredSocket } from './metered';

/** gRPC over node:http2: for programs whose peers may be hostile. */

interface Limited {
  /** Bytes per second that are read from the peer, over all its connections; a faster peer waits. @default unlimited */
  readonly readRate?: Rate;
}

export class GrpcClient extends TransportClient {
  public constructor(to: string | (() => Socket), options: GrpcClientOptions & Limited = {}) {
    super(over(options), to, options);
  }
}

export class GrpcServer extends TransportServer {
  public constructor(options: GrpcServerOptions & Limited = {}) {
    super(over(options), options);
  }
}

function over({ readRate }: Limited): Transport {
  if (!readRate) return nghttp2;
  const meter = new Meter(readRate);
  return (socket, role, handlers) => nghttp2(new MeteredSocket(socket, meter), role, handlers);
}
