import type { Block, Doc } from '#base/rich-text/document.ts'
import {
  kinds,
  type Kind,
  type Page,
  type Range,
  type Reader,
  type SourceComment,
  type SourceMember,
  type SourceRows,
  type SourceThread,
} from '#importer/server/source.ts'

export type Community = { [K in Kind]?: readonly SourceRows[K][] }

type ReaderOptions = Partial<Reader> & { perPage?: number }

/** A reader of rows that a test made, in pages of two if not told otherwise, so that everything crosses pages. Its marks are the numbers of rows. */
export function aReader(community: Community, { perPage = 2, ...its }: ReaderOptions = {}): Reader {
  const rowsOf = <K extends Kind>(kind: K): readonly SourceRows[K][] => community[kind] ?? []
  async function* pagesOf<K extends Kind>(kind: K, after: string | null, since: string | null): AsyncGenerator<Page<SourceRows[K]>> {
    const rows = rowsOf(kind)
    for (let at = Number(after ?? since ?? 0); at < rows.length; at += perPage)
      yield { rows: rows.slice(at, at + perPage), cursor: String(Math.min(at + perPage, rows.length)) }
  }
  return {
    program: 'phpbb',
    version: '3.3',
    title: 'Old teahouse',
    origins: ['https://old.example/forum/'],
    credits: [],
    hasFloors: false,
    addressRules: {},
    staff: () => Promise.resolve([]),
    count: (kind) => Promise.resolve(rowsOf(kind).length),
    marks: () => Promise.resolve(Object.fromEntries(kinds.map((kind) => [kind, String(rowsOf(kind).length)]))),
    rows: readAll((kind, { after, since }) => pagesOf(kind, after, since)),
    bytesOf: () => Promise.resolve(null),
    close: () => Promise.resolve(),
    ...its,
  }
}

export function aSourceMember(id: string, name: string, its: Partial<SourceMember> = {}): SourceMember {
  return {
    id,
    name,
    email: null,
    password: null,
    joinedAt: new Date('2020-01-01T00:00:00Z'),
    lastSeenAt: null,
    avatar: null,
    groups: [],
    bans: [],
    credits: {},
    fields: {},
    about: '',
    ...its,
  }
}

export function bodyOf(...content: (string | Block)[]) {
  const blocks = content.map((one): Block =>
    typeof one === 'string' ? { type: 'paragraph', content: [{ type: 'text', text: one }] } : one,
  )
  return { document: { type: 'doc', content: blocks } satisfies Doc, notes: [] }
}

export const minute = (number: number) => new Date(Date.UTC(2021, 0, 1, 0, number))

function aPost(id: string, memberId: string, at: number) {
  return {
    id,
    author: { memberId },
    body: bodyOf(`text of ${id}`),
    publishedAt: minute(at),
    editedAt: null,
    state: 'published' as const,
    fileIds: [],
  }
}

export function aSourceThread(id: string, its: Partial<SourceThread> = {}, opening: Partial<SourceThread['opening']> = {}): SourceThread {
  return {
    id,
    tagId: '2',
    kind: 'topic',
    title: `Thread ${id}`,
    opening: { ...aPost(`opening-${id}`, '1', 0), ...opening },
    pin: 0,
    isLocked: false,
    isFeatured: false,
    views: 7,
    tags: [],
    poll: null,
    bounties: [],
    ...its,
  }
}

export function aSourceComment(id: string, threadId: string, at: number, its: Partial<SourceComment> = {}): SourceComment {
  return { ...aPost(id, '2', at), threadId, number: null, answersId: null, belowId: null, ...its }
}

/** A tag at the top and one below it. */
export const twoTags: Community['tags'] = [
  { id: '1', parentId: null, name: '茶', description: '', order: 0, readers: 'everybody', writers: 'members' },
  { id: '2', parentId: '1', name: '绿茶', description: 'Green ones', order: 1, readers: 'everybody', writers: 'members' },
]

type ReadKind = <K extends Kind>(kind: K, range: Range) => AsyncGenerator<Page<SourceRows[K]>>

function readAll(read: ReadKind): Reader['rows'] {
  const entries = kinds.map((kind) => [kind, (range: Range) => read(kind, range)])
  return Object.fromEntries(entries)
}
