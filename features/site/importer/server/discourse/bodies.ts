import type { MarkdownOptions } from '#importer/server/body/markdown.ts'
import { namesIn } from '#importer/server/body/mentions.ts'
import { documentOf, textPieces } from '#importer/server/body/pieces.ts'
import { discourseBody, htmlBody } from '#importer/server/discourse/cooking.ts'
import { str, type Discourse } from '#importer/server/discourse/source.ts'
import { fileIdAt, fileIdsIn } from '#importer/server/discourse/upload-address.ts'
import type { SourceBody } from '#importer/server/source.ts'
import { rowsBy } from '#importer/server/tables/pages.ts'
import { id, flag, integer, type Row } from '#importer/server/tables/source-tables.ts'

/** The text of a post; `polls` are the names of those that come as such. */
export type Written = { row: Row; polls: ReadonlySet<string> }

export const bodyColumns = ['id', 'raw', 'cook_method']
const rawHtml = 2
const email = 3

/** Reads some texts. Members and files that they name are looked up for all of them at once. */
export async function bodiesOf(discourse: Discourse, texts: readonly Written[]): Promise<SourceBody[]> {
  const raws = texts.map(({ row }) => str(row, 'raw'))
  const [members, uploads] = [await membersNamed(discourse, raws), await uploadsNamed(discourse, raws)]
  const mentioned = (name: string) => members.get(name.toLowerCase()) ?? null
  return texts.map(({ row, polls }, at) => {
    const notes = new Set<string>()
    const options = { mentioned, polls, fileAt: fileAt(discourse, { uploads, postId: id(row, 'id'), notes }) }
    const { document, notes: ofBody } = bodyOf(raws[at] ?? '', integer(row, 'cook_method'), options)
    return { document, notes: [...ofBody, ...notes] }
  })
}

function bodyOf(raw: string, method: number, options: Parameters<typeof discourseBody>[1]): SourceBody {
  if (method === rawHtml) return htmlBody(raw, options)
  return method === email ? { document: documentOf(textPieces(raw)), notes: [] } : discourseBody(raw, options)
}

async function membersNamed({ tables }: Discourse, raws: readonly string[]): Promise<Map<string, string>> {
  const names = raws.flatMap((raw) => namesIn(raw).map((name) => name.toLowerCase()))
  const found = await rowsBy(tables, { table: 'users', columns: ['id'], column: 'username_lower' }, names)
  const rows = [...found.values()].flat().filter((row) => integer(row, 'id') > 0)
  return new Map(rows.map((row) => [str(row, 'username_lower'), `member/${id(row, 'id')}`]))
}

async function uploadsNamed({ tables }: Discourse, raws: readonly string[]): Promise<Map<string, Row>> {
  const ids = raws.flatMap(fileIdsIn).filter((one) => !one.includes('/'))
  const columns = ['original_filename', 'url', 'secure', 'access_control_post_id']
  const found = await rowsBy(tables, { table: 'uploads', columns, column: 'sha1' }, ids)
  return new Map([...found].flatMap(([sha1, [row]]) => (row ? [[sha1, row] as const] : [])))
}

type Named = { uploads: ReadonlyMap<string, Row>; postId: string; notes: Set<string> }

/** A secure file is shown by the post that it was sent with alone: whoever reads another that names it could not see it there. */
function fileAt(discourse: Discourse, { uploads, postId, notes }: Named): MarkdownOptions['fileAt'] {
  return (address, label) => {
    const its = fileIdAt(address)
    const upload = its === null ? undefined : uploads.get(its)
    if (its === null || !isOfSite(discourse, address, upload)) return null
    const name = (label.split('|')[0] ?? '').trim() || (upload ? str(upload, 'original_filename') : '') || 'file'
    if (!upload || !flag(upload, 'secure') || id(upload, 'access_control_post_id') === postId) return { id: its, name }
    notes.add('secure file of another post')
    return { id: '', name }
  }
}

/** An address on the site, on the host where it keeps its uploads, or on the one that delivers them. */
function isOfSite({ origins, settings }: Discourse, address: string, upload: Row | undefined): boolean {
  const host = URL.parse(address, 'https://here.invalid/')?.host
  const hosts = [...origins, settings.get('s3_cdn_url') ?? '', upload ? str(upload, 'url') : '']
  return host === 'here.invalid' || hosts.some((one) => one !== '' && URL.parse(one, 'https://here.invalid/')?.host === host)
}
