import { tagKind } from '#search/server/opensearch/index.ts'
import type { UnindexedChanges } from '#search/server/unindexed-changes.ts'
import { heaviestOf, maxListed, weights, type Clause, type Filter, type Phrase, type EngineQuery } from '#search/server/engine.ts'

type Query = Record<string, unknown>

/** The request body of a question. */
export function searchBody({ clauses, phrases, manner, filter, order }: EngineQuery, changed: UnindexedChanges): Query {
  const needed = clauses.filter(({ isNeeded }) => isNeeded)
  // The names tell which clauses a hit satisfies.
  const score =
    manner !== 'some'
      ? [...clauses.map(worthOfClause), ...phrases.map(worthOfPhrase)]
      : heaviestOf(clauses).map((clause, index) => ({ bool: { must: [worthOfClause(clause)], _name: String(index) } }))
  const match =
    manner !== 'some' ? [...needed.map(hasClause), ...phrases.filter(({ isNeeded }) => isNeeded).map((one) => hasPhrase('words', one))] : []
  return {
    // One more than the limit shows that there are more.
    size: maxListed + 1,
    track_total_hits: false,
    _source: ['topicId', 'publishedAt'],
    query: {
      bool: {
        filter: [...facts(filter), ...match],
        must_not: forbidden(filter, changed),
        should: score,
        minimum_should_match: manner === 'some' ? 1 : 0,
      },
    },
    sort: [...(order === 'best' ? [{ _score: 'desc' }] : []), { publishedAt: 'desc' }, { key: 'desc' }],
  }
}

/** The request body for the number of entries with each token. A trailing star stands for a prefix. */
export function countBody(tokens: readonly string[]): Query {
  const filters = Object.fromEntries(
    tokens.map((token) => [token, token.endsWith('*') ? { prefix: { words: token.slice(0, -1) } } : { term: { words: token } }]),
  )
  return { size: 0, track_total_hits: true, ...(tokens.length > 0 && { aggs: { tokens: { filters: { filters } } } }) }
}

function facts({ scope, tagIds, authorId, kinds, since, until, hasPictures, ai }: Filter): Query[] {
  return [
    ...('only' in scope ? [{ terms: { tagId: scope.only } }] : []),
    ...(tagIds ? [{ terms: { kind: tagIds.map(tagKind) } }] : []),
    ...(authorId ? [{ term: { authorId } }] : []),
    ...(kinds ? [{ terms: { kind: kinds } }] : []),
    ...(hasPictures ? [{ term: { hasPictures: true } }] : []),
    ...(ai === 'only' ? [{ term: { kind: 'ai' } }] : []),
    ...(since ? [{ range: { publishedAt: { gte: since.getTime() } } }] : []),
    ...(until ? [{ range: { publishedAt: { lt: until.getTime() } } }] : []),
  ]
}

function forbidden({ scope, ai, without }: Filter, changed: UnindexedChanges): Query[] {
  return [
    ...without.map((one) => (one.isStart ? has('words', one.tokens[0]?.text ?? '', true) : hasPhrase('words', one))),
    ...('except' in scope && scope.except.length > 0 ? [{ terms: { tagId: scope.except } }] : []),
    ...(ai === 'without' ? [{ term: { kind: 'ai' } }] : []),
    ...(changed.keys.length > 0 ? [{ terms: { key: changed.keys } }] : []),
    ...(changed.topicIds.length > 0 ? [{ terms: { topicId: changed.topicIds } }] : []),
  ]
}

type Field = 'title' | 'words' | 'strong' | 'typed'

function hasClause({ anyOf }: Clause): Query {
  const ways = anyOf.map(({ token, within, isStart }) => has(within, token, isStart || within === 'typed'))
  return { bool: { should: ways, minimum_should_match: 1 } }
}

function has(field: Field, token: string, isStart: boolean): Query {
  return isStart ? { prefix: { [field]: token } } : { term: { [field]: token } }
}

function worthOfClause({ anyOf, weight, isNeeded }: Clause): Query {
  const words = anyOf.filter(({ within }) => within !== 'typed')
  const typed = anyOf.filter(({ within }) => within === 'typed')
  const one = (field: Field, atoms: Clause['anyOf']) =>
    atoms.map(({ token, isStart }) => counted(has(field, token, isStart), weights[field] * weight))
  return {
    dis_max: {
      queries: [...one('title', words), ...one('typed', typed), ...(isNeeded ? [...one('strong', words), ...one('words', words)] : [])],
    },
  }
}

function worthOfPhrase(phrase: Phrase): Query {
  return {
    dis_max: {
      queries: [
        counted(hasPhrase('title', phrase), weights.titlePhrase * phrase.weight),
        counted(hasPhrase('words', phrase), weights.phrase * phrase.weight),
      ],
    },
  }
}

function hasPhrase(field: 'title' | 'words', { tokens }: Pick<Phrase, 'tokens'>): Query {
  const gaps = tokens.reduce((sum, { at }, number) => sum + Math.max(0, at - (tokens[number - 1]?.at ?? at - 1) - 1), 0)
  return { match_phrase: { [field]: { query: tokens.map(({ text }) => text).join(' '), slop: gaps } } }
}

function counted(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost } }
}
