import { createHash } from 'node:crypto';

/** The Pod's nftables table: its text, and whether what the kernel has is the same. Pure. */

const TABLE = 'virt8s';

/** Prints the table as JSON; fails when there is none. */
export const LIST_TABLE = `nft -j list table inet ${TABLE}`;

/** A base chain with its rules, as nft(8) writes them. */
export interface Chain {
  readonly name: string;
  readonly type: string;
  readonly hook: string;
  readonly priority: number;
  readonly rules: readonly string[];
}

/**
 * Each rule carries what it is made from as its comment: nft prints rules in other words than it reads them, and in
 * others in each version, but prints a comment as it was.
 */
const commentOf = (rule: string): string => createHash('sha256').update(rule).digest('hex').slice(0, 16);

/** Puts these chains in the place of the table's, in one transaction: no packet passes between, connections stay. */
export function replaceTable(chains: readonly Chain[]): string {
  return [
    // declared before it is deleted, so that deleting it succeeds the first time
    `table inet ${TABLE}`,
    `delete table inet ${TABLE}`,
    `table inet ${TABLE} {`,
    ...chains.flatMap(({ name, type, hook, priority, rules }) => [
      `  chain ${name} {`,
      `    type ${type} hook ${hook} priority ${priority};`,
      ...rules.map((rule) => `    ${rule} comment "${commentOf(rule)}"`),
      '  }',
    ]),
    '}',
  ].join('\n');
}

/** What `LIST_TABLE` prints. */
export interface ListedTable {
  readonly nftables: readonly {
    readonly chain?: { name: string; type?: string; hook?: string; prio?: number };
    readonly rule?: { chain: string; comment?: string };
  }[];
}

/** Whether the kernel has exactly these chains with exactly these rules in this order. */
export function hasTable(chains: readonly Chain[], listed: ListedTable | undefined): boolean {
  const items = listed?.nftables ?? [];
  const there = items.flatMap(({ chain }) => (chain ? [chain] : []));
  return (
    there.length === chains.length &&
    chains.every(({ name, type, hook, priority, rules }) => {
      const chain = there.find((candidate) => candidate.name === name);
      if (chain?.type !== type || chain.hook !== hook || chain.prio !== priority) return false;
      const comments = items.flatMap(({ rule }) => (rule?.chain === name ? [rule.comment] : []));
      return comments.length === rules.length && rules.every((rule, i) => comments[i] === commentOf(rule));
    })
  );
}
