import type { Collections } from './collections';
import type { GuestConnection } from './connection';

/** What a client has once it knows where its cluster is. */
export interface Session {
  readonly connection: GuestConnection;
  readonly collections: Collections;
}
