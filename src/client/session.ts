import type { Collections } from './collections';
import type { GuestConnection } from './connection';

/** Open connection of a client. */
export interface Session {
  readonly connection: GuestConnection;
  readonly collections: Collections;
}
