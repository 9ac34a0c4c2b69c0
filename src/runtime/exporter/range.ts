/** Ranges of requests (RFC 9110, section 14). Pure. */

/** First and last byte. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface RangeQuestion {
  readonly range?: string;
  /** `If-Range`: the range is ignored if the content has another ETag. */
  readonly ifRange?: string;
  /** With quotes. */
  readonly etag: string;
  readonly unit: string;
  readonly size: number;
}

/** The requested range; `unsatisfiable`; or undefined for everything, also if the header cannot be used. */
export function rangeOf({ range, ifRange, etag, unit, size }: RangeQuestion): Range | 'unsatisfiable' | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, given, first = '', last = ''] = /^(\w+)=(\d*)-(\d*)$/.exec(range) ?? [];
  if (given !== unit || first + last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (!Number.isSafeInteger(start) || Number.isNaN(end)) return 'unsatisfiable';
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start <= end ? { start, end } : 'unsatisfiable';
}
