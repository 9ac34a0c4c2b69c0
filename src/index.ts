import * as constructs from './constructs';
import { checkCalls } from './constructs/signatures';

export * from './constructs';

checkCalls(constructs);
