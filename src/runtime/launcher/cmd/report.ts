import type { DomainState } from '../../protocol';
import { boundState } from '../../protocol/bounds';

/** Encodes a domain's state for the handler: JSON that always fits into a message. */
export const reportOf = (state: DomainState): string => JSON.stringify(boundState(state));
