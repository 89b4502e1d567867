import type { Mark } from '#base/rich-text/document.ts'
import { withoutEditNote } from '#importer/server/body/discuz-edit-note.ts'
import { resolved } from '#importer/server/body/discuz-pairs.ts'
import { addFile, addToken, type DiscuzTarget } from '#importer/server/body/discuz-pieces.ts'
import { regionsOf, type Region } from '#importer/server/body/discuz-regions.ts'
import { discuzSmiley } from '#importer/server/body/discuz-smileys.ts'
import { discuzText, type DiscuzText } from '#importer/server/body/discuz-text.ts'
import { addTokens, type DiscuzToken } from '#importer/server/body/discuz-tokens.ts'
import { inOnePart, showsSomething, withHiddenParts, withoutHiddenText, type Run } from '#importer/server/body/hidden-runs.ts'
import { endCode, htmlInto } from '#importer/server/body/html.ts'
import * as build from '#importer/server/body/piece-builder.ts'
import { documentOf, type Piece } from '#importer/server/body/pieces.ts'
import { readHtml, type HtmlReader } from '#importer/server/body/read-html.ts'
import type { SourceBody } from '#importer/server/source.ts'

export type DiscuzOptions = {
  /** The columns of the post. Only 1 switches off: -1 says that the text holds none. */
  htmlon?: number
  bbcodeoff?: number
  smileyoff?: number
  parseurloff?: number
  charset?: 'utf8' | 'gbk'
  /** Hidden parts can be kept, as in the opening of a topic. */
  hides: boolean
  /** What stands in a post without hidden parts for text that was hidden. */
  withheld: string
  /** The price of the thread, for its opening. */
  price?: number
  /** Only the author and staff read it. */
  isMasked?: boolean
  publishedAt: Date
  now: Date
  /** The setting hideexpiration of the board. */
  hideDays?: number
  smiley?: (code: string) => string | null
  smileyCodes?: readonly string[]
  /** Files of the post. Those that the text does not show go with it where all of it is hidden. */
  fileIds?: readonly string[]
}

export type DiscuzBody = SourceBody & {
  /** The files that are dealt with. The others stand below the post. */
  used: string[]
  /** Hidden parts of the document. */
  hidden: number
  /** Hidden text that was left out. */
  leftOut: number
}

/** A message of Discuz! as our document. Tags are as discuzcode() of its public source reads them. */
export function documentFromDiscuz(message: string, options: DiscuzOptions): DiscuzBody {
  const notes = new Set<string>()
  const { hides, withheld, price = 0, isMasked = false, bbcodeoff, fileIds = [] } = options
  const rules = { ...options, hasTags: bbcodeoff !== 1, price, isMasked }
  const region = regionsOf(withoutEditNote(message, notes), rules, notes)
  const context: Context = { options, text: textOf(options), used: new Set(), notes }
  const runs = runsOf(region, context, [])
  if (region.lock) runs.push({ lock: region.lock, pieces: piecesOfFiles(context, fileIds) })
  const ordered = region.lock ? inOnePart(runs, region.lock) : runs
  if (region.lock?.lock === 'points' && ordered.length > 1) notes.add('paid text in one part')
  const locked = ordered.filter((run) => run.lock && showsSomething(run)).length
  const blocks = hides ? withHiddenParts(ordered, notes) : withoutHiddenText(ordered, withheld, notes)
  const document = documentOf(blocks)
  const hidden = document.content.filter(({ type }) => type === 'hidden').length
  return { document, notes: [...notes], used: [...context.used], hidden, leftOut: hides ? 0 : locked }
}

type Context = { options: DiscuzOptions; text: DiscuzText; used: Set<string>; notes: Set<string> }

function textOf({ smiley = discuzSmiley, smileyoff, smileyCodes, parseurloff }: DiscuzOptions): DiscuzText {
  return discuzText({ smiley: smileyoff === 1 ? null : smiley, smileyCodes, linksAddresses: parseurloff !== 1 })
}

/** The runs of a region and of those in it, in their order. What is open around a region goes on behind it. */
function runsOf(region: Region, context: Context, around: readonly Mark[]): Run[] {
  const { lock } = region
  const notes = new Set<string>()
  const to = targetOf(context, around, notes)
  const runs: Run[] = []
  const endRun = () => {
    endCode(to.html)
    runs.push({ lock, pieces: build.take(to.html.pieces) })
  }
  const tokens = tokensOf(region, context, (name) => notes.add(`unknown: ${name}`))
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]
    if (token?.type === 'region') {
      endRun()
      for (const run of runsOf(token.region, context, lock ? [] : build.marksHere(to.html.pieces))) runs.push(run)
      at++
    } else at = addToken(to, tokens, at)
  }
  endRun()
  // A name may be a word of hidden text.
  for (const note of notes) context.notes.add(lock && note.startsWith('unknown: ') ? 'unknown tag' : note)
  return runs
}

function targetOf({ options, text, used }: Context, around: readonly Mark[], notes: Set<string>): DiscuzTarget {
  const isHtml = options.htmlon === 1
  const pieces = build.builder(around)
  const isLinked = () => build.marksHere(pieces).some(({ type }) => type === 'link' || type === 'code')
  const html = htmlInto(pieces, notes, { text: (shown) => text.inlines(shown, isLinked()) })
  return { html, isHtml, text, used, hasReferences: options.charset === 'gbk' && !isHtml }
}

function tokensOf({ parts }: Region, { options }: Context, unknown: (name: string) => void): DiscuzToken[] {
  const tokens: DiscuzToken[] = []
  const addText = (text: string) => {
    if (options.bbcodeoff === 1) tokens.push({ type: 'text', text })
    else addTokens(tokens, text, unknown)
  }
  const html = options.htmlon === 1 ? readHtml(htmlTokens(tokens, addText)) : null
  for (const part of parts) {
    if (part.type === 'text') (html?.write ?? addText)(part.text)
    else {
      html?.flush()
      tokens.push(part)
    }
  }
  html?.end()
  return resolved(tokens)
}

function htmlTokens(tokens: DiscuzToken[], text: (text: string) => void): HtmlReader {
  return {
    open: (name, attributes) => void tokens.push({ type: 'html', name, attributes }),
    close: (name) => void tokens.push({ type: 'html end', name }),
    text,
  }
}

function piecesOfFiles(context: Context, fileIds: readonly string[]): Piece[] {
  const to = targetOf(context, [], context.notes)
  for (const id of fileIds) addFile(to, id)
  return build.take(to.html.pieces)
}
