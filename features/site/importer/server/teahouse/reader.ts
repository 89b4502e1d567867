import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { kinds, type Kind, type Page, type Range, type Reader, type SourceBody, type SourceRows } from '#importer/server/source.ts'
import { filesIn } from '#importer/server/tables/source-files.ts'
import { endSchema, fileNameOf, manifestSchema, rowSchemas, type Manifest } from '#importer/server/teahouse/format.ts'
import { linesOf } from '#importer/server/teahouse/lines.ts'

const rowsPerPage = 200
/** The writer needs all of them at once. */
const wholeKinds: readonly Kind[] = ['groups', 'tags']

/** Opens an exported community. All of it is read once before: nothing is written of one that is cut or was changed by hand. */
export async function openTeahouse(folder: string): Promise<Reader> {
  const manifest = await manifestIn(folder)
  for (const kind of kinds) await assertWhole(folder, kind, manifest)
  const { madeAt, counts, highestIds, title, address, version } = manifest
  return {
    program: 'teahouse',
    version,
    title,
    origins: address === null ? [] : [`${address}/`],
    credits: [{ id: 'points', name: 'Points' }],
    money: { credit: 'cny', centsPerUnit: 1 },
    same: { highestIds },
    hasFloors: true,
    addressRules: {},
    staff: () => Promise.resolve([]),
    count: (kind) => Promise.resolve(counts[kind]),
    marks: () => Promise.resolve({}),
    rows: rowsIn((kind, range) => pagesIn(folder, kind, madeAt, range)),
    bytesOf: (path) => filesIn(folder).bytesOf(path),
    close: () => Promise.resolve(),
  }
}

type ReadKind = <K extends Kind>(kind: K, range: Range) => AsyncGenerator<Page<SourceRows[K]>>

function rowsIn(read: ReadKind): Reader['rows'] {
  return Object.fromEntries(kinds.map((kind) => [kind, (range: Range) => read(kind, range)])) as Reader['rows']
}

/** The first line of every file, which is the same in all but for the kind. */
async function manifestIn(folder: string): Promise<Manifest> {
  const found = new Map<string, Manifest>()
  for (const kind of kinds) {
    const manifest = await firstLineOf(folder, kind)
    if (manifest.kind !== kind) throw half(folder, `${fileNameOf(kind)} holds ${manifest.kind}`)
    found.set(manifest.madeAt, manifest)
  }
  const [manifest, ...others] = found.values()
  if (!manifest || others.length > 0) throw half(folder, 'Its files are of several exports')
  return manifest
}

async function firstLineOf(folder: string, kind: Kind): Promise<Manifest> {
  const path = join(folder, fileNameOf(kind))
  if (!(await stat(path).catch(() => null))) throw half(folder, `It has no ${fileNameOf(kind)}`)
  for await (const { text } of linesOf(path)) {
    const parsed = manifestSchema.safeParse(fromJson(text))
    if (parsed.success) return parsed.data
    const { format } = z.object({ format: z.int() }).catch({ format: 0 }).parse(fromJson(text))
    if (format > 1) throw new CannotStart(`The export in ${folder} is of a newer Teahouse. Import it with that version.`)
    break
  }
  throw half(folder, `${fileNameOf(kind)} does not begin as an export does`)
}

/** Reads a file to its end. */
async function assertWhole(folder: string, kind: Kind, { counts }: Manifest): Promise<void> {
  let [rows, isEnded] = [-1, false]
  for await (const { text } of linesOf(join(folder, fileNameOf(kind)))) {
    if (isEnded) throw half(folder, `${fileNameOf(kind)} goes on behind its end`)
    const value = fromJson(text)
    const end = endSchema.safeParse(value)
    isEnded = end.success && end.data.end === kind && end.data.rows === rows
    if (!isEnded && ++rows > 0) await assertRow(folder, kind, value, rows)
  }
  if (!isEnded || rows !== counts[kind]) throw half(folder, `${fileNameOf(kind)} ends before its time`)
}

async function assertRow(folder: string, kind: Kind, value: unknown, number: number): Promise<void> {
  const parsed = rowSchemas[kind].safeParse(value)
  const [fault] = parsed.error?.issues ?? []
  if (!parsed.success)
    throw half(folder, `Line ${number + 1} of ${fileNameOf(kind)} is not as it was written: ${fault?.path.join('.')}: ${fault?.message}`)
  const { data } = parsed
  const path = 'path' in data ? data.path : 'avatar' in data ? data.avatar : null
  if (path !== null && !(await stat(join(folder, path)).catch(() => null))) throw half(folder, `It has no ${path}`)
}

function half(folder: string, why: string): CannotStart {
  return new CannotStart(`The export in ${folder} is not whole. ${why}. Nothing of it was imported.`)
}

async function* pagesIn<K extends Kind>(folder: string, kind: K, madeAt: string, { after }: Range): AsyncGenerator<Page<SourceRows[K]>> {
  const begin = after === null ? null : placeIn(after, madeAt)
  let [rows, next, isFirst]: [SourceRows[K][], number, boolean] = [[], begin ?? 0, begin === null]
  for await (const line of linesOf(join(folder, fileNameOf(kind)), begin ?? 0)) {
    const value = fromJson(line.text)
    if (!isFirst && !endSchema.safeParse(value).success) rows.push(asRow(rowSchemas[kind].parse(value) as SourceRows[K]))
    ;[next, isFirst] = [line.next, false]
    if (rows.length < rowsPerPage || wholeKinds.includes(kind)) continue
    yield { rows, cursor: `${madeAt} ${next}` }
    rows = []
  }
  if (rows.length > 0) yield { rows, cursor: `${madeAt} ${next}` }
}

/** The place of a cursor, which is one in the export that it was made of. */
function placeIn(cursor: string, madeAt: string): number {
  const [made, place] = cursor.split(' ')
  if (made === madeAt && place !== undefined) return Number(place)
  throw new CannotStart(
    `The import stopped in an export of ${made}, and this one is of ${madeAt}. Go on with that one, or undo it and begin anew.`,
  )
}

function asRow<T extends SourceRows[Kind]>(row: T): T {
  if ('opening' in row) return { ...row, opening: { ...row.opening, body: withoutLocked(row.opening.body) } }
  return 'threadId' in row && 'body' in row ? { ...row, body: withoutLocked(row.body) } : row
}

/** Nobody shall pay for a part whose text did not come: a lock stands where it was. */
function withoutLocked(body: SourceBody): SourceBody {
  const content = body.document.content.map((block): Block => {
    const isLocked = block.type === 'hidden' && !block.content
    return isLocked ? { type: 'paragraph', content: [{ type: 'text', text: '🔒' }] } : block
  })
  return { ...body, document: { type: 'doc', content } satisfies Doc }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
