/** The subset of OpenSearch's query language that the application uses, as documented in its manual, for the fake server. */
export type Doc = Record<string, string | number | boolean | string[]>
export type Query = Record<string, unknown>
type Mapping = Record<string, { type: string }>
type Index = { mapping: Mapping; shown: ReadonlyMap<string, Doc> }
type Body = {
  query?: Query
  size?: number
  from?: number
  sort?: Record<string, string>[]
  _source?: string[] | boolean
  min_score?: number
}
type Hit = { _index: string; _id: string; _score: number | null; _source?: Doc; matched_queries?: string[] }

export function found(
  { mapping, shown }: Index,
  { query = { match_all: {} }, size = 10, from = 0, sort, _source = true, min_score = 0 }: Body,
): { hits: Hit[]; total: number } {
  const matched = [...shown]
    .map(([id, doc]) => ({ id, doc, score: scoreOf(query, doc, mapping) }))
    .flatMap(({ score, ...one }) => (score !== null && score >= min_score ? [{ ...one, score }] : []))
  const order = sort ?? [{ _score: 'desc' }]
  const valueOf = (one: (typeof matched)[number], field: string) => (field === '_score' ? one.score : plain(one.doc[field]))
  matched.sort((one, other) => {
    for (const by of order) {
      const [field = '', direction = 'asc'] = Object.entries(by)[0] ?? []
      if (field !== '_score' && mapping[field]?.type === 'text') throw new Error(`Text fields such as [${field}] cannot be sorted by`)
      const [a, b] = [valueOf(one, field), valueOf(other, field)]
      if (a !== b) return (a < b ? -1 : 1) * (direction === 'desc' ? -1 : 1)
    }
    return 0
  })
  const hasScore = order.some((by) => '_score' in by)
  const hits = matched.slice(from, from + size).map(({ id, doc, score }) => ({
    _index: 'forum',
    _id: id,
    _score: hasScore ? score : null,
    ...sourced(doc, _source),
    matched_queries: namesMatched(query, doc, mapping),
  }))
  return { hits, total: matched.length }
}

/** The names of all named queries within this one that the document matches. */
function namesMatched(query: Query, doc: Doc, mapping: Mapping): string[] {
  const [kind, content] = onlyOne(query)
  if (kind !== 'bool' || scoreOf(query, doc, mapping) === null) return []
  const { must = [], should = [], filter = [], _name } = content as Bool
  return [...(_name ? [_name] : []), ...[...must, ...should, ...filter].flatMap((one) => namesMatched(one, doc, mapping))]
}

function plain(value: Doc[string] | undefined): string | number {
  return typeof value === 'number' ? value : String(value)
}

function sourced(doc: Doc, fields: string[] | boolean): { _source?: Doc } {
  if (fields === true) return { _source: doc }
  if (fields === false) return {}
  return { _source: Object.fromEntries(Object.entries(doc).filter(([field]) => fields.includes(field))) }
}

type Aggregations = Record<string, { filters: { filters: Record<string, Query> } }>

export function aggregated(index: Index, query: Query | undefined, aggs: Aggregations): object {
  const docs = [...index.shown.values()].filter((doc) => scoreOf(query ?? { match_all: {} }, doc, index.mapping) !== null)
  const bucketsOf = (filters: Record<string, Query>) =>
    Object.fromEntries(
      Object.entries(filters).map(([name, filter]) => [
        name,
        { doc_count: docs.filter((doc) => scoreOf(filter, doc, index.mapping) !== null).length },
      ]),
    )
  return Object.fromEntries(Object.entries(aggs).map(([name, { filters }]) => [name, { buckets: bucketsOf(filters.filters) }]))
}

/** The score of a document for a query; null without a match. */
function scoreOf(query: Query, doc: Doc, mapping: Mapping): number | null {
  const [kind, content] = onlyOne(query)
  const evaluate = kinds[kind]
  if (!evaluate) throw new Error(`unknown query [${kind}]`)
  return evaluate(content as Query, doc, mapping)
}

type Evaluate = (content: Query, doc: Doc, mapping: Mapping) => number | null
type Bool = { must?: Query[]; filter?: Query[]; should?: Query[]; must_not?: Query[]; minimum_should_match?: number; _name?: string }

const kinds: Record<string, Evaluate> = {
  match_all: () => 1,
  bool: (content, doc, mapping) => boolScore(content, doc, mapping),
  constant_score: ({ filter, boost = 1 }, doc, mapping) => (scoreOf(filter as Query, doc, mapping) === null ? null : Number(boost)),
  dis_max({ queries }, doc, mapping) {
    const scores = (queries as Query[]).flatMap((query) => scoreOf(query, doc, mapping) ?? [])
    if ((queries as Query[]).length === 0) throw new Error(`[dis_max] requires 'queries' field with at least one clause`)
    return scores.length > 0 ? Math.max(...scores) : null
  },
  term: (content, doc, mapping) => termsMatch(content, doc, mapping, (terms, value) => terms.includes(String(value))),
  terms: (content, doc, mapping) =>
    termsMatch(content, doc, mapping, (terms, value) => (value as string[]).some((one) => terms.includes(one))),
  prefix: (content, doc, mapping) =>
    termsMatch(content, doc, mapping, (terms, value) => terms.some((term) => term.startsWith(String(value)))),
  match: (content, doc, mapping) =>
    termsMatch(content, doc, mapping, (terms, value) =>
      String(value)
        .split(/\s+/)
        .some((one) => terms.includes(one)),
    ),
  match_phrase: (content, doc, mapping) =>
    termsMatch(content, doc, mapping, (terms, value) => {
      const { query, slop = 0 } = (typeof value === 'string' ? { query: value } : value) as { query: string; slop?: number }
      return hasPhrase(terms, query.split(/\s+/), slop)
    }),
  range: (content, doc, mapping) => {
    const [field, limits] = onlyOne(content)
    known(field, mapping)
    const { gte = -Infinity, gt = -Infinity, lt = Infinity, lte = Infinity } = limits as Record<string, number>
    const value = Number(doc[field])
    return value >= gte && value > gt && value < lt && value <= lte ? 1 : null
  },
}

function boolScore(content: Bool, doc: Doc, mapping: Mapping): number | null {
  const { must = [], filter = [], should = [], must_not = [], _name, ...rest } = content
  const { minimum_should_match: least = must.length + filter.length > 0 ? 0 : Math.min(1, should.length) } = rest
  if (filter.some((one) => scoreOf(one, doc, mapping) === null)) return null
  if (must_not.some((one) => scoreOf(one, doc, mapping) !== null)) return null
  const needed = must.map((one) => scoreOf(one, doc, mapping))
  if (needed.includes(null)) return null
  const optionalScores = should.flatMap((one) => scoreOf(one, doc, mapping) ?? [])
  if (optionalScores.length < least) return null
  return [...needed, ...optionalScores].reduce<number>((sum, score) => sum + (score ?? 0), 0)
}

function termsMatch(content: Query, doc: Doc, mapping: Mapping, matches: (terms: string[], value: unknown) => boolean): number | null {
  const [field, value] = onlyOne(content)
  known(field, mapping)
  return doc[field] !== undefined && matches(termsOf(doc, field, mapping), value) ? 1 : null
}

/** A cache by document and field: documents are immutable. */
const termsAt = new WeakMap<Doc, Map<string, string[]>>()

function termsOf(doc: Doc, field: string, mapping: Mapping): string[] {
  const known = termsAt.get(doc) ?? new Map<string, string[]>()
  const terms = known.get(field) ?? split(doc[field], mapping[field]?.type === 'text')
  termsAt.set(doc, known.set(field, terms))
  return terms
}

function split(value: Doc[string] | undefined, isText: boolean): string[] {
  if (Array.isArray(value)) return value
  return isText ? String(value).split(/\s+/).filter(Boolean) : [String(value)]
}

function known(field: string, mapping: Mapping): null {
  if (!mapping[field]) throw new Error(`No mapping found for [${field}]`)
  return null
}

function hasPhrase(terms: string[], phrase: string[], slop: number): boolean {
  return terms.some((_, at) => {
    let [gaps, last] = [0, at - 1]
    for (const one of phrase) {
      const next = terms.indexOf(one, last + 1)
      if (next < 0) return false
      gaps += last < at ? next - at : next - last - 1
      last = next
    }
    return gaps <= slop
  })
}

function onlyOne(query: Query): [string, unknown] {
  const entries = Object.entries(query)
  const [entry] = entries
  if (!entry || entries.length !== 1) throw new Error(`[${Object.keys(query).join()}] malformed query, expected one field`)
  return entry
}
