type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'descend' }
  | { readonly kind: 'filter'; readonly left: string; readonly operator: string; readonly right: unknown };

const parsed = new Map<string, Step[]>();

/** Index after the end of the bracket that `text[start]` opens, respecting quotes. */
function closing(text: string, start: number): number {
  let quote = '';
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (quote) {
      if (char === '\\') i++;
      else if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return i;
  }
  throw new Error(`unterminated array in JSONPath ${JSON.stringify(text)}`);
}

function literal(text: string): unknown {
  const trimmed = text.trim();
  const quoted = /^(['"])(.*)\1$/.exec(trimmed);
  if (quoted) return quoted[2].replace(/\\(.)/g, '$1');
  if (trimmed === 'true') return true;
  if (trimmed === 'false') return false;
  return trimmed !== '' && !Number.isNaN(Number(trimmed)) ? Number(trimmed) : trimmed;
}

function bracket(inside: string): Step {
  const text = inside.trim();
  if (text === '*') return { kind: 'all' };
  const filter = /^\?\(\s*@([^=!<>]*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*\)$/.exec(text);
  if (filter) {
    return { kind: 'filter', left: filter[1], operator: filter[2] ?? 'exists', right: literal(filter[3] ?? '') };
  }
  if (/^-?\d+$/.test(text)) return { kind: 'index', at: Number(text) };
  const slice = /^(-?\d*):(-?\d*)$/.exec(text);
  if (slice) {
    return {
      kind: 'slice',
      from: slice[1] ? Number(slice[1]) : undefined,
      to: slice[2] ? Number(slice[2]) : undefined,
    };
  }
  return { kind: 'field', name: String(literal(text)) };
}

/** Parses a JSONPath. @throws Error if the text is not valid */
function parseJsonPath(text: string): Step[] {
  const steps: Step[] = [];
  let i = text.startsWith('$') ? 1 : 0;
  while (i < text.length) {
    if (text[i] === '[') {
      const end = closing(text, i);
      steps.push(bracket(text.slice(i + 1, end)));
      i = end + 1;
      continue;
    }
    if (text[i] === '.') {
      i++;
      if (text[i] === '.') {
        steps.push({ kind: 'descend' });
        i++;
      }
      if (text[i] === '[') continue;
    }
    let name = '';
    while (i < text.length && text[i] !== '.' && text[i] !== '[') {
      if (text[i] === '\\' && i + 1 < text.length) i++;
      name += text[i++];
    }
    if (name === '*') steps.push({ kind: 'all' });
    else if (name) steps.push({ kind: 'field', name });
  }
  return steps;
}

function descendants(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(descendants)];
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  switch (operator) {
    case '==':
      return left === right || String(left) === String(right);
    case '!=':
      return String(left) !== String(right);
    case '<':
      return (left as number) < (right as number);
    case '<=':
      return (left as number) <= (right as number);
    case '>':
      return (left as number) > (right as number);
    default:
      return (left as number) >= (right as number);
  }
}

function step(values: unknown[], at: Step): unknown[] {
  switch (at.kind) {
    case 'descend':
      return values.flatMap(descendants);
    case 'field':
      return values.flatMap((value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
        return Object.hasOwn(value, at.name) ? [(value as Record<string, unknown>)[at.name]] : [];
      });
    case 'index':
      return values.flatMap((value) => {
        const found = Array.isArray(value) ? value.at(at.at) : undefined;
        return found === undefined ? [] : [found];
      });
    case 'slice':
      return values.flatMap((value) => (Array.isArray(value) ? value.slice(at.from, at.to) : []));
    case 'all':
      return values.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    case 'filter':
      return values
        .flatMap((value) => (Array.isArray(value) ? value : []))
        .filter((item) => {
          const [found] = evaluate(parse(at.left), item);
          if (at.operator === 'exists') return found !== undefined;
          return found !== undefined && compare(found, at.operator, at.right);
        });
  }
}

function evaluate(steps: Step[], value: unknown): unknown[] {
  return steps.reduce<unknown[]>((values, at) => step(values, at), [value]);
}

function parse(text: string): Step[] {
  let steps = parsed.get(text);
  if (!steps) parsed.set(text, (steps = parseJsonPath(text)));
  return steps;
}

/** Values that match a JSONPath (`.status.conditions[?(@.type=='Ready')].status`). */
export function evaluateJsonPath(text: string, value: unknown): unknown[] {
  return evaluate(parse(text), value);
}
