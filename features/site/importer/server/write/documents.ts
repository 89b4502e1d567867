import type { Attachment, Block, Doc, Inline, Link, Mark, Picture } from '#base/rich-text/document.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'
import type { RenderContext } from '#base/rich-text/to-html.ts'
import { attachmentsOf, mentionsOf, picturesOf, linksOf } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import { addressesOfTargets } from '#importer/server/addresses.ts'
import type { OldTarget, SourceBody, SourcePost } from '#importer/server/source.ts'
import { memberIds, newIds, type ImportContext } from '#importer/server/write/import-context.ts'
import * as user from '#user/server/user.ts'

/** What the bodies of some posts refer to, as it is here. */
export type References = RenderContext & {
  files: ReadonlyMap<string, file.StoredFile>
  /** Members by `member/ID` and `name/NAME`. */
  people: ReadonlyMap<string, { id: string; name: string }>
  /** Our addresses by the links that were written. */
  links: ReadonlyMap<string, string>
  /** Links to the old site, by their full addresses there, whose pages are not here, or not yet. */
  missing: ReadonlySet<string>
}

const scheme = 'import:'

/** Finds what these posts refer to, in a few queries for all of them. */
export async function referencesOf(
  tx: Db,
  context: ImportContext,
  posts: readonly Pick<SourcePost, 'body' | 'fileIds'>[],
): Promise<References> {
  const documents = posts.map(({ body }) => body.document)
  const fileIds = posts.flatMap(({ fileIds: below, body }) => [
    ...below,
    ...[...attachmentsOf(body.document), ...picturesOf(body.document)].map(({ file: address }) => idIn(address, 'file')),
  ])
  const mentioned = documents.flatMap((document) => mentionsOf(document).map(({ id }) => id.slice(scheme.length)))
  const links = [...new Set(documents.flatMap(linksOf))]
  const [stored, people, { found, missing }] = [
    await filesOf(tx, context, fileIds),
    await peopleOf(tx, context, mentioned),
    await linksHere(tx, context, links),
  ]
  return { files: stored, people, links: found, missing, ...renderContext(stored, people) }
}

async function filesOf(tx: Db, context: ImportContext, oldIds: readonly string[]): Promise<Map<string, file.StoredFile>> {
  const ids = await newIds(tx, context, 'file', oldIds)
  const rows = await file.storedByIds(tx, [...ids.values()])
  return new Map(
    [...ids].flatMap(([oldId, id]) => {
      const row = rows.get(id)
      return row ? [[oldId, row] as const] : []
    }),
  )
}

async function peopleOf(tx: Db, context: ImportContext, mentioned: readonly string[]): Promise<References['people']> {
  const byId = mentioned.filter((one) => one.startsWith('member/')).map((one) => one.slice('member/'.length))
  const byName = mentioned.filter((one) => one.startsWith('name/')).map((one) => one.slice('name/'.length))
  const ids = await memberIds(tx, context, byId)
  const named = await newIds(
    tx,
    context,
    'name',
    byName.map((name) => user.nameKey(name)),
  )
  const people = await user.authors(tx, [...ids.values(), ...named.values()])
  const found = (id: string | undefined) => {
    const person = id === undefined ? undefined : people.get(id)
    return id !== undefined && person ? { id, name: person.name } : null
  }
  return new Map(
    mentioned.flatMap((one) => {
      const [kind = '', ...rest] = one.split('/')
      const id = kind === 'member' ? ids.get(rest.join('/')) : named.get(user.nameKey(rest.join('/')))
      const person = found(id)
      return person ? [[one, person] as const] : []
    }),
  )
}

/** Our addresses of the links that lead to the old site, and those of which there is none. Other links stay as they are. */
export async function linksHere(
  tx: Db,
  context: ImportContext,
  links: readonly string[],
): Promise<{ found: Map<string, string>; missing: Set<string> }> {
  if (context.keepsIds) return { found: new Map(links.flatMap((link) => pathHere(context, link))), missing: new Set() }
  const targets = new Map<string, OldTarget>()
  for (const link of links) {
    const address = onOldSite(context, link)
    const target = address && context.targetOf(address, context.reader.addressRules)
    if (target) targets.set(link, target)
  }
  const found = await addressesOfTargets(tx, context.importId, targets)
  const missing = [...targets.keys()].filter((link) => !found.has(link))
  return { found, missing: new Set(missing.map((link) => fullAddress(context, link))) }
}

function fullAddress({ reader }: ImportContext, link: string): string {
  return reader.same ? link : (URL.parse(link, reader.origins[0])?.href ?? link)
}

/** An address of the old site is the same here where ids stay. */
function pathHere(context: ImportContext, link: string): [string, string][] {
  const address = onOldSite(context, link)
  return address && !link.startsWith('/') ? [[link, `${address.pathname}${address.search}${address.hash}`]] : []
}

function onOldSite({ reader: { origins } }: ImportContext, link: string): URL | null {
  const base = origins[0] ?? 'http://localhost/'
  const address = URL.parse(link, base)
  if (!address) return null
  const isHere = [base, ...origins].some((origin) => withoutScheme(address.href).startsWith(withoutScheme(origin)))
  return isHere ? new URL(`${address.pathname}${address.search}${address.hash}`, 'http://localhost/') : null
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/, '')
}

function idIn(address: string, kind: string): string {
  const start = `${scheme}${kind}/`
  return address.startsWith(start) ? address.slice(start.length) : ''
}

/** The document of a post with its references resolved, and the files that stand below it at its end. */
export function resolved(context: ImportContext, { body, fileIds }: Pick<SourcePost, 'body' | 'fileIds'>, references: References): Doc {
  // A text that was erased for good stays so.
  if (context.reader.same && body.document.content.length === 0) return body.document
  const below = fileIds.map((id): Block => ({ type: 'file', attrs: { file: `${scheme}file/${id}`, name: '', bytes: 1 } }))
  const content = [...body.document.content, ...below].flatMap((block) => resolvedBlock(context, block, references))
  return normalise({ type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] })
}

function resolvedBlock(context: ImportContext, block: Block, references: References): Block[] {
  if (block.type === 'image') return [pictureBlock(block, references)]
  if (block.type === 'file') return [fileBlock(context, block, references)]
  if (!('content' in block) || !block.content || block.type === 'codeBlock') return [block]
  if (block.type === 'paragraph' || block.type === 'heading')
    return [{ ...block, content: block.content.map((inline) => resolvedInline(context, inline, references)) }]
  const content = (block.content as Block[]).flatMap((child) => resolvedBlock(context, child, references))
  return [{ ...block, content } as Block]
}

/** A picture as it is shown in this program. */
function pictureBlock({ attrs }: Picture, { files }: References): Block {
  const stored = files.get(idIn(attrs.file, 'file'))
  if (stored?.kind === 'picture') return { type: 'image', attrs: { ...attrs, file: stored.id } }
  return { type: 'paragraph', content: attrs.alt ? [{ type: 'text', text: attrs.alt }] : [] }
}

function fileBlock({ reader }: ImportContext, { attrs }: Attachment, { files }: References): Block {
  const { name } = attrs
  const stored = files.get(idIn(attrs.file, 'file'))
  if (!stored) return { type: 'paragraph', content: name ? [{ type: 'text', text: name }] : [] }
  const { id, width, height, bytes } = stored
  if (reader.same && stored.kind === 'attachment') return { type: 'file', attrs: { ...attrs, file: id } }
  if (stored.kind === 'picture') return { type: 'image', attrs: { file: id, alt: altOf(name), width: width ?? 1, height: height ?? 1 } }
  return { type: 'file', attrs: { file: id, name: stored.name ?? (name || id), bytes } }
}

const maxAlt = 300

function altOf(name: string): string {
  return [...name].slice(0, maxAlt).join('').toWellFormed()
}

function resolvedInline(context: ImportContext, inline: Inline, { people, links }: References): Inline {
  if (inline.type === 'mention') {
    const person = people.get(inline.attrs.id.slice(scheme.length))
    if (person) return { type: 'mention', attrs: { id: person.id, label: person.name } }
    return { type: 'text', text: `@${inline.attrs.label}` }
  }
  if (inline.type !== 'text' || !inline.marks) return inline
  const marks = inline.marks.flatMap((mark) => (mark.type === 'link' ? linkHere(context, mark, links) : [mark]))
  return { type: 'text', text: inline.text, ...(marks.length > 0 && { marks }) }
}

/** A link that leads nowhere safe is text. A relative one leads to the old site. */
function linkHere(context: ImportContext, { attrs }: Link, links: References['links']): Mark[] {
  const here = links.get(attrs.href)
  const href = here ?? fullAddress(context, attrs.href)
  return here !== undefined || safeUrl(href) !== null ? [{ type: 'link', attrs: { ...attrs, href } }] : []
}

/** What rendering needs of the files and members, by their ids here. */
function renderContext(files: References['files'], people: References['people']): RenderContext {
  const stored = new Map([...files.values()].map((one) => [one.id, one]))
  const names = new Map([...people.values()].map((person) => [person.id, person.name]))
  return {
    picture: ({ file: id }) => stored.get(id)?.picture ?? null,
    attachment: ({ file: id }) => stored.get(id)?.attachment ?? null,
    mention(id) {
      const name = names.get(id)
      return name === undefined ? null : { href: user.profilePath(id), name }
    },
  }
}

/** The files that a document shows. */
export function filesIn(document: Doc): string[] {
  return [...new Set([...picturesOf(document), ...attachmentsOf(document)].map(({ file: id }) => id))]
}

export function noteAll(context: ImportContext, { notes }: SourceBody, sample: string): void {
  for (const note of notes) context.note(note, sample)
}
