import type { ListedTable } from '../../../../../src/runtime/handler/network/nft';

/** Output of nft after it has read this text: the rules in its own notation, with their comments. */
export function listedBy(text: string): ListedTable {
  let chain = '';
  const items = text.split('\n').flatMap((line): ListedTable['nftables'] => {
    const name = /^ {2}chain (\w+)/.exec(line)?.[1];
    const [, type, hook, prio] = /type (\w+) hook (\w+) priority (-?\d+);/.exec(line) ?? [];
    const comment = /comment "(\w+)"$/.exec(line)?.[1];
    chain = name ?? chain;
    if (type) return [{ chain: { name: chain, type, hook, prio: Number(prio) } }];
    return comment ? [{ rule: { chain, comment } }] : [];
  });
  return { nftables: [{}, ...items] };
}
