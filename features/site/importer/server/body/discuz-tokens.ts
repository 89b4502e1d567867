import { embedForms, regionTags, tagForms } from '#importer/server/body/discuz-tags.ts'
import type { Region } from '#importer/server/body/discuz-regions.ts'
import type { HtmlAttributes } from '#importer/server/body/read-html.ts'

type Tag = { name: string; source: string }
export type DiscuzToken =
  | { type: 'text' | 'code'; text: string }
  | (Tag & { type: 'begin'; argument: string })
  | (Tag & { type: 'end' })
  | { type: 'embed'; name: string; text: string }
  | { type: 'region'; region: Region }
  | { type: 'html'; name: string; attributes: HtmlAttributes }
  | { type: 'html end'; name: string }

const tag = /\[(\/?)([a-z]{1,20}|\*)(=[^\][\r\n]*)?\]/giy

/** Adds the tokens of a text. A bracket that begins no tag is text. */
export function addTokens(tokens: DiscuzToken[], text: string, unknown: (name: string) => void): void {
  let at = 0
  const addText = (to: number) => {
    if (to > at) tokens.push({ type: 'text', text: text.slice(at, to) })
  }
  for (let from = text.indexOf('['); from >= 0; from = text.indexOf('[', Math.max(from + 1, at))) {
    const found = tokenAt(text, from, unknown)
    if (!found) continue
    addText(from)
    tokens.push(found.token)
    at = found.to
  }
  addText(text.length)
}

function tokenAt(text: string, from: number, unknown: (name: string) => void): { token: DiscuzToken; to: number } | null {
  tag.lastIndex = from
  const { 0: source, 1: slash, 2: written = '', 3: argument = '' } = tag.exec(text) ?? []
  if (source === undefined) return null
  const name = written.toLowerCase()
  const to = from + source.length
  const embed = embedForms.get(name)
  if (embed) return slash === '' && embed.test(argument) ? embedAt(text, to, name) : null
  const form = tagForms.get(name)
  if (!form) {
    // A single word in brackets is more often no tag.
    if (!regionTags.has(name) && (slash === '/' || argument !== '')) unknown(name)
    return null
  }
  if (slash === '/') return argument === '' ? { token: { type: 'end', name, source }, to } : null
  return form.argument.test(argument) ? { token: { type: 'begin', name, argument, source }, to } : null
}

/** Nothing but an address may stand between the tags. */
function embedAt(text: string, from: number, name: string): { token: DiscuzToken; to: number } | null {
  const end = text.indexOf('[', from)
  const ending = `[/${name}]`
  if (end < 0 || text.slice(end, end + ending.length).toLowerCase() !== ending) return null
  const address = text.slice(from, end).trim()
  const fits = name.startsWith('attach') ? /^\d{1,12}$/.test(address) : address !== '' && !/[\r\n]/.test(address)
  if (!fits) return null
  return { token: { type: 'embed', name, text: address }, to: end + ending.length }
}
